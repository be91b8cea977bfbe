"""Which data sets and gradients an attack is simulated on, and what each batch then draws."""

from dataclasses import dataclass, replace

import numpy as np

from dpviz.guarantees import DominatingPair, Unit, guarantee_for
from dpviz.planning.attacks import Attack, Reading, Told, UnitDraws, attacks_on
from dpviz.planning.drawn_batches import drawable_batches, drawn_shape
from dpviz.planning.one_bag import bag_size
from dpviz.sampling.hits import batches_with_first, own_windows
from dpviz.sampling.scheme import IntArray, Scheme, scheme_for
from dpviz.scenario import Scenario, ScenarioError, Training
from dpviz.scenario.mechanism import IN_ORDER

# Costs in random numbers, each about 25 ns: of drawing series, or a batch from one bag, and of one
# window that may be drawn twice, or not.
_OF_SERIES, _OF_A_BAG, _OF_A_WINDOW, _OF_A_DISTINCT_ONE = 400.0, 2000.0, 4.0, 40.0
# NumPy looks at all where more than this part of more than so many is drawn.
_LARGE_SHARE, _FEW = 1 / 50, 10_000


def unit_draws(case: "WorstCase", units: int, rng: np.random.Generator) -> UnitDraws:
    """Return what each of some units draws, independent of each other.

    The samplers are those of :mod:`dpviz.sampling`; windows of other series, of which nothing is
    told, are not drawn.
    """
    scheme = scheme_for(case.scenario)
    step = _steps_of_use(scheme, units, rng)
    used = np.flatnonzero(step >= 0)
    counts = {reading: np.zeros((3, units), dtype=np.int64) for reading in case.readings}
    for some, owner, starts in own_windows(scheme, len(used), rng):
        owners = used[some.start : some.stop][owner]
        for reading, rows in counts.items():
            for row, marked in zip(rows, reading.tell(starts, rng), strict=True):
                row += np.bincount(owners[marked], minlength=units)
    return UnitDraws(told={reading: Told(*rows) for reading, rows in counts.items()}, step=step)


def unit_cost(scenario: Scenario) -> float:
    """Return about how many random numbers one unit costs; ``ScenarioError`` for too many."""
    drawable_batches(scenario)  # refuses
    shape, sampling = scenario.given_shape, scenario.sampling
    if sampling.is_bag:
        return _OF_A_BAG + _of_choosing(sampling.batch_size, bag_size(shape))
    each = _OF_A_DISTINCT_ONE if sampling.takes_windows_by_coins else _OF_A_WINDOW
    if sampling.is_walk:
        return sampling.num_subsequences * each
    windows = scenario.top_rate * sampling.num_subsequences * each
    if sampling.takes_series_by_coins:
        return _OF_SERIES + shape.num_series + windows
    return _OF_SERIES + _of_choosing(sampling.series_per_batch, shape.num_series) + windows


def reading_cost(scenario: Scenario, reading: Reading) -> float:
    """Return about how many random numbers cost as much as to tell of one unit's windows."""
    shape, sampling = scenario.given_shape, scenario.sampling
    if sampling.is_bag:
        return reading.cost(sampling.batch_size * shape.start_positions / bag_size(shape))
    used = 1.0 if sampling.is_walk else scenario.top_rate
    return reading.cost(used * sampling.num_subsequences)


def _steps_of_use(scheme: Scheme, units: int, rng: np.random.Generator) -> IntArray:
    """Return the step of each unit that uses the series; -1 where none does."""
    sampling, steps = scheme.sampling, scheme.scenario.steps_per_epoch
    if sampling.is_bag or sampling.is_walk_in_order:
        return np.zeros(units, dtype=np.int64)  # of a walk the first series is in the first batch
    if sampling.has_bins:
        return rng.integers(steps, size=units)
    if sampling.is_shuffled:
        # Its place in a new, uniform order; those beyond the last full batch are left out.
        places = rng.integers(len(scheme.start_positions), size=units)
        used = places // sampling.series_per_batch
        return np.asarray(np.where(used < steps, used, -1))
    return batches_with_first(scheme, units, rng) - np.int64(1)


def _of_choosing(chosen: int, population: int) -> float:
    is_large = population > _FEW and chosen > _LARGE_SHARE * population
    return float(population if is_large else chosen)


@dataclass(frozen=True, kw_only=True)
class WorstCase:
    """Two neighbouring data sets, and gradient functions that tell them apart.

    In units of the clipping norm C, and up to a known constant: which gradients these are, by which
    theorem, says docs/simulated-attacks.md. With noise on windows "there" may be what a test of the
    noised window says (Propositions 6 and 22).

    Args:
        scenario: one step of the simulated mechanism: series as long as the shortest one.
        unit: what is observed of: a step; of walks the one step of an epoch that uses the series,
            since all other outputs are the same on both data sets; of bins all steps of an epoch.
        in_order: the first attack; on a shuffled walk as if its order was known.
        attacks: all by which the lower bound is attained: also with gradients in two directions
            (Proposition 7), and by who does not know the order of a shuffled walk (Proposition 8).
    """

    scenario: Scenario
    unit: Unit
    in_order: Attack
    attacks: tuple[Attack, ...]
    theorem: str

    @property
    def pair(self) -> DominatingPair:
        """Outputs of the unit under the first attack, by theory."""
        return self.in_order.pair

    @property
    def readings(self) -> tuple[Reading, ...]:
        """By what gradients tell windows apart, each once."""
        return tuple(dict.fromkeys(attack.reading for attack in self.attacks))


def worst_case(scenario: Scenario) -> WorstCase:
    """Return the worst case that is simulated for a scenario.

    Raises:
        ScenarioError: no data shape is given, a person is in several series, no attack is known on
            how series are put into bins, or no bound covers the scenario.
    """
    shape, noise, sampling = drawn_shape(scenario), scenario.noise, scenario.sampling
    if scenario.relation.series_per_person > 1:
        raise ScenarioError(
            "series_per_person",
            scenario.relation.series_per_person,
            "it must be 1 here: attacks are simulated on a person in one series",
        )
    # Without what decides nothing about a unit: who differs in that shares results.
    relation = replace(scenario.relation, max_change=None)
    if not noise.is_on_windows:
        relation = replace(relation, num_channels=1)
    one = Scenario(
        data=replace(shape, series_lengths=shape.series_lengths[:1], longer_series_beyond=None),
        sampling=sampling,
        noise=noise,
        training=Training(unit="steps", count=1),
        relation=relation,
    )
    unit = after_units(one, 1)
    lower = guarantee_for(unit).lower
    if sampling.has_bins and (lower is None or lower.unit is not Unit.EPOCH):
        raise ScenarioError(
            "top_level",
            sampling.top_level,
            "attacks on epochs of bins are simulated with one window per series, drawn with "
            "replacement, where context or labels have no noise, and with at most 10,000 batches",
        )
    assert lower is not None  # series are of one length
    attacks = attacks_on(unit)
    in_order = attacks[0]
    if sampling.is_shuffled:
        in_order = attacks_on(replace(unit, sampling=replace(sampling, top_level=IN_ORDER)))[0]
    return WorstCase(
        scenario=one,
        unit=Unit.EPOCH if sampling.is_walk else Unit.STEP,
        in_order=in_order,
        attacks=attacks,
        theorem=lower.theorem,
    )


def after_units(scenario: Scenario, units: int) -> Scenario:
    """Return the scenario after so many steps; of walks, epochs."""
    unit = "epochs" if scenario.sampling.is_walk else "steps"
    return replace(scenario, training=Training(unit=unit, count=units))
