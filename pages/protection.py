"""Who is protected?"""

from dpviz.ui.first_import import ask

ask("protection")
