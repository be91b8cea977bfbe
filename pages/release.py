"""How is one series of counts released privately, and at which cost?"""

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui.frame import ask
from dpviz.ui.questions.release import QUESTION

ask(QUESTION)
