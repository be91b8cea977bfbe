"""Values that a model and its error can be computed with."""

import numpy as np

from dpviz.scenario.errors import ScenarioError
from dpviz.training.panel import Panel

LARGEST_SIZE = 1e100
SMALLEST_SIZE = 1e-100
"""A window is seen relative to its context, in which the smallest may stand beside the largest;
of their ratio, 1e200, sums over all values stay far below the largest double, 1.8e308."""


def check_sizes(panel: Panel) -> None:
    """Refuse series with values whose ratios or sums could overflow.

    Raises:
        ScenarioError: names the series and its first such value.

    >>> check_sizes(Panel(series=([0.0, 1e308],), names=("a",), period=1))
    Traceback (most recent call last):
    dpviz.scenario.errors.ScenarioError: 'series a' = 1e+308 is not allowed: ...
    """
    for name, values in zip(panel.names, panel.series, strict=True):
        sizes = np.abs(values)
        wrong = (sizes > LARGEST_SIZE) | ((sizes < SMALLEST_SIZE) & (sizes != 0.0))
        if wrong.any():
            raise ScenarioError(
                f"series {name}",
                float(values[wrong][0]),
                f"the size of each value must be from {SMALLEST_SIZE:g} to {LARGEST_SIZE:g}, or 0; "
                "mend the value, or give all of them in another unit",
            )
