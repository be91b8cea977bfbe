"""Every sentence about a run, for every kind of run: number, side, theorem, scope, condition."""

import re
from types import SimpleNamespace

import pytest

from dpviz.guarantees import Kind
from dpviz.wording.budget import budget_description, budget_title
from dpviz.wording.certificate import certificate
from dpviz.wording.findings import (
    bounds_table,
    curve_title,
    curves_description,
    headline,
    quoted_epsilon,
)
from dpviz.wording.label_noise import noise_headline
from dpviz.wording.plan import own_sentence
from dpviz.wording.protected_values import protection_headline
from dpviz.wording.proven_epsilon import epsilon_range, lower_hover, upper_hover
from dpviz.wording.subsequences import curves_headline
from dpviz.wording.theorems import named_theorem
from dpviz.wording.top_levels import order_headline
from tests.planning.kinds import RUNS, curves_of_kind
from tests.wording.reading import bounds_in, jargon_in

SOLVED = SimpleNamespace(quantity="noise_multiplier")
# Each says both bounds with all that they mean.
WHOLE = {
    "headline": headline,
    "who is protected": protection_headline,
    "certificate": certificate,
    "chart in words": lambda curves: curves_description("What was found", [("now", curves)]),
    "table": lambda curves: bounds_table([("now", curves)]),
    "over training": lambda curves: budget_description(curves.scenario, [curves.proven]),
    "windows per series": lambda curves: curves_headline(curves, []),
    "sample or walk": lambda curves: order_headline(curves, curves),
    "noise on windows": lambda curves: noise_headline(curves, curves),
}


def hover_texts(curves):
    told = [upper_hover(curves.proven, "after training")]
    if curves.epsilon_lower is not None:
        told.append(lower_hover(curves.proven, "after training"))
    return "; ".join(told)


BOTH_BOUNDS = WHOLE | {
    "range": lambda curves: epsilon_range(curves.proven),
    "hover texts": hover_texts,
}
SENTENCES = BOTH_BOUNDS | {
    "title": curve_title,
    "title over training": lambda curves: budget_title(curves.scenario, [curves.proven]),
    "few words": quoted_epsilon,
    "beside a plan": lambda curves: own_sentence(SOLVED, curves),
}


@pytest.mark.parametrize("kind", RUNS)
def test_bounds_are_told_on_their_sound_sides_or_as_not_finite(kind):
    curves = curves_of_kind(kind)
    upper, lower = curves.epsilon_upper, curves.epsilon_lower
    for name, sentence in SENTENCES.items():
        said = sentence(curves)
        most, least = bounds_in(said)
        assert bool(most) == (upper is not None), name
        assert all(upper <= told <= 1.001 * upper for told in most), name
        assert all(0.999 * lower <= told <= lower for told in least), name
        if upper is None:
            assert re.search("[Nn]o finite ε|not bounded by a finite number", said), name
        if curves.lower is None and curves.upper.bound.kind is Kind.UPPER:
            assert "attain" not in said, name


@pytest.mark.parametrize("kind", ["drawn", "walked", "several windows", "Poisson windows"])
def test_what_no_analysis_can_promise_is_told_beside_the_upper_bound(kind):
    for name, sentence in BOTH_BOUNDS.items():
        assert bounds_in(sentence(curves_of_kind(kind)))[1], name


@pytest.mark.parametrize("kind", RUNS)
def test_theorem_length_delta_individual_and_condition_are_told_once(kind):
    curves = curves_of_kind(kind)
    bound, noise = curves.upper.bound, curves.scenario.noise
    for name, sentence in WHOLE.items():
        said = sentence(curves)
        if curves.epsilon_upper is not None or name != "windows per series":
            assert named_theorem(bound.theorem) in said, name
            assert f"{bound.count:,} {bound.unit.value}" in said, name
        assert re.search("δ = |at delta ", said), name
        assert re.search("(of|in) one series", said), name
        assert bound.extension[1:] in said, name
        told = [curves.upper, curves.lower] if name == "certificate" else [curves.upper]
        needed = [one.bound.condition for one in told if one is not None and one.bound.condition]
        assert said.count("no value changes by more than v") == len(needed), name
        assert all(condition in said for condition in needed), name
        unexplained = {"_"} if noise.is_on_windows else set()  # as in σ_F
        assert set(jargon_in(said.replace("None is proven", ""))) <= unexplained, name
        assert "  " not in said, name
