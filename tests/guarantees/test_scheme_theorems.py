"""By which theorem each scheme is bounded, for whom, and what is refused."""

from dataclasses import replace

import pytest

from dpviz.guarantees import (
    Composition,
    Kind,
    Unit,
    guarantee_for,
)
from dpviz.scenario import PRESETS, DataShape, ScenarioError

TOY = PRESETS["toy"].scenario


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
@pytest.mark.parametrize("top_level", ["without-replacement", "deterministic"])
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
