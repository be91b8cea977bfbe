"""How private is this training run?"""

from dpviz.ui.first_import import ask

ask("privacy_curve")
