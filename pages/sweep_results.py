"""What does a sweep over many scenarios show?"""

from dpviz.ui.frame import ask
from dpviz.ui.questions.sweep_results import QUESTION

ask(QUESTION)
