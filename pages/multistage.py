"""How private are episodes whose records are drawn in stages?"""

from dpviz.ui.first_import import ask

ask("multistage")
