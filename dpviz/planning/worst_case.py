"""Which data sets and gradients an attack is simulated on, and what each batch then hits."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from dpviz.guarantees import DominatingPair, Unit, covers_noise_on_windows, guarantee_for
from dpviz.planning.attacks import Attack, UnitDraws, attacks_with, is_two_sided, shifts_of
from dpviz.planning.drawn_batches import SENSITIVE_SERIES, drawable_batches, holds
from dpviz.planning.hit_laws import hit_law
from dpviz.planning.one_bag import bag_size
from dpviz.planning.placement import Placement, placement
from dpviz.sampling.draws import bag_draws, draw_starts, series_draws
from dpviz.sampling.scheme import IntArray, Scheme, scheme_for
from dpviz.scenario import Noise, Scenario, ScenarioError, Training
from dpviz.scenario.mechanism import ONE_BAG

# What is drawn at once: some tens of megabytes.
_MOST_WINDOWS = 10**6
# Costs in random numbers, each about 25 ns: of drawing series, or a batch from one bag, and of one
# window that may be drawn twice, or not.
_OF_SERIES, _OF_A_BAG, _OF_A_WINDOW, _OF_A_DISTINCT_ONE = 400.0, 2000.0, 4.0, 40.0
# NumPy looks at all where more than this part of more than so many is drawn.
_LARGE_SHARE, _FEW = 1 / 50, 10_000


def unit_draws(scenario: Scenario, units: int, rng: np.random.Generator) -> UnitDraws:
    """Return what each of some units draws, independent of each other.

    A unit is a step; of walks an epoch, of which only the step counts that uses the series. The
    samplers are those of :mod:`dpviz.sampling`; windows of other series, which cannot hit, are not
    drawn. With noise on one part of the windows a hit is one in the other part.

    Args:
        scenario: its data must be a ``DataShape`` with series of one length.
        units: how many.
        rng: source of all randomness.

    >>> from dpviz.scenario import PRESETS
    >>> int(unit_draws(PRESETS["toy"].scenario, 1000, np.random.default_rng(1)).hits.sum())
    12
    """
    shape = scenario.shape
    assert shape is not None  # worst_case has looked
    placed = placement(shape, scenario.relation)
    scheme = scheme_for(scenario)
    if scheme.top_level == ONE_BAG:
        hits = np.empty(units, dtype=np.int64)
        for at, (series, start) in zip(range(units), bag_draws(scheme, rng), strict=False):
            own = start[series == SENSITIVE_SERIES]
            hits[at] = np.count_nonzero(sees(scenario, placed, own))
        return UnitDraws(hits=hits, step=np.zeros_like(hits))
    positions = int(scheme.start_positions[SENSITIVE_SERIES])
    steps = _steps_of_use(scheme, units, rng)
    used = np.flatnonzero(steps >= 0)
    hits = np.zeros(units, dtype=np.int64)
    at_once = max(1, _MOST_WINDOWS // scheme.num_subsequences)
    for first in range(0, len(used), at_once):
        some = used[first : first + at_once]
        starts = draw_starts(
            scheme.bottom_level, np.full(len(some), positions), scheme.num_subsequences, rng
        )
        hit = sees(scenario, placed, starts.start)
        hits[some] = np.bincount(starts.owner[hit], minlength=len(some))
    return UnitDraws(hits=hits, step=steps)


def sees(scenario: Scenario, placed: Placement, starts: IntArray) -> npt.NDArray[np.bool_]:
    """Return which windows show a protected value in a part that has no noise.

    Args:
        scenario: whose noise on windows counts.
        placed: where the protected values lie.
        starts: start positions from 0, shape (windows,).
    """
    in_context, in_forecast = holds(placed, starts)
    noise = scenario.noise
    seen = in_context if noise.context_noise == 0.0 else np.zeros_like(in_context)
    return np.asarray(seen | in_forecast if noise.forecast_noise == 0.0 else seen)


def unit_cost(scenario: Scenario) -> float:
    """Return about how many random numbers one unit costs.

    Raises:
        ScenarioError: a batch takes too long to draw.
    """
    drawable_batches(scenario)  # refuses
    shape, sampling = scenario.shape, scenario.sampling
    assert shape is not None  # worst_case has looked
    if sampling.is_bag:
        return _OF_A_BAG + _of_choosing(sampling.batch_size, bag_size(shape))
    each = _OF_A_DISTINCT_ONE if sampling.takes_windows_by_coins else _OF_A_WINDOW
    windows = hit_law(scenario).chance_of_use * sampling.num_subsequences * each
    if sampling.is_walk:
        return windows
    if sampling.takes_series_by_coins:
        return _OF_SERIES + shape.num_series + windows
    return _OF_SERIES + _of_choosing(sampling.series_per_batch, shape.num_series) + windows


def _steps_of_use(scheme: Scheme, units: int, rng: np.random.Generator) -> IntArray:
    """Return the step of each unit that uses the series; -1 where none does."""
    if scheme.top_level == "deterministic":
        return np.zeros(units, dtype=np.int64)  # the first series is in the first full batch
    if scheme.top_level == "shuffled":
        # Its place in a new, uniform order; those beyond the last full batch are left out.
        steps = rng.integers(scheme.shape.num_series, size=units) // scheme.series_per_batch
        return np.asarray(np.where(steps < scheme.steps_per_epoch, steps, -1))
    draws = series_draws(scheme, rng)
    drawn = (bool((next(draws) == SENSITIVE_SERIES).any()) for _ in range(units))
    return np.fromiter(drawn, dtype=np.bool_, count=units) - np.int64(1)


def _of_choosing(chosen: int, population: int) -> float:
    is_large = population > _FEW and chosen > _LARGE_SHARE * population
    return float(population if is_large else chosen)


@dataclass(frozen=True, kw_only=True)
class WorstCase:
    """Two neighbouring data sets, and a gradient function that tells them apart.

    Along one direction, in units of the clipping norm C. Where every batch has the same number of
    windows, a window's gradient is +C if it holds a sensitive value and the value is there, and -C
    otherwise (Thms 4.2 to 4.4 and F.7, Prop. C.2): each hit moves the sum by 2 C, from a known
    constant, which is left out. Where that number is random it is 0 for windows that hold none, +C
    for those that do if the value is there, and -C if another one is in its place (Thms E.8, F.8).

    Args:
        scenario: one step of the simulated mechanism: series as long as the shortest one.
        unit: what one noisy gradient is observed of: a step; of walks the one step of an epoch that
            uses the series, since all other outputs are the same on both data sets.
        pair: outputs of the unit along that direction, by theory; of a shuffled walk of the step
            that uses the series, as if its order was known.
        attacks: all by which the lower bound is attained: also with gradients in two directions
            (Proposition 7), and by who does not know the order of a shuffled walk (Proposition 8).
        theorem: the lower bound's.
    """

    scenario: Scenario
    unit: Unit
    pair: DominatingPair
    attacks: tuple[Attack, ...]
    theorem: str

    @property
    def is_two_sided(self) -> bool:
        """Whether a hit moves the sum to opposite sides on the two data sets."""
        return is_two_sided(self.pair)

    @property
    def shifts(self) -> tuple[float, float]:
        """What one hit adds to the sum if the value is there, and if it is not."""
        return shifts_of(self.pair)


def worst_case(scenario: Scenario) -> WorstCase:
    """Return the worst case that is simulated for a scenario.

    Raises:
        ScenarioError: rates are given instead of a shape, or there is noise on windows for which
            no attack is simulated; or no bound covers the scenario.

    >>> from dpviz.scenario import PRESETS
    >>> case = worst_case(PRESETS["toy"].scenario)
    >>> case.theorem, case.unit.value, case.shifts
    ('4.4', 'step', (2.0, 0.0))
    """
    shape, noise, sampling = scenario.shape, scenario.noise, scenario.sampling
    if shape is None:
        raise ScenarioError(
            "bottom_rate", scenario.bottom_rate, "rates draw no batches: give the data's shape"
        )
    if scenario.relation.series_per_person > 1:
        raise ScenarioError(
            "series_per_person",
            scenario.relation.series_per_person,
            "it must be 1 here: attacks are simulated on a person in one series",
        )
    noised = [one for one in ("context_noise", "forecast_noise") if getattr(noise, one) > 0.0]
    if noised and not covers_noise_on_windows(scenario):
        raise ScenarioError(
            noised[0],
            getattr(noise, noised[0]),
            "it must be 0 here: attacks on noised windows are simulated for one window per series, "
            "drawn with replacement",
        )
    if len(noised) > 1:
        raise ScenarioError(
            noised[0],
            getattr(noise, noised[0]),
            "it must be 0 here, or the other one: with noise on all of a window none is simulated",
        )
    # Without what decides nothing about a unit: who differs in that shares results.
    one = Scenario(
        data=replace(shape, series_lengths=shape.series_lengths[:1], longer_series_beyond=None),
        sampling=sampling,
        noise=noise,
        training=Training(unit="steps", count=1),
        relation=replace(scenario.relation, max_change=None, num_channels=1),
    )
    unit = after_units(one, 1)
    named, attained = guarantee_for(unit).lower, unit
    if noised:  # nothing may be seen at all
        clean = Noise(noise_multiplier=noise.noise_multiplier)
        attained = replace(unit if named is None else _where_it_is_seen(unit), noise=clean)
    lower = guarantee_for(attained).lower
    in_order = attained
    if sampling.is_shuffled:
        in_order = replace(attained, sampling=replace(sampling, top_level="deterministic"))
    in_a_unit = guarantee_for(in_order).lower
    assert lower is not None  # series are of one length
    assert in_a_unit is not None
    return WorstCase(
        scenario=one,
        unit=Unit.EPOCH if sampling.is_walk else Unit.STEP,
        pair=in_a_unit.pair,
        attacks=attacks_with(lower.pairs, attained),
        theorem="" if named is None else named.theorem,
    )


def _where_it_is_seen(scenario: Scenario) -> Scenario:
    """Return the scenario by its rates, as a value is seen where the simulation places it."""
    shape = scenario.shape
    assert shape is not None  # worst_case has looked
    starts = np.arange(shape.start_positions)
    seen = sees(scenario, placement(shape, scenario.relation), starts)
    return scenario.with_rates(bottom_rate=float(np.mean(seen)), top_rate=scenario.top_rate)


def after_units(scenario: Scenario, units: int) -> Scenario:
    """Return the scenario after so many steps; of walks, epochs.

    >>> from dpviz.scenario import PRESETS
    >>> after_units(PRESETS["traffic"].scenario, 3).training
    Training(unit='steps', count=3)
    """
    unit = "epochs" if scenario.sampling.is_walk else "steps"
    return replace(scenario, training=Training(unit=unit, count=units))
