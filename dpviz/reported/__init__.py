"""What the main paper reports of training: its tables as printed, and the set-ups behind them."""

from dpviz.reported.table import (
    BASELINES,
    FIGURES_WITHOUT_NUMBERS,
    LARGEST_LAGS,
    TABLES,
    WINDOWS,
    Cell,
    ReportedLine,
    ReportedTable,
    SetUp,
    UnreadFigure,
    setup_of,
)

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
