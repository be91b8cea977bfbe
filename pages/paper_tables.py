"""How well did privately trained models forecast, and what privacy had they by our accounting?"""

from dpviz.ui.first_import import ask

ask("paper_tables")
