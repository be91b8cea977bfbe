"""Does the theory hold? Simulated attacks beside the bounds."""

from dpviz.ui.frame import ask
from dpviz.ui.questions.theory_check import QUESTION

ask(QUESTION)
