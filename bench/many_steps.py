"""Epsilon of many steps, one window per series, from both sides: docs/many-steps.md has the proof.

    python -m bench.many_steps                 # the toy and the traffic set-up
    python -m bench.many_steps --random 50     # and so many drawn scenarios

Beside each other stand one direction (Theorem 4.4) and directions chosen anew (Proposition 9) from
below, Proposition 23 and the mirrored pair from above.
"""

import argparse
import time
from collections.abc import Callable, Iterator

import numpy as np

from dpviz.accounting import composed_curve
from dpviz.accounting.closer_upper import closer_upper
from dpviz.accounting.new_directions import with_new_directions
from dpviz.guarantees import sampled_top_level
from dpviz.wording.numbers import rounded_down, rounded_up

DELTA = 1e-7


def row(rate: float, sigma: float, steps: int) -> str:
    """Return one line of the table."""
    both = sampled_top_level(bottom_rate=rate, top_rate=1.0, noise_multiplier=sigma, steps=steps)
    assert both.lower is not None
    fixed, upper = composed_curve(both.lower), composed_curve(both.upper)
    low = with_new_directions(fixed, DELTA).epsilon_at(DELTA)
    began = time.process_time()
    closer = closer_upper(both.upper, DELTA)
    took = time.process_time() - began
    new = None if closer is None else closer.epsilon_at(DELTA).high
    told = [fixed.epsilon_at(DELTA).low, low.low, new, upper.epsilon_at(DELTA).high]
    sides = (rounded_down, rounded_down, rounded_up, rounded_up)
    numbers = " | ".join(
        "none" if one is None else side(one) for side, one in zip(sides, told, strict=True)
    )
    return f"| {rate:.4g} | {sigma:.3g} | {steps:,} | {numbers} | {took:.0f} |"


def drawn(count: int, seed: int = 1) -> Iterator[tuple[float, float, int]]:
    """Yield drawn rates, noise multipliers and steps."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        rate = float(np.exp(rng.uniform(np.log(1e-3), np.log(0.3))))
        sigma = float(np.exp(rng.uniform(np.log(0.7), np.log(6.0))))
        yield rate, sigma, int(np.exp(rng.uniform(np.log(10.0), np.log(1000.0))))


def main(tell: Callable[[str], None] = print) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--only", type=float, nargs=3, help="rate, noise multiplier and steps")
    options = parser.parse_args()
    tell("| q | σ | steps | one direction ≥ | chosen anew ≥ | closer ≤ | mirrored ≤ | CPU s |")
    tell("| --: | --: | --: | --: | --: | --: | --: | --: |")
    settings = [(0.01, 1.0, 1000), (0.002034, 4.0, 12_000), *drawn(options.random)]
    if options.only:
        settings = [(options.only[0], options.only[1], int(options.only[2]))]
    for rate, sigma, steps in settings:
        tell(row(rate, sigma, steps))


if __name__ == "__main__":
    main()
