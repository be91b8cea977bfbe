"""How is one series of counts released privately, and at which cost?"""

from dpviz.ui.frame import ask
from dpviz.ui.questions.release import QUESTION

ask(QUESTION)
