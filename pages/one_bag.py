"""What does a stock accountant promise about one bag of windows, and what is true?"""

from dpviz.ui.frame import ask
from dpviz.ui.questions.one_bag import QUESTION

ask(QUESTION)
