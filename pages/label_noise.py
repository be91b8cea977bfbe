"""What does noise on context and labels buy?"""

from dpviz.ui.first_import import ask

ask("label_noise")
