"""How many subsequences per series?"""

from dpviz.ui.frame import ask
from dpviz.ui.questions.subsequences import QUESTION

ask(QUESTION)
