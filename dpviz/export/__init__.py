"""What a user takes away: tables and answers, later reports and scripts."""

from dpviz.export.answers import delta_answer, epsilon_answer
from dpviz.export.code import command_line, python_code
from dpviz.export.curve_csv import curve_csv

__all__ = ["command_line", "curve_csv", "delta_answer", "epsilon_answer", "python_code"]
