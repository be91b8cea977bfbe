"""How private is this training run?"""

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui.frame import ask
from dpviz.ui.questions.privacy_curve import QUESTION

ask(QUESTION)
