"""What does noise on context and labels buy?"""

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui.frame import ask
from dpviz.ui.questions.label_noise import QUESTION

ask(QUESTION)
