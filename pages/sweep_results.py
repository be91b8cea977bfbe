"""What does a sweep over many scenarios show?"""

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui.frame import ask
from dpviz.ui.questions.sweep_results import QUESTION

ask(QUESTION)
