"""Which settings meet a privacy goal?"""

from dpviz.ui.frame import ask
from dpviz.ui.questions.planner import QUESTION

ask(QUESTION)
