"""What do several training runs on the same data give away together?"""

from dpviz.ui.first_import import ask

ask("ledger")
