"""What does privacy cost in accuracy? Runs made beforehand, and a criterion fixed before them."""

from dpviz.ui.first_import import ask

ask("training_study")
