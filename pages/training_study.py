"""What does privacy cost in accuracy? Runs made beforehand, and a criterion fixed before them."""

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui.frame import ask
from dpviz.ui.questions.training_study import QUESTION

ask(QUESTION)
