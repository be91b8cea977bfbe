"""What does it take to hide what a forecast reads?"""

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui.frame import ask
from dpviz.ui.questions.private_inference import QUESTION

ask(QUESTION)
