"""A ledger that is full."""

from dpviz.scenario import PRESETS
from dpviz.scenario.ledger import MOST_RUNS, NamedRun

RUNS = [
    NamedRun(name=f"run {place}", scenario=PRESETS["toy"].scenario)
    for place in range(1, MOST_RUNS + 1)
]
