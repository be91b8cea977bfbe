"""What do the figures of the main paper show, and how much of it is proven?"""

from dpviz.ui.frame import ask
from dpviz.ui.questions.paper_figures import QUESTION

ask(QUESTION)
