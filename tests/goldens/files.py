"""Small files that visits open, made anew each time."""

import json
from collections.abc import Callable
from dataclasses import replace

from dpviz.scenario import PRESETS, Noise, Sampling, to_fields, to_json
from dpviz.scenario.ledger import NamedRun, ledger_to_json
from dpviz.sweeps.grid import read_grid
from dpviz.sweeps.results import csv_text, results_table
from dpviz.sweeps.run import run_sweep
from tests.scenario.changes import varied

TYPE = "text/csv"
TOY = varied(PRESETS["toy"].scenario, steps=50)
WALK = replace(TOY, sampling=Sampling(batch_size=32, top_level="shuffled"))
RUNS = (
    NamedRun(name="pilot", scenario=TOY),
    NamedRun(name="walk", scenario=WALK),
    NamedRun(name="main", scenario=replace(TOY, noise=Noise(noise_multiplier=2.0))),
)
_GRID = to_fields(TOY) | {
    "series_length": 20, "batch_size": [8, 999], "noise_multiplier": [1.0, 2.0], "steps": [1, 3],
}  # fmt: skip


def _series() -> str:
    rows = [
        f"s{at},{time},{100 + 10 * at + time % 12 + (at * time) % 5}"
        for at in range(12)
        for time in range(60 + at)
    ]
    return "\n".join(["series_id,t,value", *rows])


def _counts() -> str:
    return "\n".join(["count", *(str(50 + at % 40) for at in range(300))])


def _sweep() -> str:
    rows = read_grid(json.dumps({k: v for k, v in _GRID.items() if v is not None}))
    answers = run_sweep(rows, compute=map)
    return csv_text(results_table(rows, answers, ()))


FILES: dict[str, Callable[[], bytes]] = {
    "toy.json": lambda: to_json(TOY, indent=2).encode(),
    "walk.json": lambda: to_json(WALK, indent=2).encode(),
    "traffic.json": lambda: to_json(PRESETS["traffic"].scenario).encode(),
    "runs.json": lambda: ledger_to_json(RUNS).encode(),
    "grid.json": lambda: json.dumps({k: v for k, v in _GRID.items() if v is not None}).encode(),
    "series.csv": lambda: _series().encode(),
    "counts.csv": lambda: _counts().encode(),
    "sweep.csv": lambda: _sweep().encode(),
    "none.csv": lambda: b"this is,no table\n1",
}
