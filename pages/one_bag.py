"""What does a stock accountant promise about one bag of windows, and what is true?"""

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui.frame import ask
from dpviz.ui.questions.one_bag import QUESTION

ask(QUESTION)
