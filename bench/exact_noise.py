"""Processor time of exact noise: of values, and of a filter before it.

    python -m bench.exact_noise [--values 10000]

The goal is less than a second for 10,000 values.
"""

import argparse
import time
from collections.abc import Callable

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
        print(f"{name}: {median_time(way):.4f} s for {count:,} values")


def median_time(way: Callable[[], object]) -> float:
    """Return the median of the processor seconds that a call takes."""
    taken = []
    for _ in range(REPETITIONS):
        start = time.process_time()
        way()
        taken.append(time.process_time() - start)
    return float(np.median(taken))


if __name__ == "__main__":
    main()
