"""What does it take to hide what a forecast reads?"""

from dpviz.ui.frame import ask
from dpviz.ui.questions.private_inference import QUESTION

ask(QUESTION)
