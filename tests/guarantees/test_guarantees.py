"""What each scheme is promised, by which theorem, and what is refused."""

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
from dpviz.scenario import PRESETS, DataShape, ScenarioError
from tests.scenario.strategies import scenarios

TOY = PRESETS["toy"].scenario
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
    poisson = poisson_sampled(touched=[(4, 0.1)], top_rate=0.1, noise_multiplier=1.0, steps=count)
    assert as_in_the_paper(poisson.lower).kind_after_composition is Kind.LOWER


@pytest.mark.parametrize("count", [2, 1000])
def test_what_the_paper_draws_of_a_tight_bound_is_an_upper_bound(count):
    guarantee = sampled_top_level(bottom_rate=0.1, top_rate=0.1, noise_multiplier=1.0, steps=count)
    drawn = as_in_the_paper(guarantee.lower)
    assert drawn == guarantee.upper
    assert drawn.kind_after_composition is Kind.UPPER
    assert drawn.bounds_from_above


@pytest.mark.parametrize("count", [1, 2, 1000])
def test_the_upper_bound_is_never_composed_by_directions(count):
    """Upper: the mirrored pair. Lower: outputs that a real gradient function attains."""
    for guarantee in (
        sampled_top_level(bottom_rate=0.1, top_rate=0.1, noise_multiplier=1.0, steps=count),
        deterministic_top_level(bottom_rate=0.1, noise_multiplier=1.0, epochs=count),
    ):
        assert guarantee.upper.composition is Composition.MIRRORED
        assert guarantee.upper.kind_after_composition in (Kind.UPPER, Kind.TIGHT)
        assert guarantee.lower.composition is Composition.ATTAINED
        assert guarantee.lower.kind_after_composition in (Kind.LOWER, Kind.TIGHT)


def test_a_substitution_moves_the_sum_by_twice_the_clipping_norm():
    """One record leaves and another one comes: 2C, not C."""
    assert SUBSTITUTION_SHIFT == 2.0
    assert guarantee_for(TOY).upper.pair.shift == 2.0


@settings(max_examples=100, derandomize=True, deadline=None)
@given(scenarios(), st.sampled_from(COVERED_TOP_LEVELS))
def test_rate_unit_and_count_follow_from_the_scenario(scenario, top_level):
    """Thm 4.4: rho r, each step. Thm 4.2: r, each epoch that has begun."""
    scenario = replace(
        scenario,
        sampling=replace(scenario.sampling, top_level=top_level, bottom_level="with-replacement",
                         num_subsequences=1, batch_size=1),
        noise=replace(scenario.noise, context_noise=0.0, forecast_noise=0.0),
        training=replace(scenario.training, unit="steps"),
    )  # fmt: skip
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


@settings(max_examples=50, derandomize=True, deadline=None)
@given(st.floats(1e-9, 1), st.floats(1e-9, 1), st.floats(0.1, 100), st.integers(1, 10**7))
def test_theorem_4_4_depends_on_the_product_of_the_rates(r, rho, sigma, steps):
    """And at rho = 1 its pair is that of Theorem 4.2."""
    one = sampled_top_level(bottom_rate=r, top_rate=rho, noise_multiplier=sigma, steps=steps)
    other = sampled_top_level(bottom_rate=rho, top_rate=r, noise_multiplier=sigma, steps=steps)
    assert one == other
    every = sampled_top_level(bottom_rate=r, top_rate=1.0, noise_multiplier=sigma, steps=steps)
    epoch = deterministic_top_level(bottom_rate=r, noise_multiplier=sigma, epochs=steps)
    assert every.upper.pair == epoch.upper.pair
    assert every.lower.pair == epoch.lower.pair


def sampled(**changes):
    return replace(TOY, sampling=replace(TOY.sampling, **changes))


@pytest.mark.parametrize(
    ("top_level", "bottom_level", "windows", "upper", "lower"),
    [
        ("deterministic", "with-replacement", 1, "4.2", "4.2"),
        ("deterministic", "with-replacement", 4, "E.1", "4.3"),
        ("deterministic", "poisson", 1, "E.8", "E.8"),
        ("deterministic", "poisson", 4, "E.8", "E.8"),
        ("without-replacement", "with-replacement", 1, "4.4", "4.4"),
        ("without-replacement", "with-replacement", 4, "F.1", "F.7"),
        ("without-replacement", "poisson", 1, "F.2", "F.8"),
        ("without-replacement", "poisson", 4, "F.2", "F.8"),
        ("shuffled", "with-replacement", 1, "4.2", None),
        ("shuffled", "with-replacement", 4, "E.1", None),
        ("shuffled", "poisson", 4, "E.8", None),
        ("poisson", "with-replacement", 1, "4.4", None),
        ("poisson", "with-replacement", 4, "F.1", None),
        ("poisson", "poisson", 1, "F.2", "F.8"),
        ("poisson", "poisson", 4, "F.2", "F.8"),
        ("flat", "with-replacement", 1, "C.1", "C.2"),
    ],
)
def test_every_scheme_has_its_theorems(top_level, bottom_level, windows, upper, lower):
    """Upper rows are composed mirrored, lower ones attained, by step or by epoch."""
    scenario = sampled(top_level=top_level, bottom_level=bottom_level, num_subsequences=windows)
    guarantee = guarantee_for(scenario)
    assert guarantee.upper.theorem == upper
    assert (guarantee.lower and guarantee.lower.theorem) == lower
    by_epoch = top_level in ("deterministic", "shuffled")
    bounds = [guarantee.upper, *guarantee.other_uppers]
    assert {bound.composition for bound in bounds} == {Composition.MIRRORED}
    if guarantee.lower is not None:
        assert guarantee.lower.composition is Composition.ATTAINED
        bounds.append(guarantee.lower)
    for one in bounds:
        assert one.unit is (Unit.EPOCH if by_epoch else Unit.STEP)
        assert one.count == (scenario.num_epochs if by_epoch else scenario.num_steps)
    has_alternative = bottom_level == "with-replacement" and windows > 1
    assert len(guarantee.other_uppers) == has_alternative


@pytest.mark.parametrize("bottom_level", ["with-replacement", "poisson"])
@pytest.mark.parametrize("windows", [1, 4])
@pytest.mark.parametrize(("top_level", "like"), [("shuffled", "deterministic"),
                                                 ("poisson", "without-replacement")])  # fmt: skip
def test_other_top_levels_borrow_a_bound_but_not_its_tightness(
    top_level, like, windows, bottom_level
):
    """Shuffled and Poisson series: the same numbers, labelled as dpviz's extension."""
    changes = {"bottom_level": bottom_level, "num_subsequences": windows}
    borrowed = guarantee_for(sampled(top_level=top_level, **changes))
    own = guarantee_for(sampled(top_level=like, **changes))
    assert borrowed.upper.pairs == own.upper.pairs
    for bound in (borrowed.upper, *borrowed.other_uppers):
        assert bound.kind is Kind.UPPER
        assert "extension" in bound.extension
    if borrowed.lower is not None:
        assert borrowed.lower.kind is Kind.LOWER
        assert borrowed.lower.pairs == own.lower.pairs


@pytest.mark.parametrize("field", ["context_noise", "forecast_noise"])
@pytest.mark.parametrize("size", [1e-9, 1.0, 1e6])
@pytest.mark.parametrize("top_level", COVERED_TOP_LEVELS)
def test_noise_on_the_data_amplifies_and_is_not_attained(field, size, top_level):
    """Theorem G.1, for one window per series with replacement."""
    plain = sampled(top_level=top_level)
    noisy = guarantee_for(replace(plain, noise=replace(plain.noise, **{field: size})))
    assert noisy.upper.theorem == "G.1"
    assert noisy.upper.kind is Kind.UPPER
    assert noisy.lower is None
    without = guarantee_for(plain).upper.pair.rate
    assert 0.0 < noisy.upper.pair.rate <= without * (1 + 1e-12)
    if size == 1e6:
        # L_C = L_F = 1: half of the windows that are touched keep no noise at all.
        assert noisy.upper.pair.rate == pytest.approx(without / 2, rel=1e-5)


@pytest.mark.parametrize(
    "changes",
    [{"num_subsequences": 4}, {"bottom_level": "poisson"}, {"top_level": "flat"},
     {"top_level": "deterministic", "bottom_level": "poisson", "num_subsequences": 4}],
)  # fmt: skip
def test_noise_on_the_data_that_no_theorem_covers_is_said_to_be_unused(changes):
    plain = sampled(**changes)
    noisy = guarantee_for(replace(plain, noise=replace(plain.noise, context_noise=1.0)))
    without = guarantee_for(plain)
    assert noisy.lower is None
    for bound, same in zip(
        (noisy.upper, *noisy.other_uppers), (without.upper, *without.other_uppers), strict=True
    ):
        assert bound.pairs == same.pairs
        assert bound.kind is Kind.UPPER
        assert "no amplification by noise" in bound.extension


def test_one_bag_protects_one_window_and_says_what_that_is_not():
    """C.1 is about a record; for an individual there is only C.2's lower bound."""
    scenario = sampled(top_level="flat")
    guarantee = guarantee_for(scenario)
    assert "one window" in guarantee.upper.protects
    assert "not one individual" in guarantee.upper.protects
    assert guarantee.upper.pair.rate == scenario.top_rate
    assert guarantee.lower.protects == ""
    assert guarantee.lower.kind is Kind.LOWER
    shape = replace(TOY.data, series_lengths=(20, 30))
    several = guarantee_for(replace(scenario, data=shape))
    assert several.lower is None
    assert several.upper.pair == guarantee.upper.pair
    # Its rate is rounded up: no model need attain it.
    assert (guarantee.upper.kind, several.upper.kind) == (Kind.TIGHT, Kind.UPPER)


def test_one_bag_protects_who_is_in_one_window_only():
    """One record is one individual then: C.1 is about the individual, and C.2 is C.1 attained."""
    shape = replace(TOY.data, context_length=0)
    guarantee = guarantee_for(replace(sampled(top_level="flat"), data=shape))
    assert guarantee.upper.protects == ""
    pair = guarantee.lower.pair
    assert pair.means == (0.0, 2.0)
    assert pair.weights[1] == guarantee.upper.pair.rate


@pytest.mark.parametrize("changes", [{"width": 2}, {"width": 1, "level": "user"}])
def test_rates_alone_do_not_determine_noise_on_the_data(changes):
    """Without phi, or for wider relations, the noise names itself as what to change."""
    rates = replace(TOY.with_rates(), noise=replace(TOY.noise, forecast_noise=1.0))
    if changes["width"] == 1:
        rates = replace(rates, data=replace(rates.data, forecast_share=None))
    with pytest.raises(ScenarioError) as refused:
        guarantee_for(replace(rates, relation=replace(rates.relation, **changes)))
    assert refused.value.field == "forecast_noise"
    assert refused.value.allowed


def test_the_shortest_series_decides():
    """With replacement every bound grows with k / T, largest for the shortest series."""
    shape = DataShape(
        num_series=320, series_lengths=(20, 30, 500), context_length=1, forecast_length=1
    )
    assert guarantee_for(replace(TOY, data=shape)) == guarantee_for(TOY)


@pytest.mark.parametrize(
    "changes",
    [{"rate": -1e-9}, {"rate": 1.0 + 1e-9}, {"rate": float("nan")}, {"noise_multiplier": 0.0},
     {"noise_multiplier": float("nan")}, {"shift": 0.0}, {"shift": -2.0}],
)  # fmt: skip
def test_impossible_pairs_cannot_be_made(changes):
    with pytest.raises(ValueError, match=next(iter(changes))):
        ShiftedMixturePair(**({"rate": 0.1, "noise_multiplier": 1.0} | changes))
