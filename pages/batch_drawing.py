"""How is a batch drawn, and how often does it hold a sensitive value?"""

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui.frame import ask
from dpviz.ui.questions.batch_drawing import QUESTION

ask(QUESTION)
