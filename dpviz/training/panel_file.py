"""A panel from a file of one's own."""

from dataclasses import dataclass

import numpy as np

from dpviz.scenario import TimeStep
from dpviz.series_file.errors import counted
from dpviz.series_file.values import read_series_values
from dpviz.training.panel import Panel

# The season that most series of such a time step have, in time steps.
_PERIODS = {
    ("second", 1): 60,
    ("minute", 1): 60,
    ("minute", 10): 144,
    ("minute", 15): 96,
    ("minute", 30): 48,
    ("hour", 1): 24,
    ("day", 1): 7,
    ("week", 1): 52,
    ("month", 1): 12,
    ("quarter", 1): 4,
}

NOT_ACCOUNTED = (
    "the notes on the file and messages about it: they tell exactly how many values are missing or "
    "empty and in which series, and quote what cannot be read",
    "number, names, lengths and time step of the file's series, which are taken to be public",
)
"""What is told of a file's series besides what is trained on them, as sentences."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PanelFile:
    """What was read of a file: the panel, and sentences on what was assumed."""

    panel: Panel
    notes: tuple[str, ...]


def panel_from_file(
    content: bytes, name: str, *, period: int | None = None, layout: str = "auto"
) -> PanelFile:
    r"""Return the series of a CSV or Parquet file (:mod:`dpviz.series_file`).

    A missing value becomes zero, as before a series begins. Filling it from its neighbours would
    write one person's value to more than one place, which the bounds do not count.

    Args:
        content: the whole file.
        name: its name, for the ending.
        period: time steps of a season; without it that of the file's time step, such as 12 for
            months, or 1 where the file does not tell.
        layout: ``auto``, ``long`` or ``wide``.

    Raises:
        SeriesFileError: the file cannot be read.
        ScenarioError: the period is out of range.

    >>> panel_from_file(b"month,a\n2024-01,3\n2024-02,\n2024-03,4\n", "a.csv").panel.series
    (array([3., 0., 4.]),)
    """
    read = read_series_values(content, name, layout=layout)
    missing = int(sum(np.isnan(values).sum() for values in read.values))
    notes = read.notes
    if missing:
        notes = (*notes, f"{counted(missing, 'missing value')} counted as 0 in training.")
    if period is None:
        period = usual_period(read.time_step)
        notes = (*notes, f"A season was taken to be {counted(period, 'time step')}.")
    return PanelFile(
        panel=Panel(
            series=tuple(np.where(np.isnan(values), 0.0, values) for values in read.values),
            names=read.names,
            period=period,
        ),
        notes=notes,
    )


def usual_period(time_step: TimeStep | None) -> int:
    """Return the season that series of a time step usually have, 1 where none is known.

    >>> usual_period(TimeStep(1, "month")), usual_period(None)
    (12, 1)
    """
    return 1 if time_step is None else _PERIODS.get((time_step.unit, time_step.count), 1)
