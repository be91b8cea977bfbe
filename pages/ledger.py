"""What do several training runs on the same data give away together?"""

from dpviz.ui.frame import ask
from dpviz.ui.questions.ledger import QUESTION

ask(QUESTION)
