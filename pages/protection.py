"""Who is protected?"""

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui.frame import ask
from dpviz.ui.questions.protection import QUESTION

ask(QUESTION)
