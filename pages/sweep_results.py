"""What does a sweep over many scenarios show?"""

from dpviz.ui.first_import import ask

ask("sweep_results")
