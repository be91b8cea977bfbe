"""How well did privately trained models forecast, and how private were they?"""

from dpviz.ui.frame import ask
from dpviz.ui.questions.paper_tables import QUESTION

ask(QUESTION)
