"""What a user takes away: tables and answers, statements and reports, commands and programs."""

from dpviz.export.answers import (
    closer_answer,
    closer_noise_answer,
    delta_answer,
    epsilon_answer,
    one_batch_answer,
    risk_answer,
)
from dpviz.export.code import command_line, python_code
from dpviz.export.curve_tables import budget_table, curves_table, steps_table, sweep_table
from dpviz.export.table import Table
from dpviz.export.training_script import training_script

__all__ = [
    "Table",
    "budget_table",
    "closer_answer",
    "closer_noise_answer",
    "command_line",
    "curves_table",
    "delta_answer",
    "epsilon_answer",
    "one_batch_answer",
    "python_code",
    "risk_answer",
    "steps_table",
    "sweep_table",
    "training_script",
]
