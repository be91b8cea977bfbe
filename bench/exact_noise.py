"""Processor time of exact noise: of values, and of a filter before it.

    python -m bench.exact_noise [--values 10000]

The goal is less than a second for 10,000 values.
"""

import argparse
import time
from collections.abc import Callable
from statistics import median
from timeit import repeat

import numpy as np

from dpviz.release import CircularFilter, SystemEntropy, noisy_values

NOISE = 26.13
REPETITIONS = 5


def main() -> None:
    """Print the medians."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--values", type=int, default=10_000)
    count = parser.parse_args().values
    counts = np.arange(count, dtype=np.float64) % 1000.0
    filter_, multiples = CircularFilter(count, 10.0), [int(value) << 36 for value in counts]
    ways: dict[str, Callable[[], object]] = {
        "exact noise, from the system": lambda: noisy_values(counts, NOISE, SystemEntropy()),
        "simulated noise, in doubles": lambda: noisy_values(
            counts, NOISE, np.random.default_rng(1)
        ),
        "exact filter": lambda: filter_.filtered_multiples(multiples),
        "filter in doubles": lambda: filter_.filtered(counts),
    }
    for name, way in ways.items():
        taken = repeat(way, timer=time.process_time, repeat=REPETITIONS, number=1)
        print(f"{name}: {median(taken):.4f} s for {count:,} values")


if __name__ == "__main__":
    main()
