"""What do the figures of the main paper show, and how much of it is proven?"""

from dpviz.ui.first_import import ask

ask("paper_figures")
