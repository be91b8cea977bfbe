"""What does a stock accountant promise about one bag of windows, and what is true?"""

from dpviz.ui.first_import import ask

ask("one_bag")
