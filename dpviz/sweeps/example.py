"""A small sweep to look at without a file."""

from dpviz.scenario import PRESETS, to_fields
from dpviz.sweeps.answer import answered
from dpviz.sweeps.grid import Row, from_grid
from dpviz.sweeps.read_results import SweepResults, read_results
from dpviz.sweeps.results import csv_text, results_table
from dpviz.sweeps.run import run_sweep

EXAMPLE_GRID = {
    "batch_size": [16, 32, 64, 128],
    "noise_multiplier": [0.8, 1.0, 1.5, 2.0, 4.0],
    "steps": [100, 300, 1000],
}


def example_rows() -> tuple[Row, ...]:
    """Return the scenarios: the toy data set with several batch sizes, noises and lengths."""
    return from_grid(to_fields(PRESETS["toy"].scenario) | EXAMPLE_GRID)


def example_results() -> SweepResults:
    """Return what is proven about them, as read from the file that the command would write.

    >>> len(example_rows())
    60
    """
    rows = example_rows()
    answers = run_sweep(rows, compute=lambda chunks: map(answered, chunks))
    return read_results(csv_text(results_table(rows, answers, ())).encode(), "example.csv")
