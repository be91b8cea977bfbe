"""How many scenarios a second a sweep computes, on all processors.

    python bench/sweep.py [--rows 10000] [--shared]

Runs the command itself on a grid of scenarios with one window per series, from steps of 100 to
12,000, and prints seconds and processor seconds, all processes together. By default no two rows
share their bound and number of steps; with --shared each comes at five deltas.
"""

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

SHAPE = {
    "num_series": 862,
    "series_length": 17_544,
    "context_length": 96,
    "forecast_length": 24,
}
DELTAS = (1e-5, 1e-6, 1e-7, 1e-8, 1e-9)
LENGTHS = (100, 250, 500, 1000, 2000, 3000, 5000, 7000, 9000, 12_000)
BATCHES = (16, 32, 64, 96, 128, 192, 256, 384, 512, 640)


def main() -> None:
    """Print how long the sweep took."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--shared", action="store_true")
    options = parser.parse_args()
    deltas = DELTAS if options.shared else (1e-7,)
    noises = math.ceil(options.rows / len(deltas) / len(LENGTHS) / len(BATCHES))
    grid = SHAPE | {
        "batch_size": BATCHES,
        "noise_multiplier": np.geomspace(0.5, 8.0, noises).round(6).tolist(),
        "steps": LENGTHS,
        "delta": deltas,
    }
    rows = noises * len(LENGTHS) * len(BATCHES) * len(deltas)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "grid.json"
        path.write_text(json.dumps(grid), encoding="utf-8")
        out = Path(folder) / "results.csv"
        command = [sys.executable, "-m", "dpviz", "sweep", str(path), "--out", str(out), "--json"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        began = time.perf_counter()
        subprocess.run(command, check=True)
        seconds = time.perf_counter() - began
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)
    print(f"{rows:,} scenarios in {seconds:.1f} s on {os.cpu_count()} processors")
    print(f"{rows / seconds:.1f} scenarios a second")
    print(f"{processor:.1f} s of processor time, {1000 * processor / rows:.1f} ms a scenario")
    print(f"at most {after.ru_maxrss / 1024:.0f} MB in one process")


if __name__ == "__main__":
    main()
