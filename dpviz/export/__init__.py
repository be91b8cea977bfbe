"""What a user takes away: tables and answers, later reports and scripts."""

from dpviz.export.answers import delta_answer, epsilon_answer, risk_answer
from dpviz.export.budget_csv import budget_csv
from dpviz.export.code import command_line, python_code
from dpviz.export.curve_csv import curves_csv
from dpviz.export.hits_csv import hit_counts_csv, hits_csv
from dpviz.export.noise_map_csv import noise_map_csv
from dpviz.export.steps_csv import steps_csv
from dpviz.export.sweep_csv import sweep_csv
from dpviz.export.training_script import training_script

__all__ = [
    "budget_csv",
    "command_line",
    "curves_csv",
    "delta_answer",
    "epsilon_answer",
    "hit_counts_csv",
    "hits_csv",
    "noise_map_csv",
    "python_code",
    "risk_answer",
    "steps_csv",
    "sweep_csv",
    "training_script",
]
