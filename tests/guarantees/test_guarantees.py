"""What is promised of one unit and of many: kinds of bounds, rates and counts."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.guarantees import (
    SUBSTITUTION_SHIFT,
    Bound,
    Composition,
    Kind,
    ShiftedMixturePair,
    Unit,
    as_in_the_paper,
    deterministic_top_level,
    guarantee_for,
    sampled_top_level,
)
from dpviz.guarantees.poisson import poisson_sampled
from tests.scenario.changes import TOY, varied
from tests.scenario.strategies import scenarios

COVERED_TOP_LEVELS = ("without-replacement", "deterministic")


def bound(kind, composition, count):
    return Bound(
        theorem="4.4",
        kind=kind,
        unit=Unit.STEP,
        count=count,
        pair=ShiftedMixturePair(rate=0.1, noise_multiplier=1.0),
        composition=composition,
    )


@pytest.mark.parametrize(
    ("kind", "composition", "count", "after"),
    [
        (Kind.TIGHT, Composition.MIRRORED, 1, Kind.TIGHT),
        (Kind.TIGHT, Composition.ATTAINED, 1, Kind.TIGHT),
        (Kind.TIGHT, Composition.MIRRORED, 2, Kind.UPPER),
        (Kind.TIGHT, Composition.ATTAINED, 2, Kind.LOWER),
        (Kind.UPPER, Composition.MIRRORED, 2, Kind.UPPER),
        (Kind.LOWER, Composition.ATTAINED, 2, Kind.LOWER),
        (Kind.LOWER, Composition.MIRRORED, 1, Kind.LOWER),
        (Kind.LOWER, Composition.MIRRORED, 2, Kind.UNPROVEN),
    ],
)
def test_tight_for_one_unit_becomes_one_sided_after_several(kind, composition, count, after):
    """Only what dominates at every order may be called an upper bound after composition."""
    assert bound(kind, composition, count).kind_after_composition is after


@pytest.mark.parametrize("count", [1, 2, 1000])
def test_what_the_paper_draws_of_a_lower_bound_is_a_bound_for_one_unit_only(count):
    """4.3 and F.7; Poisson windows' F.8 is its own mirror image and stays a lower bound."""
    of_epochs = deterministic_top_level(
        bottom_rate=0.1, noise_multiplier=1.0, epochs=count, subsequences=4
    )
    of_steps = sampled_top_level(
        bottom_rate=0.1, top_rate=0.1, noise_multiplier=1.0, steps=count, subsequences=4
    )
    for guarantee in (of_epochs, of_steps):
        drawn = as_in_the_paper(guarantee.lower)
        assert drawn.composition is Composition.MIRRORED
        assert drawn.kind_after_composition is (Kind.LOWER if count == 1 else Kind.UNPROVEN)
        assert not drawn.bounds_from_above
    poisson = poisson_sampled(
        touched=[(4, 40, 0.1)], top_rate=0.1, noise_multiplier=1.0, steps=count
    )
    assert as_in_the_paper(poisson.lower).kind_after_composition is Kind.LOWER


@pytest.mark.parametrize("count", [2, 1000])
def test_what_the_paper_draws_of_a_tight_bound_is_an_upper_bound(count):
    guarantee = sampled_top_level(bottom_rate=0.1, top_rate=0.1, noise_multiplier=1.0, steps=count)
    drawn = as_in_the_paper(guarantee.lower)
    assert drawn == guarantee.upper
    assert drawn.kind_after_composition is Kind.UPPER
    assert drawn.bounds_from_above


def test_a_substitution_moves_the_sum_by_twice_the_clipping_norm():
    """One record leaves and another one comes: 2C, not C."""
    assert SUBSTITUTION_SHIFT == 2.0
    assert guarantee_for(TOY).upper.pair.shift == 2.0


@settings(max_examples=100, derandomize=True, deadline=None)
@given(scenarios(), st.sampled_from(COVERED_TOP_LEVELS))
def test_rate_unit_and_count_follow_from_the_scenario(scenario, top_level):
    """Thm 4.4: rho r, each step. Thm 4.2: r, each epoch that has begun."""
    scenario = varied(
        scenario,
        top_level=top_level,
        bottom_level="with-replacement",
        num_subsequences=1,
        batch_size=1,
        context_noise=0.0,
        forecast_noise=0.0,
        training=replace(scenario.training, unit="steps"),
    )
    upper = guarantee_for(scenario).upper
    assert upper.pair.noise_multiplier == scenario.noise.noise_multiplier
    if top_level == "deterministic":
        assert (upper.theorem, upper.unit) == ("4.2", Unit.EPOCH)
        assert upper.pair.rate == scenario.bottom_rate
        # No series comes twice in 1 / rho steps, whatever the rates say of an epoch.
        per_epoch = min(scenario.steps_per_epoch, int(1 / scenario.top_rate * (1 + 1e-12)))
        assert (upper.count - 1) * per_epoch < scenario.num_steps <= upper.count * per_epoch
    else:
        assert (upper.theorem, upper.unit) == ("4.4", Unit.STEP)
        assert upper.pair.rate == scenario.top_rate * scenario.bottom_rate
        assert upper.count == scenario.num_steps


@pytest.mark.parametrize(
    "changes",
    [
        {"top_level": "flat", "bottom_level": "poisson", "series_lengths": (20, 30)},
        {"series_per_person": 2, "series_lengths": (20, 30), "steps": 1},
        {"top_level": "bins", "steps": 1},
    ],
)
def test_only_a_lower_bound_that_meets_the_upper_one_is_called_exact(changes):
    """These are attained by an individual in the longest or one series, or in one step."""
    guarantee = guarantee_for(varied(TOY, **changes))
    assert guarantee.upper.kind_after_composition is Kind.UPPER
    assert guarantee.lower.kind_after_composition is Kind.LOWER


@settings(max_examples=50, derandomize=True, deadline=None)
@given(st.floats(1e-9, 1), st.floats(1e-9, 1), st.floats(0.1, 100), st.integers(1, 10**7))
def test_theorem_4_4_depends_on_the_product_of_the_rates(r, rho, sigma, steps):
    """And at rho = 1 its pair is that of Theorem 4.2."""
    one = sampled_top_level(bottom_rate=r, top_rate=rho, noise_multiplier=sigma, steps=steps)
    other = sampled_top_level(bottom_rate=rho, top_rate=r, noise_multiplier=sigma, steps=steps)
    assert one == other
    every = sampled_top_level(bottom_rate=r, top_rate=1.0, noise_multiplier=sigma, steps=steps)
    epoch = deterministic_top_level(bottom_rate=r, noise_multiplier=sigma, epochs=steps)
    assert (every.upper.pair, every.upper.count) == (epoch.upper.pair, epoch.upper.count)
    assert every.lower.pair == epoch.lower.pair


@pytest.mark.parametrize(
    "changes",
    [{"rate": -1e-9}, {"rate": 1.0 + 1e-9}, {"rate": float("nan")}, {"noise_multiplier": 0.0},
     {"noise_multiplier": float("nan")}, {"shift": 0.0}, {"shift": -2.0}],
)  # fmt: skip
def test_impossible_pairs_cannot_be_made(changes):
    with pytest.raises(ValueError, match=next(iter(changes))):
        ShiftedMixturePair(**({"rate": 0.1, "noise_multiplier": 1.0} | changes))
