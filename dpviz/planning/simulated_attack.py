"""The best attack on the worst case, run many times by drawing, beside what is proven."""

from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.accounting.new_directions import conjecture
from dpviz.guarantees import Composition, guarantee_for
from dpviz.planning.curves import EPSILON_GRID, ScenarioCurves
from dpviz.planning.worst_case import WorstCase, reading_cost, unit_cost, unit_draws
from dpviz.risk.empirical_delta import Counts, CoupledCounts, DeltaRange
from dpviz.scenario import Scenario, ScenarioError

# Random numbers of one part, and of all parts together: about 0.3 s and 6 s.
_OF_A_PART, _OF_ALL = 12e6, 240e6
# The first part is there at once.
_FIRST_RUNS = 1000
# With fewer next to nothing is seen.
_FEWEST_RUNS = 300
# The probability that any range of a band is wrong.
ERROR = 0.05
# A delta that simulations still show.
_CONJECTURED_AT = 1e-4


# Ten epsilons a decade from 0.001 to 100, and 1, 2 and 5 times powers of ten.
_WANTED = [10.0 ** (at / 10) for at in range(-30, 21)]
_WANTED += [digit * 10.0**power for power in range(-3, 2) for digit in (2, 5)]
_NEAREST = {int(np.argmin(np.abs(EPSILON_GRID - epsilon))) for epsilon in _WANTED}
# Fixed before anything is drawn, as the limits ask for.
TESTED_EPSILONS = EPSILON_GRID[[0, *sorted(_NEAREST)]]


def simulated_attack(
    case: WorstCase, units: int, runs: int, seed: int, part: int = 0
) -> CoupledCounts:
    """Attack both data sets in each of some runs, and count; shape (claims, epsilons).

    Each attack has two claims: that the value is there where the privacy loss is above epsilon, and
    that it is not where the loss is below -epsilon. In a run both data sets have the same batches
    and noise, on windows too, and so have all attacks: why that is right says
    docs/simulated-attacks.md.

    Args:
        units: noisy gradients that the attacker sees in a run.
        seed: the same seed gives the same runs of each part.
    """
    rng = np.random.default_rng([seed, part])
    draws = unit_draws(case, runs * units, rng)
    noise = rng.normal(size=(max(attack.axes for attack in case.attacks), runs * units))
    windows = case.scenario.sampling.num_subsequences
    claims, is_ordered = [], []
    for attack in case.attacks:
        losses = attack.losses(draws, windows, noise)
        there, not_there = losses.reshape(2, runs, units).sum(axis=2)
        if attack.is_ordered:  # but for rounding errors
            there = np.maximum(there, not_there)
        claims += [_counted(there, not_there), _counted(-not_there, -there)]
        is_ordered += 2 * [[attack.is_ordered]]
    right_only, wrong_only, wrong = (np.stack(counts) for counts in zip(*claims, strict=True))
    return CoupledCounts(
        runs=runs,
        right_only=right_only,
        wrong_only=wrong_only,
        wrong=wrong,
        is_ordered=np.array(is_ordered),
    )


def summed(counts: list[CoupledCounts]) -> CoupledCounts:
    """Return the counts of all parts."""
    return reduce(add, counts)


def band_of(counts: CoupledCounts) -> DeltaRange:
    """Return delta of the best claim at each tested epsilon, shape (epsilons,).

    All ranges hold together but with the probability ``ERROR``.
    """
    of_claims = counts.delta(TESTED_EPSILONS, ERROR)
    estimate, low, high = (
        one.max(axis=0) for one in (of_claims.estimate, of_claims.low, of_claims.high)
    )
    return DeltaRange(estimate=estimate, low=low, high=high)


def part_sizes(case: WorstCase, units: int, runs: int) -> list[int]:
    """Return the runs of each part, the first ones small; fewer in all where they cost too much.

    Raises ``ScenarioError`` where so few can be drawn that nothing would be seen.
    """
    of_windows = sum(reading_cost(case.scenario, reading) for reading in case.readings)
    of_attacks = sum(attack.cost for attack in case.attacks)
    cost = units * (unit_cost(case.scenario) + of_windows + of_attacks)
    affordable = int(_OF_ALL / cost)
    if affordable < _FEWEST_RUNS:
        name, value = _what_is_large(case.scenario, is_noise=of_windows > cost / units / 2.0)
        raise ScenarioError(
            name,
            value,
            f"it must be smaller, or runs shorter, to simulate {_FEWEST_RUNS:,} of them here",
        )
    left, largest, sizes = min(runs, affordable), int(_OF_A_PART / cost), list[int]()
    while left:
        wanted = max(_FIRST_RUNS, sum(sizes))
        sizes.append(min(wanted, largest, left))
        left -= sizes[-1]
    return sizes


def _counted(right: FloatArray, other: FloatArray) -> tuple[Counts, Counts, Counts]:
    """Return how often only the first loss is above each epsilon, only the second, the second."""
    right_only, wrong_only = (
        _above(high[high > low]) - _above(low[high > low])
        for high, low in ((right, other), (other, right))
    )
    return right_only, wrong_only, _above(other)


def _above(losses: FloatArray) -> Counts:
    return len(losses) - np.searchsorted(np.sort(losses), TESTED_EPSILONS, side="right")


def _what_is_large(scenario: Scenario, *, is_noise: bool) -> tuple[str, int]:
    shape = scenario.given_shape
    if is_noise:  # on each value of the windows
        large = {
            "context_length": shape.context_length,
            "forecast_length": shape.forecast_length,
            "num_channels": scenario.relation.num_channels,
        }
        return max(large.items(), key=lambda item: item[1])
    if scenario.sampling.takes_series_by_coins:  # a coin for each series
        return "num_series", shape.num_series
    return "batch_size", scenario.sampling.batch_size


@dataclass(frozen=True, kw_only=True, eq=False)
class TheoryCheck:
    """Counted attacks beside the bounds, all arrays at ``TESTED_EPSILONS``, shape (epsilons,).

    Args:
        curves: what is proven after as many steps or epochs.
        band: delta of the simulated attack, all ranges together with 95 % confidence.
        conjecture: see :func:`conjectured`, at ``EPSILON_GRID``; no bound, and nothing rests on it.
    """

    case: WorstCase
    curves: ScenarioCurves
    runs: int
    band: DeltaRange
    conjecture: FloatArray | None = None

    @property
    def upper(self) -> FloatArray:
        """The upper bound, on its sound side."""
        return self.curves.upper.delta_at(TESTED_EPSILONS).high

    @property
    def lower(self) -> FloatArray | None:
        """The lower bound, on its sound side; ``None`` where none is proven."""
        lower = self.curves.lower
        return None if lower is None else lower.delta_at(TESTED_EPSILONS).low

    @property
    def attains_lower(self) -> bool:
        """Whether the simulated attack tells at least what the lower bound claims.

        Of series of several lengths another one than the simulated may tell more, and after several
        steps an attack that chooses its direction anew (Proposition 9).
        """
        lower, shape = self.curves.lower, self.curves.scenario.shape
        if lower is None or shape is None or lower.of_curve.composition is Composition.ADAPTIVE:
            return False
        scenario = self.case.scenario
        may_be_another = (
            scenario.sampling.is_bag or scenario.noise.is_on_windows or lower.of_curve.other_pairs
        )
        return len(shape.series_lengths) == 1 or not may_be_another

    @property
    def above_upper(self) -> FloatArray:
        """The epsilons at which even the lower limit of what was seen is above the upper bound."""
        return TESTED_EPSILONS[self.band.low > self.upper]

    @property
    def below_lower(self) -> FloatArray:
        """The epsilons at which even the upper limit is below the lower bound that it attains."""
        lower = self.lower
        if lower is None or not self.attains_lower:
            return TESTED_EPSILONS[:0]
        return TESTED_EPSILONS[self.band.high < lower]

    @property
    def holds(self) -> bool:
        """Whether nothing that was seen contradicts a bound."""
        return len(self.above_upper) == len(self.below_lower) == 0


def theory_check(
    case: WorstCase,
    curves: ScenarioCurves,
    counts: CoupledCounts,
    conjecture: FloatArray | None = None,
) -> TheoryCheck:
    """Return the counted attacks beside the bounds, and the conjecture on the same scenario.

    The curves are of :func:`dpviz.planning.worst_case.after_units` as many units as a run has.
    """
    if conjecture is not None:  # below what is resolved it was rounded up
        conjecture = np.minimum(conjecture, curves.upper.delta_at(EPSILON_GRID).high)
    return TheoryCheck(
        case=case,
        curves=curves,
        runs=counts.runs,
        band=band_of(counts),
        conjecture=conjecture,
    )


def conjectured(scenario: Scenario) -> FloatArray | None:
    """Return delta as it is conjectured to be, at ``EPSILON_GRID``; ``None`` where it is not.

    No bound: see :func:`dpviz.accounting.new_directions.conjecture`.
    """
    attained = guarantee_for(scenario).lower
    profile = None if attained is None else conjecture(attained, _CONJECTURED_AT)
    return None if profile is None else profile.delta_at(EPSILON_GRID)


def nearest_place(epsilon: float) -> int:
    """Return the place of the tested epsilon that is nearest on a logarithmic axis."""
    distances = np.abs(np.log(TESTED_EPSILONS[1:] / epsilon))
    return 1 + int(np.argmin(distances))
