"""What does epsilon mean?"""

from dpviz.ui.frame import ask
from dpviz.ui.questions.epsilon_meaning import QUESTION

ask(QUESTION)
