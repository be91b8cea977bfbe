"""Which settings meet a privacy goal?"""

from dpviz.ui.first_import import ask

ask("planner")
