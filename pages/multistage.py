"""How private are episodes whose records are drawn in stages?"""

from dpviz.ui.frame import ask
from dpviz.ui.questions.multistage import QUESTION

ask(QUESTION)
