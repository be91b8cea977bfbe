"""How many subsequences per series?"""

from dpviz.ui.first_import import ask

ask("subsequences")
