"""Sample series, or walk through them?"""

from dpviz.ui.frame import ask
from dpviz.ui.questions.sample_or_walk import QUESTION

ask(QUESTION)
