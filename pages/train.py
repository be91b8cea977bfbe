"""How accurate is a model within my budget? A small forecaster is trained here and now."""

from dpviz.ui.frame import ask
from dpviz.ui.questions.train import QUESTION

ask(QUESTION)
