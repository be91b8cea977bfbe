"""What does privacy cost in accuracy? Runs made beforehand, and a criterion fixed before them."""

from dpviz.ui.frame import ask
from dpviz.ui.questions.training_study import QUESTION

ask(QUESTION)
