"""Small grids for the tests of sweeps."""

import json

from dpviz.scenario import to_fields
from dpviz.sweeps.grid import Row, read_grid
from tests.scenario import changes

TOY = to_fields(changes.TOY) | {"series_length": 20}


def toy_grid(**values) -> str:
    """Return a grid around the toy preset as JSON; a value of None takes a field away."""
    fields = {name: value for name, value in (TOY | values).items() if value is not None}
    return json.dumps(fields)


def toy_rows(**values) -> tuple[Row, ...]:
    return read_grid(toy_grid(**values))


# Seconds of work are for slow tests.
SMALL = {
    "batch_size": [8, 999],
    "noise_multiplier": [1.0, 2.0],
    "steps": [1, 2, 3],
    "delta": [1e-5, 1e-7],
}
# Cheap: a few milliseconds a row, some rows refused, several chunks.
CHEAP = {
    "batch_size": [8, 16, 999, 32],
    "noise_multiplier": [1.0, 1.5, 2.0, 4.0, 8.0],
    "steps": [1, 2, 3, 5],
    "delta": [1e-5, 1e-7],
}
