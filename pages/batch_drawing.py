"""How is a batch drawn, and how often does it hold a sensitive value?"""

from dpviz.ui.first_import import ask

ask("batch_drawing")
