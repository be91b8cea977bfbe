"""How well did privately trained models forecast, and what privacy had they by our accounting?"""

from dpviz.ui.frame import ask
from dpviz.ui.questions.paper_tables import QUESTION

ask(QUESTION)
