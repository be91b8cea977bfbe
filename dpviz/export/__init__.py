"""What a user takes away: tables and answers, statements and reports, commands and programs."""

from dpviz.export.training_script import training_script

__all__ = ["training_script"]
