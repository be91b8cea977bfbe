"""How accurate is a model within my budget? A small forecaster is trained here and now."""

from dpviz.ui.first_import import ask

ask("train")
