"""What do several training runs on the same data give away together?"""

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui.frame import ask
from dpviz.ui.questions.ledger import QUESTION

ask(QUESTION)
