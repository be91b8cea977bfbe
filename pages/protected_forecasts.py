"""What does protecting the data itself do to forecasts, and what does it prove?"""

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui.frame import ask
from dpviz.ui.questions.protected_forecasts import QUESTION

ask(QUESTION)
