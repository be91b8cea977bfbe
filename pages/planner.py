"""Which settings meet a privacy goal?"""

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui.frame import ask
from dpviz.ui.questions.planner import QUESTION

ask(QUESTION)
