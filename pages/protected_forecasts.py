"""What does protecting the data itself do to forecasts, and what does it prove?"""

from dpviz.ui.frame import ask
from dpviz.ui.questions.protected_forecasts import QUESTION

ask(QUESTION)
