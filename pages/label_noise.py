"""What does noise on context and labels buy?"""

from dpviz.ui.frame import ask
from dpviz.ui.questions.label_noise import QUESTION

ask(QUESTION)
