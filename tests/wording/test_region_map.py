"""The map's sentences say what its cells prove, each number with its meaning."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.planning.region import (
    RegionMap,
    RegionPoint,
    meets,
    place_along,
    region_axis,
    region_cells,
)
from dpviz.planning.target import SuccessGoal, Target
from dpviz.scenario import PRESETS
from dpviz.settings.planner import REGION_AXES
from dpviz.wording.numbers import in_full
from dpviz.wording.region_map import (
    axis_title,
    cell_lines,
    coarseness,
    hover_text,
    region_description,
    region_finding,
    region_title,
    value_text,
    whole_batches,
)
from tests.planning.brackets import with_bracket
from tests.planning.region_maps import TOY, made_up, rising
from tests.scenario.changes import varied
from tests.wording.reading import jargon_in, numbers_after

NOTHING_MEETS = 0.1  # as a target of what rises from 0.5


def test_finding_tells_the_last_value_that_meets_and_the_next_one_that_does_not():
    shown = made_up(rising, target=30.0)
    column, row = shown.own
    title = region_finding(shown)
    assert title.startswith(
        "ε ≤ 30 at δ = 10⁻⁷ is met here; on this map also, one at a time, with "
    )
    last = max(at for at in range(17) if meets(shown, (at, row)))
    values = [in_full(value) for value in shown.x.values]
    assert f"batch size Λ up to {values[last]} (not proven at {values[last + 1]})" in title
    last = max(at for at in range(17) if meets(shown, (column, at)))
    steps = [in_full(value) for value in shown.y.values]
    assert f"training up to {steps[last]} steps (not proven at {steps[last + 1]})" in title


def test_finding_names_no_value_of_its_own_as_one_that_would_also_do():
    """Training may be no longer, and the batch no other."""
    shown = made_up(lambda column, row: 1.0 if row <= 8 and column == 9 else 9.0, target=1.0)
    assert shown.own == (9, 8)
    own, above = (in_full(shown.y.values[at]) for at in (8, 9))
    assert region_finding(shown) == (
        "ε ≤ 1 at δ = 10⁻⁷ is met here; on this map also, one at a time, with "
        f"training below {own} steps (not proven at {above})"
    )
    shown = made_up(lambda column, row: 1.0 if row >= 8 and column == 9 else 9.0, target=1.0)
    below = in_full(shown.y.values[7])
    assert region_finding(shown).endswith(f"training above {own} steps (not proven at {below})")
    alone = made_up(lambda *at: 1.0 if at == (9, 8) else 9.0, target=1.0)
    assert region_finding(alone) == "ε ≤ 1 at δ = 10⁻⁷ is met here"
    guesses = replace(alone, goal=SuccessGoal(success=0.6))
    assert region_finding(guesses).startswith("At most 60 of 100 attackers right at even odds is ")


def test_finding_tells_which_value_alone_would_meet_a_goal_that_is_missed():
    shown = made_up(rising)
    assert not meets(shown, shown.own)
    value = in_full(shown.x.values[max(at for at in range(17) if meets(shown, (at, 8)))])
    title = region_finding(shown)
    assert title.startswith("ε ≤ 4 at δ = 10⁻⁷ is not proven here; ")
    assert f"batch size Λ = {value} alone would meet it" in title
    strict = made_up(rising, target=2.0)
    assert any(point.meets for point in strict.points.values())
    assert not any(meets(strict, (at, 8)) for at in range(17))
    assert "no value of batch size Λ on this map is proven to meet it alone" in region_finding(
        strict
    )
    assert "no length of training on this map is proven to meet it alone" in region_finding(strict)


def test_where_nothing_meets_the_smallest_epsilon_is_told_with_its_place():
    shown = made_up(rising, target=NOTHING_MEETS)
    for layer in ("epsilon", "noise"):
        assert region_finding(shown, layer) == (
            "Nothing on this map is proven to meet ε ≤ 0.1 at δ = 10⁻⁷: even its smallest ε is "
            "only proven to be ≤ 0.5, at batch size Λ = 2, 62 steps of training"
        )


def test_where_everything_meets_it_says_so_only_of_the_whole_map():
    assert region_finding(made_up(rising, target=1e6)) == (
        "Every field of this map meets ε ≤ 1,000,000 at δ = 10⁻⁷"
    )
    for epsilon, most in ((rising, 40), (lambda x, y: None if x == 3 else rising(x, y), None)):
        assert "Every field" not in region_finding(made_up(epsilon, target=1e6, most=most))


def test_maps_without_a_number_say_why():
    assert region_finding(made_up(lambda *_: None)).endswith("no field has an answer")
    assert region_finding(made_up(lambda *_: float("inf"))).endswith("no field has a finite ε")


@pytest.mark.parametrize("most", [1, 20, 100])
def test_a_map_that_is_not_complete_says_so(most):
    shown = made_up(rising, target=30.0, most=most)
    for layer in ("epsilon", "noise"):
        assert region_finding(shown, layer).endswith("(by the fields that are ready)")
    assert "that are ready" in region_description(shown)
    assert "not computed yet" in region_description(made_up(rising, most=1))


def test_no_range_is_told_of_one_field():
    """As long as no other one is computed, nothing is known of how far a quantity may go."""
    title = region_finding(made_up(rising, target=30.0, most=1))
    assert "is met here" in title
    assert " to " not in title
    assert "any value" not in title


@pytest.mark.parametrize("target", [30.0, 60.0, 1e3])
def test_any_value_of_the_map_is_told_once_its_ends_are_computed(target):
    for most in range(2, 17 * 17, 7):
        shown = made_up(rising, target=target, most=most)
        title = region_finding(shown)
        for axis in (shown.x, shown.y):
            told = f"{REGION_AXES[axis.quantity]} at any value of the map" in title
            ends = {place_along(shown, axis, at) for at in (0, len(axis.values) - 1)}
            assert not told or ends <= set(shown.cells)


def test_least_noise_is_told_with_its_place():
    shown = made_up(rising)
    title = region_finding(shown, "noise")
    (told,) = numbers_after("averaged gradient is ", title)
    met = [point for point in shown.points.values() if point.meets]
    assert told == pytest.approx(min(point.noise_per_gradient for point in met), rel=1e-3)


@settings(max_examples=40)
@given(st.lists(st.sampled_from([0.31, 7.77, None, float("inf")]), min_size=5, max_size=60))
def test_no_field_has_a_number_without_its_meaning(bits):
    shown = made_up(lambda column, row: bits[(17 * row + column) % len(bits)])
    for at, cell in list(shown.cells.items())[::13]:
        lines = cell_lines(shown, at)
        assert lines[0].startswith("batch size Λ = ")
        assert "of training" in lines[0]
        if not isinstance(cell, RegionPoint):
            assert lines[1:] == ["no answer: Batch size Λ = 3 is not allowed: it must be even."]
            continue
        text = "; ".join(lines)
        epsilon = numbers_after("; ε ≤ ", text)
        assert (epsilon == []) == (cell.upper.quoted is None)
        assert all(told >= cell.upper.quoted for told in epsilon)
        for part in ("upper bound, Theorem 4.4", "at δ = 10⁻⁷", "hides any single value"):
            assert part in text
        assert f"{cell.scenario.num_steps:,}" in text
        assert f"at σ = {cell.scenario.noise.noise_multiplier:g}; " in text
        verdict = "meets the goal: ε ≤ 4" if cell.meets else "is not proven to meet the goal: ε ≤ 4"
        assert verdict in text


def test_a_field_says_that_its_bound_is_dpvizs_own_in_part():
    shown = made_up(rising, scenario=varied(TOY, top_level="shuffled"))
    assert "with dpviz's extension" in " ".join(cell_lines(shown, shown.own))
    assert "extension" not in " ".join(cell_lines(made_up(rising), shown.own))


def test_a_field_that_is_not_computed_says_whose_numbers_it_shows():
    shown = made_up(rising, most=40)
    text = hover_text(shown, (1, 1), (0, 0))
    assert text.startswith("not computed yet; near here, at batch size Λ = 2, 62 steps")
    assert not hover_text(shown, (0, 0), (0, 0)).startswith("not computed")


def test_hover_texts_are_no_wider_than_a_phone():
    shown = made_up(rising)
    for at in list(shown.cells)[::29]:
        lines = hover_text(shown, at, at).replace("<b>", "").replace("</b>", "").split("<br>")
        assert max(map(len, lines)) <= 58


def test_every_axis_has_a_name_and_a_unit():
    for quantity in REGION_AXES:
        assert axis_title(TOY, quantity).startswith(REGION_AXES[quantity])
    assert axis_title(TOY, "training") == "training, in steps"
    user = varied(TOY, level="user")
    assert axis_title(TOY, "relation_width") != axis_title(user, "relation_width")
    assert value_text(TOY, "training", 1) == "1 step of training"


def test_coarseness_is_that_of_the_widest_bracket():
    percent = numbers_after("at most ", coarseness(made_up(rising)))[0]
    assert 100.0 * (1.0 / 0.99 - 1.0) <= percent <= 1.1
    shown = made_up(rising)
    at = next(iter(shown.cells))
    for low in (None, 1e-9):
        wide = replace(shown.cells[at], upper=with_bracket(shown.cells[at].upper, low, 2.0))
        assert "cannot tell" in coarseness(replace(shown, cells={**shown.cells, at: wide}))
    assert "rounded up, by at most 10⁻⁴" in coarseness(made_up(lambda *_: float("inf")))
    assert "rounded up, by at most 10⁻⁴" in coarseness(made_up(lambda *_: 1e-5))
    assert coarseness(made_up(lambda *_: None)) == ""


def test_digits_that_are_not_told_count_as_well():
    """Of 12.341, the very value of the bound, the map shows 12.35."""
    shown = made_up(lambda *_: 12.341)
    exact = {
        at: replace(point, upper=with_bracket(point.upper, 12.341, 12.341))
        for at, point in shown.points.items()
    }
    (percent,) = numbers_after("at most ", coarseness(replace(shown, cells=exact)))
    assert 100.0 * (12.35 / 12.341 - 1.0) <= percent <= 0.08


def test_coarseness_is_told_of_the_fields_whose_bracket_was_computed():
    shown = made_up(rising)
    at = next(at for at in shown.cells if at != shown.own)
    upper = with_bracket(shown.cells[at].upper, 0.0, shown.cells[at].upper.bracket.high)
    half = replace(shown.cells[at], upper=upper, only_quoted=True)
    said = coarseness(replace(shown, cells={**shown.cells, at: half}))
    where = "in the 288 of 289 fields where that is computed."
    assert said == f"Each ε is rounded up: by at most 1.1 % or 10⁻⁴ {where}"
    none = {at: replace(point, only_quoted=True) for at, point in shown.points.items()}
    said = coarseness(replace(shown, cells=none))
    assert said == "Each ε is rounded up; by how much is not computed."


def test_sentences_have_no_words_of_the_code():
    maps = (
        made_up(rising), made_up(rising, target=1e6), made_up(rising, most=40),
        made_up(lambda *_: None), made_up(lambda *_: float("inf")), made_up(rising, target=0.1),
    )  # fmt: skip
    for shown in maps:
        for text in (
            *(region_finding(shown, layer) for layer in ("epsilon", "noise")),
            region_title(shown), region_description(shown), coarseness(shown),
        ):  # fmt: skip
            assert jargon_in(text) == []


def test_settings_without_an_answer_say_so_beside_the_rest():
    shown = made_up(lambda x, y: None if (x, y) == (9, 8) else rising(x, y))
    assert shown.own == (9, 8)
    met = sum(point.meets for point in shown.points.values())
    assert region_finding(shown) == (
        f"These settings have no answer; {met} fields of this map meet ε ≤ 4 at δ = 10⁻⁷"
    )
    assert "no answer (Batch size Λ = 3" in region_description(shown)


@pytest.mark.parametrize(
    ("top_level", "jumps"),
    [
        ("without-replacement", True),
        ("poisson", True),
        ("deterministic", False),
        ("shuffled", False),
    ],
)
def test_whole_batches_are_told_where_a_larger_batch_may_leak_less(top_level, jumps):
    """Epochs of a walk count once each: there the batch size changes nothing."""
    traffic = PRESETS["traffic"].scenario
    traffic = varied(traffic, top_level=top_level)
    x, y = (region_axis(traffic, name) for name in ("batch_size", "training"))
    goal = Target(epsilon=1.0, delta=traffic.delta)
    row = [(at, y.own) for at in range(len(x.values))]
    cells = region_cells(traffic, x, y, row, goal, only_quoted=True)
    epsilons = [cell.upper.quoted for cell in cells]
    falls = [before / after for before, after in pairwise(epsilons)]
    assert (max(falls) > 1.02) == jumps
    assert (max(epsilons) / min(epsilons) > 1.02) == jumps
    shown = RegionMap(
        scenario=traffic, goal=goal, x=x, y=y, cells=dict(zip(row, cells, strict=True))
    )
    assert bool(whole_batches(shown)) == jumps
    assert not whole_batches(replace(shown, x=region_axis(traffic, "noise_multiplier")))
    in_steps = replace(traffic, training=replace(traffic.training, unit="steps"))
    assert not whole_batches(replace(shown, scenario=in_steps))
