"""What does it take to hide what a forecast reads?"""

from dpviz.ui.first_import import ask

ask("private_inference")
