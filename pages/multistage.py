"""How private are episodes whose records are drawn in stages?"""

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui.frame import ask
from dpviz.ui.questions.multistage import QUESTION

ask(QUESTION)
