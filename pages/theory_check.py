"""Does the theory hold? Simulated attacks beside the bounds."""

from dpviz.ui.first_import import ask

ask("theory_check")
