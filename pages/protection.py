"""Who is protected?"""

from dpviz.ui.frame import ask
from dpviz.ui.questions.protection import QUESTION

ask(QUESTION)
