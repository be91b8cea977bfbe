"""How accurate is a model within my budget? A small forecaster is trained here and now."""

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui.frame import ask
from dpviz.ui.questions.train import QUESTION

ask(QUESTION)
