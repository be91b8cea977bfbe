"""Simulated attacks for the tests: small data, quickly drawn."""

import numpy as np

from dpviz.planning.curves import curves_of
from dpviz.planning.simulated_attack import (
    TheoryCheck,
    part_sizes,
    simulated_attack,
    summed,
    theory_check,
)
from dpviz.planning.worst_case import WorstCase, after_units, unit_draws, worst_case
from dpviz.risk.empirical_delta import CoupledCounts
from dpviz.sampling.scheme import IntArray
from dpviz.scenario import Scenario
from tests.scenario.changes import TOY, varied

SEED = 20_261
# Few series, of which a large part of the windows is touched: much is to be seen.
SMALL = varied(TOY, num_series=40, context_length=4, forecast_length=2, batch_size=16)
SCHEMES = [
    {"top_level": top, "bottom_level": bottom, "num_subsequences": windows}
    for top in ("without-replacement", "deterministic", "shuffled", "poisson")
    for bottom in ("with-replacement", "poisson")
    for windows in (1, 4)
] + [{"top_level": "flat"}, {"top_level": "flat", "bottom_level": "poisson"}]


def scheme_name(scheme: dict[str, object]) -> str:
    """Return a name for a test's parameters."""
    return " ".join(map(str, scheme.values()))


def with_scheme(scheme: dict[str, object], **relation: object) -> Scenario:
    """Return the small data set, sampled so."""
    return varied(SMALL, **scheme, **relation)


def with_sigma(scenario: Scenario, sigma: float) -> Scenario:
    """Return the scenario with other noise."""
    return varied(scenario, noise_multiplier=sigma)


def hits_of(scenario: Scenario, units: int) -> IntArray:
    """Return the number of windows of each unit that show a value without noise."""
    case = worst_case(scenario)
    draws = unit_draws(case, units, np.random.default_rng(SEED))
    return draws.told[case.in_order.reading].there


def counts_of(what: Scenario | WorstCase, units: int, runs: int, seed: int = SEED) -> CoupledCounts:
    case = worst_case(what) if isinstance(what, Scenario) else what
    sizes = part_sizes(case, units, runs)
    return summed([simulated_attack(case, units, size, seed, at) for at, size in enumerate(sizes)])


def check_of(
    scenario: Scenario, units: int = 1, runs: int = 4000, *, bounds: Scenario | None = None
) -> TheoryCheck:
    """Return simulated runs of one scenario beside the bounds on it, or on another one."""
    curves = curves_of(after_units(scenario if bounds is None else bounds, units))
    return theory_check(worst_case(scenario), curves, counts_of(scenario, units, runs))
