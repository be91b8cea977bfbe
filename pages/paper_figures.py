"""What do the figures of the main paper show, and how much of it is proven?"""

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui.frame import ask
from dpviz.ui.questions.paper_figures import QUESTION

ask(QUESTION)
