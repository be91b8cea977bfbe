"""What does epsilon mean?"""

from dpviz.ui.first_import import ask

ask("epsilon_meaning")
