"""What the main paper reports of training: its tables as printed, and the set-ups behind them."""

from dpviz.reported.figures import FIGURES_WITHOUT_NUMBERS, UnreadFigure
from dpviz.reported.read import TABLES
from dpviz.reported.setups import LARGEST_LAGS, WINDOWS, SetUp, setup_of
from dpviz.reported.table import BASELINES, Cell, ReportedLine, ReportedTable

__all__ = [
    "BASELINES",
    "FIGURES_WITHOUT_NUMBERS",
    "LARGEST_LAGS",
    "TABLES",
    "WINDOWS",
    "Cell",
    "ReportedLine",
    "ReportedTable",
    "SetUp",
    "UnreadFigure",
    "setup_of",
]
