"""How private is this training run?"""

from dpviz.ui.frame import ask
from dpviz.ui.questions.privacy_curve import QUESTION

ask(QUESTION)
