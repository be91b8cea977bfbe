"""Sample series, or walk through them?"""

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui.frame import ask
from dpviz.ui.questions.sample_or_walk import QUESTION

ask(QUESTION)
