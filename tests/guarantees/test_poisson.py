"""Poisson windows: every length that may be the worst has its pair, and how many came is secret."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom, hypergeom

from dpviz.accounting import best_upper, composed_curve
from dpviz.guarantees import guarantee_for
from dpviz.scenario import DataShape, Noise, Relation, Sampling, Scenario, Training
from tests.accounting.exact_mixtures import Exact

LENGTHS = (5, 6, 8, 12)
EPSILONS = np.array([0.05, 0.5, 2.0, 6.0])
WALK, DRAWN, COINS = "deterministic", "without-replacement", "poisson"


def scenario_of(lengths, top_level):
    return Scenario(
        data=DataShape(num_series=20, series_lengths=lengths, context_length=2, forecast_length=2),
        sampling=Sampling(batch_size=2, top_level=top_level, bottom_level="poisson"),
        noise=Noise(noise_multiplier=0.8),
        training=Training(unit="epochs" if top_level == WALK else "steps", count=1),
        relation=Relation(width=10),  # no length is without a window that the individual touches
    )


def pairs(bound):
    return [bound.pair, *bound.other_pairs]


@pytest.mark.parametrize("top_level", [WALK, DRAWN, COINS])
@pytest.mark.parametrize("side", ["upper", "lower"])
def test_each_length_has_its_own_pair_in_both_bounds(top_level, side):
    """None is dropped, and none is added."""
    bound = getattr(guarantee_for(scenario_of(LENGTHS, top_level)), side)
    # Of one length drawn series have a smaller upper bound, of another theorem.
    several = [scenario_of((length, length + 1), top_level) for length in LENGTHS]
    own = [getattr(guarantee_for(one), side).pair for one in several]
    assert pairs(bound) == own


@pytest.mark.parametrize("top_level", [WALK, DRAWN, COINS])
def test_bounds_are_of_the_worst_length_at_each_epsilon(top_level):
    """At small epsilon it is another length than at a large one, so that all are needed."""
    guarantee = guarantee_for(scenario_of(LENGTHS, top_level))
    for bound in (guarantee.upper, guarantee.lower):
        together = composed_curve(bound).delta_at(EPSILONS)
        apart = [
            composed_curve(replace(bound, pair=pair, other_pairs=())).delta_at(EPSILONS)
            for pair in pairs(bound)
        ]
        assert np.all(together.high >= np.max([one.low for one in apart], axis=0))
        assert np.all(together.low <= np.max([one.high for one in apart], axis=0))
        assert len(set(np.argmax([one.high for one in apart], axis=0))) > 1


SIGMA, WINDOWS = 4.0, 3
SCENARIO = Scenario(
    data=DataShape(num_series=8, series_lengths=(20,), context_length=4, forecast_length=2),
    sampling=Sampling(
        batch_size=12, num_subsequences=WINDOWS, top_level="deterministic", bottom_level="poisson"
    ),
    noise=Noise(noise_multiplier=SIGMA),
    training=Training(unit="epochs", count=1),
)


def delta_of(law: np.ndarray, epsilon: float) -> float:
    """Return delta of sum_i w_i N(i) against its reflection."""
    first, second = ({sign * i: w for i, w in enumerate(law.tolist())} for sign in (1, -1))
    return float(Exact(first=first, second=second, sigma=SIGMA).delta(epsilon))


def test_who_knows_how_many_windows_came_up_can_tell_more_than_the_bound_allows():
    """Given m of T windows, those of the individual are hypergeometric: a worse mixture."""
    k, positions = SCENARIO.touched_windows, SCENARIO.data.start_positions
    p, hits, epsilon = WINDOWS / positions, np.arange(k + 1), 1.0
    claimed = best_upper(SCENARIO).delta_at(np.array([epsilon]))
    assert delta_of(binom.pmf(hits, k, p), epsilon) == pytest.approx(claimed.high[0], rel=1e-2)
    known = sum(
        binom.pmf(m, positions, p) * delta_of(hypergeom.pmf(hits, positions, k, m), epsilon)
        for m in range(1, positions + 1)  # none tell nothing
    )
    assert known > 4.0 * claimed.high[0]
