"""Sample series, or walk through them?"""

from dpviz.ui.first_import import ask

ask("sample_or_walk")
