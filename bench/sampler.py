"""Batches per second of the samplers at the traffic shape, on one core.

    python bench/sampler.py [--batches 20000]

Whole batches and simulated hits for each scheme, and windows that are cut from the data.
The goal is 5,000 batches a second for the first scheme: training itself is slower by far.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import islice
from timeit import repeat

import numpy as np

from dpviz.sampling import batches, simulate_hits, windows
from dpviz.sampling.batches import SERIES_DRAWS
from dpviz.scenario import PRESETS
from dpviz.scenario.mechanism import BOTTOM_LEVELS

TRAFFIC = PRESETS["traffic"].scenario
REPETITIONS = 3


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--batches", type=int, default=20_000)
    count = parser.parse_args().batches
    print_schemes(count)
    print_cutting(count // 20)


def print_schemes(count: int) -> None:
    """Print the speed of every scheme."""
    print("scheme                                  batches/s   simulated hits/s")
    for top in SERIES_DRAWS:
        for bottom in BOTTOM_LEVELS:
            sampling = replace(TRAFFIC.sampling, top_level=top, bottom_level=bottom)
            scenario = replace(TRAFFIC, sampling=sampling)
            drawn = count / seconds(partial(draw_all, scenario, count))
            hits = count / seconds(partial(simulate_hits, scenario, count, 1))
            print(f"  {top:20} {bottom:16} {drawn:9,.0f} {hits:14,.0f}")


def print_cutting(count: int) -> None:
    """Print the speed with windows cut from the data."""
    shape = TRAFFIC.data
    data = np.zeros((shape.num_series, shape.series_lengths[0]), dtype=np.float32)
    data += 1.0  # touch the pages: memory that was never written is faster than data

    def cut_all() -> None:
        for batch in islice(batches(TRAFFIC, np.random.default_rng(1)), count):
            windows(data, batch, shape.context_length, shape.forecast_length, np.float32)

    print(f"drawn, windows cut: {count / seconds(cut_all):,.0f} batches/s")


def draw_all(scenario: object, count: int) -> None:
    """Draw and drop batches."""
    for _ in islice(batches(scenario, np.random.default_rng(1), endless=True), count):
        pass


def seconds(work: Callable[[], object]) -> float:
    """Return the seconds of CPU that a call takes: best of three."""
    return min(repeat(work, timer=time.process_time, repeat=REPETITIONS, number=1))


if __name__ == "__main__":
    main()
