"""How is one series of counts released privately, and at which cost?"""

from dpviz.ui.first_import import ask

ask("release")
