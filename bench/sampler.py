"""Batches per second of the samplers at the traffic shape, on one core.

    python bench/sampler.py [--batches 20000]

First the ways to draw 256 of 862 series, then whole batches and simulated hits for each scheme.
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
    print_draws(count)
    print_schemes(count)
    print_cutting(count // 20)


def print_draws(count: int) -> None:
    """Compare ways to draw a subset; the last is biased where keys tie."""
    rng = np.random.default_rng(1)
    series, size = TRAFFIC.data.num_series, TRAFFIC.sampling.series_per_batch
    ways: dict[str, Callable[[], object]] = {
        "choice without shuffle (used)": lambda: rng.choice(
            series, size=size, replace=False, shuffle=False
        ),
        "choice with shuffle": lambda: rng.choice(series, size=size, replace=False),
        "start of a permutation": lambda: rng.permutation(series)[:size],
        "smallest random keys (biased)": lambda: np.argpartition(rng.random(series), size)[:size],
    }
    print(f"{size} of {series} series      microseconds")
    for name, draw in ways.items():
        print(f"  {name:32} {1e6 * seconds(draw, count) / count:6.1f}")


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


def seconds(work: Callable[[], object], number: int = 1) -> float:
    """Return the seconds of CPU that so many calls take: best of three."""
    return min(repeat(work, timer=time.process_time, repeat=REPETITIONS, number=number))


if __name__ == "__main__":
    main()
