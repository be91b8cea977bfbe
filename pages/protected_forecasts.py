"""What does protecting the data itself do to forecasts, and what does it prove?"""

from dpviz.ui.first_import import ask

ask("protected_forecasts")
