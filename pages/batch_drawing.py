"""How is a batch drawn, and how often does it hold a sensitive value?"""

from dpviz.ui.frame import ask
from dpviz.ui.questions.batch_drawing import QUESTION

ask(QUESTION)
