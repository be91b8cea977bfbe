"""Every theorem that a number can rest on is explained, and as what it is used."""

import re
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dpviz.accounting import attained_curve
from dpviz.accounting.closer_upper import closer_bound
from dpviz.guarantees import (
    Bound,
    Guarantee,
    Kind,
    guarantee_for,
    in_one_direction,
    one_batch_an_epoch,
)
from dpviz.guarantees.noised_rates import PLACEMENT
from dpviz.scenario import DataShape, Noise, Relation, Sampling, Scenario, ScenarioError, Training
from dpviz.scenario.mechanism import TOP_LEVELS
from dpviz.wording.theorems import SECTIONS, THEOREM_ANCHORS, section_anchor, theorem_link
from tests.scenario.changes import varied
from tests.scenario.strategies import RATES_ONLY, scenarios

TEXTS = Path(__file__).parents[2] / "dpviz" / "ui" / "texts" / "theorems"
ANCHORS = [section_anchor(section) for sections in SECTIONS.values() for section in sections]
PAIR = "**Pair:**"
PARTS = (PAIR, "**Composed", "**Not for**", "**In print:**")  # none that says nothing new
MOST_WORDS = 105


def text_of(anchor: str) -> str:
    return (TEXTS / f"{anchor}.md").read_text(encoding="utf-8")


def bounds_of(guarantee: Guarantee) -> list[Bound]:
    return [bound for bound in (guarantee.upper, guarantee.lower) if bound is not None]


@cache
def attained(bound: Bound) -> tuple[Bound, ...]:
    """Return what a bound from below becomes after all its units."""
    if bound.kind is Kind.UPPER:
        return ()
    return attained_curve(bound, 1e-7, tolerance=1e-2).bounds


PLAIN = Scenario(
    data=DataShape(num_series=100, series_lengths=(1000,), context_length=10, forecast_length=5),
    sampling=Sampling(batch_size=20),
    noise=Noise(noise_multiplier=1.0),
    training=Training(unit="epochs", count=3),
    relation=Relation(max_change=1.0),
)


def scenario_of(top_level: str, **values: object) -> Scenario:
    return varied(PLAIN, top_level=top_level, **values)


def every_scheme() -> list[Scenario]:
    two_levels = [name for name in TOP_LEVELS if name != "flat"]
    kinds = product(two_levels, ("with-replacement", "poisson"), (1, 4), (0.0, 1.0))
    return [
        scenario_of(top, bottom_level=bottom, num_subsequences=windows, forecast_noise=noise)
        for top, bottom, windows, noise in kinds
    ] + [
        *(scenario_of("flat", forecast_noise=noise) for noise in (0.0, 1.0)),
        # Who is in one window of the bag only.
        scenario_of("flat", context_length=0, forecast_length=1),
        scenario_of("poisson", bottom_level="poisson", series_lengths=(1000, 1200)),
        *(scenario_of(top, series_per_person=3) for top in two_levels),
    ]


@given(st.one_of(scenarios(), RATES_ONLY))
def test_every_theorem_behind_a_scenario_is_explained(scenario):
    try:
        guarantee = guarantee_for(scenario)
    except ScenarioError:
        assume(False)
    for bound in bounds_of(guarantee):
        assert text_of(THEOREM_ANCHORS[bound.theorem])


def test_a_number_rests_on_every_section():
    bounds = [b for scenario in every_scheme() for b in bounds_of(guarantee_for(scenario))]
    # Where Proposition 7 has no larger value its case F.7 is named.
    used = {one.theorem for b in bounds for one in (b, in_one_direction(b))}
    used |= {one.theorem for one in attained(guarantee_for(PLAIN).lower)}
    used |= {one.theorem for b in bounds if (one := closer_bound(b))}
    asked = one_batch_an_epoch(scenario_of("shuffled"))
    used.add(asked.shuffled.theorem)
    assert used == set(THEOREM_ANCHORS)


@pytest.mark.parametrize("scenario", every_scheme(), ids=str)
def test_texts_name_direction_and_unit_as_the_accountant_uses_them(scenario):
    """What dpviz adds to a theorem may weaken it: then its own text says so."""
    for bound in bounds_of(guarantee_for(scenario)):
        if bound.extension in ("", PLACEMENT):
            claim = text_of(THEOREM_ANCHORS[bound.theorem]).splitlines()[2].lower()
            assert bound.kind.value in claim
            assert f"one {bound.unit.value}" in claim


@pytest.mark.parametrize(
    ("row", "scenario"),
    [
        ("drawn at random | one |", scenario_of("without-replacement")),
        ("drawn at random | λ |", scenario_of("without-replacement", num_subsequences=4)),
        ("drawn at random | Poisson |", scenario_of("without-replacement", bottom_level="poisson")),
        ("drawn by coins | one |", scenario_of("poisson")),
        ("drawn by coins | λ |", scenario_of("poisson", num_subsequences=4)),
        ("drawn by coins | Poisson |", scenario_of("poisson", bottom_level="poisson")),
        ("walked in order | one |", scenario_of("deterministic")),
        ("walked in order | λ |", scenario_of("deterministic", num_subsequences=4)),
        ("in order | Poisson |", scenario_of("deterministic", bottom_level="poisson")),
        ("by coins or walked | one, noisy", scenario_of("without-replacement", forecast_noise=1.0)),
        ("one bag |", scenario_of("flat")),
    ],
)
def test_table_names_the_bounds_that_are_used(row, scenario):
    line = next(line for line in text_of("introduction").splitlines() if row in line)
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    guarantee = guarantee_for(scenario)
    for cell, bounds in (
        (cells[2], [guarantee.upper]),
        (cells[3], [] if guarantee.lower is None else [guarantee.lower]),
    ):
        linked = {anchor for anchor in re.findall(r"\(#(.*?)\)", cell) if "extension" not in anchor}
        if cell is cells[3]:
            bounds += [in_one_direction(bound) for bound in bounds]
            bounds += [after for bound in bounds for after in attained(bound)]
        assert linked == {THEOREM_ANCHORS[bound.theorem] for bound in bounds}
    assert guarantee.upper.unit.value in cells[5]


def test_bounds_that_differ_from_the_table_s_are_told_below_it():
    poisson = scenario_of("without-replacement", bottom_level="poisson")
    for other in ({"series_lengths": (1000, 1200)}, {"batch_size": PLAIN.given_shape.num_series}):
        assert guarantee_for(varied(poisson, **other)).upper.theorem == "F.2"
    noise = {"context_noise": 1.0, "forecast_noise": 1.0}
    assert guarantee_for(scenario_of("bins", **noise)).lower is None
    bag = scenario_of("flat", **noise)
    assert guarantee_for(bag).lower is not None
    assert guarantee_for(varied(bag, series_lengths=(1000, 1200))).lower is None
    told = text_of("introduction")
    assert "have [F.2](#theorem-f-2) in place of Proposition 5 where lengths differ or a" in told
    assert "no lower bound is proven for bins, nor for one bag where lengths differ" in told


def test_one_bag_by_coins_is_called_tight_for_series_of_one_length():
    bag = scenario_of("flat", bottom_level="poisson")
    assert guarantee_for(bag).upper.kind is Kind.TIGHT
    assert guarantee_for(varied(bag, series_lengths=(1000, 1200))).upper.kind is Kind.UPPER
    lines = text_of("introduction").splitlines()
    assert "| for series of one length," in next(one for one in lines if "bag | Poisson" in one)
    assert "tight for one step, for series of one length:" in text_of("theorem-e-8")


@pytest.mark.parametrize(
    ("scenario", "upper"),
    [
        (scenario_of("without-replacement"), "dpviz 20"),
        (scenario_of("deterministic", num_subsequences=4), "dpviz 20"),
        (scenario_of("shuffled"), "dpviz 20"),
        (scenario_of("bins"), "dpviz 20"),
        (scenario_of("poisson"), "dpviz 21"),
        (scenario_of("deterministic", bottom_level="poisson"), "E.8"),
        (scenario_of("flat", bottom_level="poisson"), "E.8"),
        (scenario_of("flat"), "dpviz 4"),
        (scenario_of("without-replacement", forecast_noise=1.0), "dpviz 20"),
    ],
)
def test_a_person_in_several_series_has_the_theorems_that_are_told(scenario, upper):
    several = guarantee_for(varied(scenario, series_per_person=2)).upper
    assert several.theorem == upper
    told = text_of("introduction").split("A person in several series: ")[1]
    is_above = upper in ("E.8", "dpviz 4")
    assert (f"#{THEOREM_ANCHORS[upper]}" in told) != is_above
    assert not is_above or "with Poisson windows of walked series, or in one bag" in told


def test_texts_are_short_and_have_the_same_parts():
    for anchor in ANCHORS:
        title, _, body = text_of(anchor).partition("\n")
        assert title.startswith("# "), anchor
        assert PAIR in body, anchor
        found = [body.index(part) for part in PARTS if part in body]
        assert found == sorted(found), anchor
        words = re.sub(r"\$[^$]*\$", "formula", body).split()
        assert len(words) <= MOST_WORDS, anchor


def test_links_between_texts_lead_somewhere():
    for name in (*ANCHORS, "introduction"):
        assert set(re.findall(r"\(#(.*?)\)", text_of(name))) <= set(ANCHORS), name


def test_no_text_is_left_over():
    assert {path.stem for path in TEXTS.glob("*.md")} == {*ANCHORS, "introduction"}


def test_theorem_without_an_explanation_is_refused_by_name():
    with pytest.raises(KeyError, match=r"theorem = '9\.9' is not explained: it must be one of 4"):
        theorem_link("9.9")
