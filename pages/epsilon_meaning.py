"""What does epsilon mean?"""

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui.frame import ask
from dpviz.ui.questions.epsilon_meaning import QUESTION

ask(QUESTION)
