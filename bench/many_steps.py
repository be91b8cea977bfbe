"""Epsilon of many steps from both sides: the tables of docs/many-steps.md, which has the proofs.

    python -m bench.many_steps                             # the toy and the traffic set-up
    python -m bench.many_steps --random 50 --kept FILE     # and so many drawn ones
    python -m bench.many_steps --parts                     # several and Poisson windows

One window per series has, from below, one direction (Theorem 4.4) and directions chosen anew
(Proposition 9), and from above Proposition 23 and the mirrored pair. Lines are printed as they are
measured; what FILE has is not measured again, so a run that was ended goes on.
"""

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median

import numpy as np

from bench import tighter
from dpviz.accounting import account_for, composed_curve
from dpviz.accounting.closer_upper import closer_upper
from dpviz.accounting.curve import Curve
from dpviz.accounting.new_directions import with_new_directions
from dpviz.guarantees import (
    Bound,
    Composition,
    DominatingPair,
    Kind,
    PlanarPair,
    guarantee_for,
    sampled_top_level,
)
from dpviz.scenario import PRESETS, Scenario
from dpviz.wording.numbers import rounded, rounded_down, rounded_up

DELTA = 1e-7
NAMED = ((0.01, 1.0, 1000), (0.002034, 4.0, 12_000))
_DIGITS = 5
Ends = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Measured:
    """Epsilon of one set-up at ``DELTA``, by each bound, with brackets.

    Args:
        rate: q, of a step.
        sigma: the noise multiplier.
        steps: k.
        fixed: one direction, from below.
        anew: directions chosen anew, from below; the upper end is that of both attacks.
        mirrored: the mirrored pair, from above.
        closer: Proposition 23; ``None`` where it is not smaller.
        seconds: of a processor, for Proposition 23.
    """

    rate: float
    sigma: float
    steps: int
    fixed: Ends
    anew: Ends
    mirrored: Ends
    closer: float | None
    seconds: float

    @property
    def closed(self) -> float:
        """Which part of the band between what is proven otherwise Proposition 23 closes."""
        low, high = self.anew[0], self.mirrored[1]
        return 0.0 if self.closer is None else (high - self.closer) / (high - low)

    @property
    def is_contradictory(self) -> bool:
        """Whether bounds are not in the order in which they have to be."""
        high = self.mirrored[1] if self.closer is None else self.closer
        return not self.fixed[0] <= self.anew[0] <= high <= self.mirrored[1]

    def line(self) -> str:
        """Return one line of the table; brackets are rounded outwards."""
        closer = "none" if self.closer is None else rounded_up(self.closer, _DIGITS)
        numbers = [_between(self.fixed), _between(self.anew), closer, _between(self.mirrored)]
        set_up = f"| {self.rate:.4g} | {self.sigma:.3g} | {self.steps:,} | "
        return (
            set_up + " | ".join(numbers) + f" | {int(100 * self.closed)} % | {self.seconds:.0f} |"
        )


HEAD = (
    "| q | σ | steps | one direction ≥ | chosen anew ≥ | closer ≤ | mirrored ≤ | closed | CPU s |\n"
    "| --: | --: | --: | --: | --: | --: | --: | --: | --: |"
)


def _between(ends: Ends) -> str:
    return f"{rounded_down(ends[0], _DIGITS)} to {rounded_up(ends[1], _DIGITS)}"


def _ends(curve: Curve) -> Ends:
    bracket = curve.epsilon_at(DELTA)
    assert bracket.low is not None
    assert bracket.high is not None
    return bracket.low, bracket.high


def measured(rate: float, sigma: float, steps: int) -> Measured:
    """Measure one set-up: seconds to a minute."""
    both = sampled_top_level(bottom_rate=rate, top_rate=1.0, noise_multiplier=sigma, steps=steps)
    assert both.lower is not None
    fixed = composed_curve(both.lower)
    began = time.process_time()
    closer = closer_upper(both.upper, DELTA)
    return Measured(
        rate=rate,
        sigma=sigma,
        steps=steps,
        closer=None if closer is None else closer.quoted_epsilon_at(DELTA),
        seconds=time.process_time() - began,
        fixed=_ends(fixed),
        anew=_ends(with_new_directions(fixed, DELTA)),
        mirrored=_ends(composed_curve(both.upper)),
    )


def drawn(count: int, seed: int = 1) -> Iterator[tuple[float, float, int]]:
    """Yield drawn rates, noise multipliers and steps."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        rate = float(np.exp(rng.uniform(np.log(1e-3), np.log(0.3))))
        sigma = float(np.exp(rng.uniform(np.log(0.7), np.log(6.0))))
        yield rate, sigma, int(np.exp(rng.uniform(np.log(10.0), np.log(1000.0))))


def read(kept: Path) -> list[Measured]:
    """Return what a file has."""
    lines = kept.read_text(encoding="utf-8").splitlines()
    return [Measured(**json.loads(line)) for line in lines]


def table(random: int, kept: Path | None) -> None:
    """Print a line for each set-up, and what share of the band is closed in the drawn ones.

    Raises:
        SystemExit: a lower bound is above an upper one.
    """
    known: dict[tuple[float, float, int], Measured] = {}
    if kept is not None and kept.exists():
        known = {(one.rate, one.sigma, one.steps): one for one in read(kept)}
    print(HEAD)
    found = []
    for set_up in (*NAMED, *drawn(random)):
        one = known.get(set_up) or measured(*set_up)
        print(one.line(), flush=True)
        if one.is_contradictory:
            raise SystemExit("bounds contradict each other")
        if kept is not None and set_up not in known:
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(one)) + "\n")
        found.append(one)
    if random:
        print(summary(found[len(NAMED) :]))
        print(f"{sum(one.seconds for one in found):.0f} s of a processor")


def summary(found: Sequence[Measured]) -> str:
    """Return which part of the band is closed, rounded down."""
    shares = sorted(one.closed for one in found)
    told = [f"{int(100 * share)} %" for share in (median(shares), shares[0], shares[-1])]
    return f"median {told[0]}, least {told[1]}, most {told[2]}"


def parts_table() -> None:
    """Print which part of the band is one unit's, where several windows touch or coins draw.

    Mirrored, what is attained in one unit composes without the gap between theorems and attacks of
    one unit. It is no bound. What it is below the upper bound is the unit's part of the band, what
    it is above the attack is composition's.
    """
    toy = PRESETS["toy"].scenario
    poisson = replace(toy, sampling=replace(toy.sampling, bottom_level="poisson"))
    settings = {"Poisson windows, drawn, toy": poisson}
    settings |= {name: scenario for name, (scenario, *_) in tighter.SETTINGS.items()}
    print("| setting | attained | attained in one unit, mirrored | upper | band | the unit's |")
    print("| --- | --: | --: | --: | --: | --: |")
    for name, scenario in settings.items():
        attacks = guarantee_for(scenario).lower
        assert attacks is not None
        is_planar = any(isinstance(pair, PlanarPair) for pair in attacks.pairs)
        is_bag = scenario.sampling.top_level == "flat"
        if not (is_bag or is_planar or scenario.noise.forecast_noise):
            print(_parts_line(name, scenario), flush=True)


def _parts_line(name: str, scenario: Scenario) -> str:
    account, guarantee = account_for(scenario), guarantee_for(scenario)
    assert account.lower is not None
    assert guarantee.lower is not None
    low, high = _ends(account.lower)[0], _ends(account.upper)[1]
    middle = high  # where some gradients attain each order of the upper bound
    if guarantee.upper.kind is not Kind.TIGHT:
        middle = max(_mirrored(guarantee.lower, pair) for pair in guarantee.lower.pairs)
    return (
        f"| {name} | ≥ {rounded_down(low)} | {rounded(middle, 4)} | ≤ {rounded_up(high)} "
        f"| {high / low - 1:.1%} | {(high - middle) / (high - low):.0%} |"
    )


def _mirrored(bound: Bound, pair: DominatingPair) -> float:
    """Return about the epsilon of a pair's mirror image."""
    mirrored = replace(bound, pair=pair, other_pairs=(), composition=Composition.MIRRORED)
    return _ends(composed_curve(mirrored))[0]


def main() -> None:
    """Print the tables that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--kept", type=Path)
    parser.add_argument("--parts", action="store_true")
    options = parser.parse_args()
    if options.parts:
        parts_table()
    else:
        table(options.random, options.kept)


if __name__ == "__main__":
    main()
