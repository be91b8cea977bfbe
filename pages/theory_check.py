"""Does the theory hold? Simulated attacks beside the bounds."""

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui.frame import ask
from dpviz.ui.questions.theory_check import QUESTION

ask(QUESTION)
