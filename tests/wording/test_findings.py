"""What is proven and what it rests on: no more than that, of each kind of answer."""

import re
from dataclasses import replace

import pytest

from dpviz.guarantees import Kind, guarantee_for
from dpviz.guarantees.lookup import NOISE_UNUSED
from dpviz.planning import curves_of
from dpviz.planning.curves import SecondEpsilon, second_look
from dpviz.scenario import PRESETS, TimeStep
from dpviz.wording.certificate import certificate, second_answer
from dpviz.wording.differences import _change
from dpviz.wording.findings import (
    bounds_table,
    curve_title,
    curves_description,
    deltas_table,
    headline,
    scheme_change_note,
)
from dpviz.wording.theorems import (
    bound_label,
    bound_meaning,
    composed_units,
    named_theorem,
    qualified_label,
)
from tests.planning.brackets import with_bracket
from tests.planning.kinds import RUNS, TOY, curves_of_kind, sampled
from tests.scenario.changes import varied
from tests.wording.reading import bounds_in, cells_of, is_between, jargon_in, number, numbers_after

WALK = sampled(varied(TOY, epochs=2), top_level="deterministic")
TIGHT = "The bound is tight: some model attains it."


@pytest.mark.parametrize("name", RUNS)
def test_a_bound_is_called_tight_exactly_where_it_is(name):
    """One unit of a tight theorem, or a pair that is its own mirror image after any number."""
    curves = curves_of_kind(name)
    is_tight = curves.upper.bound.kind_after_composition is Kind.TIGHT
    assert is_tight == (name in ("one step", "tight for many", "negligible"))
    if curves.epsilon_upper:
        assert (TIGHT in headline(curves)) == is_tight


def test_epsilon_0_is_explained():
    text = headline(curves_of_kind("epsilon 0"))
    assert "**ε ≤ 0 at δ = 0.9**" in text
    assert text.endswith("differs by at most δ in probability.")


def test_a_wide_bracket_is_owned_up_to():
    """It says more about the accountant than about the training."""
    curves = curves_of_kind("drawn")
    wide = with_bracket(curves.upper, 15.0, 19.0)
    assert "roughly: its exact value may be as small as ε = 17.59. " in headline(
        replace(curves, upper=wide)
    )
    open_below = with_bracket(curves.upper, None, 19.0)
    assert "as small as ε = 17.59. " in headline(replace(curves, upper=open_below))
    unknown = replace(curves, upper=open_below, lower=None)
    assert "roughly: it may be smaller." in headline(unknown)
    assert "roughly" not in headline(curves)
    vague = with_bracket(curves.lower, 10.0, 18.0)
    said = headline(replace(curves, lower=vague))
    assert "No analysis can promise less than ε = 10 at" in said
    assert "(lower bound, dpviz's Proposition 9, attained)." in said


def test_who_is_hidden_is_said_in_the_datas_own_units():
    hourly = varied(TOY, series_lengths=(100,), width=24, time_step=TimeStep(1, "hour"))
    day = replace(curves_of_kind("drawn"), scenario=hourly)
    assert "any 24 consecutive values (1 day) of one series" in headline(day)
    longer = replace(day, scenario=varied(hourly, width=101))
    assert headline(longer).startswith("Training hides the whole of one series with **ε ≤ ")


@pytest.mark.parametrize(
    ("scenario", "told"),
    [
        (varied(TOY, steps=20), " composed over 20 steps): series drawn at random."),
        (varied(TOY, epochs=2), " composed over 20 steps): 2 epochs, series drawn at random."),
        (WALK, " composed over 2 epochs): 2 epochs (20 steps), series walked through in order."),
    ],
)
def test_steps_that_a_theorem_is_composed_over_are_counted_once(scenario, told):
    assert told in headline(curves_of(scenario))


def test_delta_is_told_with_all_its_digits():
    """A rounded one would not belong to its epsilon."""
    odd = replace(curves_of_kind("drawn"), scenario=replace(TOY, delta=1.23456e-7))
    assert "δ = 1.23456·10⁻⁷" in headline(odd)
    assert "δ = 1.23456·10⁻⁷" in curve_title(odd)


def test_the_chart_in_words_tells_every_run_with_its_range():
    runs = [(name, curves_of_kind(name)) for name in ("drawn", "walked", "no lower bound")]
    text = curves_description("What was found", runs)
    assert text.startswith("What was found. Drawn: at delta 1e-07 epsilon is at most ")
    most, least = bounds_in(text)
    for (_, curves), told in zip(runs, most, strict=True):
        assert curves.epsilon_upper <= told <= 1.001 * curves.epsilon_upper
    assert len(least) == 2  # none for the last run


def test_labels_for_narrow_places_say_what_narrows_a_bound():
    of_bag, of_noise = (guarantee_for(RUNS[name]).upper for name in ("one bag", "noise on labels"))
    assert qualified_label(of_bag) == bound_label(of_bag)
    assert qualified_label(of_noise) == f"{bound_label(of_noise)}, if {of_noise.condition}"
    # What is only not claimed adds nothing to a theorem.
    unused = guarantee_for(varied(TOY, num_subsequences=2, forecast_noise=1.0)).upper
    assert unused.extension == NOISE_UNUSED
    assert qualified_label(unused) == bound_label(unused)


def test_directions_have_their_words():
    drawn = guarantee_for(TOY)
    assert bound_meaning(drawn.upper).startswith("upper bound, Theorem 4.4")
    assert bound_meaning(drawn.lower).startswith("lower bound, Theorem 4.4")
    assert bound_label(replace(drawn.upper, count=1)) == "tight bound, Theorem 4.4, 1 step"
    flat = guarantee_for(RUNS["one bag"])
    assert bound_label(flat.lower) == "lower bound, Proposition C.2, 1,000 steps"
    neither = replace(flat.lower, composition=flat.upper.composition)
    assert bound_label(neither).startswith("as in the paper, no proven bound")


def test_entering_rates_says_what_was_kept():
    note = scheme_change_note(PRESETS["traffic"].scenario)
    assert "keeps its 3 steps" in note
    one = varied(TOY, batch_size=320)
    assert "keeps its 1 step until" in scheme_change_note(one)


ONE_DELTA = [name for name in RUNS if RUNS[name].delta == 1e-7]


def rows_of(table):
    """Return the cells of a Markdown table, without its two head rows."""
    return cells_of(table)[2:]


@pytest.mark.parametrize("name", RUNS)
def test_bounds_are_bracketed_on_their_sound_sides(name):
    curves = curves_of_kind(name)
    upper, lower = rows_of(bounds_table([("now", curves)]))
    assert upper[:2] == ["now", "upper"]
    for row, side in ((upper, curves.upper), (lower, curves.lower)):
        if side is None:
            assert row[2:] == ["none proven", "", "", ""]
            continue
        low, high = side.bracket.low, side.bracket.high
        if high is None:
            assert numbers_after("above ", row[3])[0] <= low
            assert row[4] == ""
            continue
        ends = [number(end) for end in row[3].split(" to ")]
        assert is_between(low, ends[0], ends[1], high)
        width = number(row[4].removesuffix(" %")) / 100
        assert width >= side.bracket.relative_gap * (1 - 1e-12)
        assert f"{named_theorem(side.bound.theorem)}]" in row[5]
        assert f"{side.bound.count:,} {side.bound.unit.value}" in row[5]


def test_what_is_not_resolved_has_no_number():
    curves = curves_of_kind("drawn")
    unresolved = with_bracket(curves.lower, None, None)
    _, lower = rows_of(bounds_table([("now", replace(curves, lower=unresolved))]))
    assert lower[2] == "beyond what is resolved"
    assert not re.search("[0-9]", "".join(lower[3:5]))


@pytest.mark.parametrize("name", ONE_DELTA)
def test_deltas_are_quoted_from_lower_to_upper_bound(name):
    curves = curves_of_kind(name)
    table = deltas_table([("now", curves)])
    assert jargon_in(table) == []
    for epsilon, cell in rows_of(table):
        at = curves.upper.place_of(float(epsilon))
        high = curves.upper.delta_high[at]
        low = 0.0 if curves.lower is None else curves.lower.delta_low[at]
        if high < 1e-15:
            assert cell == "below 10⁻¹⁵"
        elif curves.lower is None:
            (shown,) = numbers_after("≤ ", cell)
            assert high <= shown <= 1.01 * high
        else:
            shown = [number(end) for end in cell.split(" to ")]
            assert is_between(low if low >= 1e-15 else 0.0, shown[0], shown[1], high)
            assert shown[1] <= 1.0101 * high


def test_the_table_of_deltas_ends_where_nothing_is_left_to_tell():
    runs = [("one", curves_of_kind("one step")), ("long", curves_of_kind("walked"))]
    rows = rows_of(deltas_table(runs))
    assert [row[0] for row in rows] == ["0.01", "0.1", "0.5", "1", "2", "5", "10", "20", "100"]
    short = rows_of(deltas_table(runs[:1]))
    assert short[-1][1] == "below 10⁻¹⁵"
    assert all(row[1] != "below 10⁻¹⁵" for row in short[:-1])
    assert len(short) < len(rows)


def test_an_epoch_that_is_broken_off_counts_in_deltas_on_the_side_that_has_it():
    walk = varied(PRESETS["toy"].scenario, top_level="shuffled", steps=15)
    links = r"Proposition 8\]\(\S+\) \(1 epoch\) to \[Theorem 4\.2\]\(\S+\) \(2 epochs\)"
    assert re.search(links, deltas_table([("now", curves_of(walk))]))


PARTS = re.compile(r"\*\*(Upper|Lower) bound[:.]\*\*")


def part_of(curves, side):
    """Return the lines about one bound."""
    text = certificate(curves)
    start = text.index(f"**{side} bound")
    end = text.index("**Lower bound") if side == "Upper" else len(text)
    return text[start:end]


def sides_of(curves):
    yield "Upper", curves.upper
    if curves.lower is not None:
        yield "Lower", curves.lower


@pytest.mark.parametrize("name", RUNS)
def test_each_bound_is_told_with_theorem_unit_bracket_and_what_its_kind_allows(name):
    curves = curves_of_kind(name)
    assert PARTS.findall(certificate(curves)) == ["Upper", "Lower"]
    for side, curve in sides_of(curves):
        text, bound = part_of(curves, side), curve.bound
        kind, low, high = bound.kind_after_composition, curve.bracket.low, curve.bracket.high
        assert f"{named_theorem(bound.theorem)}](theorems#" in text
        assert f"for one {bound.unit.value}, composed over {composed_units(bound)}" in text
        assert ("tight for one" in text) == (bound.kind is Kind.TIGHT)
        if high is None:
            assert numbers_after("value is above ", text)[0] <= low
        elif low == high:
            assert numbers_after("value is ", text) == [low]
        else:
            (first,), (last,) = numbers_after("between ", text), numbers_after(" and ", text)
            assert is_between(low, first, last, high)
        assert ("ome gradients attain " in text) == (kind is not Kind.UPPER)
        assert "Exact:" not in text  # what is computed is a bracket
        assert ("no analysis can promise less" in text) == (kind is Kind.LOWER)
        assert ("Tight: some" in text) == (kind is Kind.TIGHT)


def test_what_is_not_resolved_has_no_number_to_rest_on():
    curves = curves_of_kind("drawn")
    text = certificate(replace(curves, lower=with_bracket(curves.lower, None, None)))
    assert "**Lower bound:** beyond what is resolved at δ" in text
    assert "No bracket: the value lies beyond what is resolved" in text
    text = certificate(replace(curves, lower=with_bracket(curves.lower, 0.0, 0.0)))
    assert "exact value is 0 (" in text


# What another library says.


def look(epsilon):
    return SecondEpsilon(epsilon=epsilon, interval=1e-3, seconds=0.123)


@pytest.mark.parametrize(
    ("low", "high", "theirs", "ending"),
    [
        (19.0, 19.5, 19.2, "It lies inside dpviz's bracket."),
        (19.0, 19.5, 19.0, "It lies inside dpviz's bracket."),
        (19.0, 19.5, 19.5, "It lies inside dpviz's bracket."),
        (19.0, 19.5, 19.500014, "It agrees with the upper end of dpviz's bracket."),
        (
            10.0,
            20.0,
            22.0,
            "10 % above dpviz's bracket: the library rounds up, on a grid that does not adapt.",
        ),
        (10.0, 20.0, 9.0, "bracket: the library does not bound its own rounding errors."),
        (0.0, 0.0, 0.0, "It lies inside dpviz's bracket."),
        (0.0, 0.0, 0.5, "dpviz finds 0: the library's grid is too coarse for this."),
        (19.0, None, 19.2, "rounded up and without a bracket."),
        (None, None, 19.2, "rounded up and without a bracket."),
        (19.0, 19.5, None, "rounded up and without a bracket."),
    ],
)
def test_the_other_librarys_number_is_placed_beside_the_bracket(low, high, theirs, ending):
    curves = curves_of_kind("drawn")
    curves = replace(curves, upper=with_bracket(curves.upper, low, high))
    text = second_answer(curves, "upper", look(theirs))
    assert text.endswith(ending)
    assert text.startswith("**Upper bound by dp-accounting:** ")
    assert theirs is None or numbers_after("ε = ", text)[0] >= theirs
    assert "at δ = 10⁻⁷ (grid 0.001, 0.12 s), rounded up and without a bracket." in text
    assert ("no finite ε" in text) == (theirs is None)
    assert ("10 % below" in text) == (theirs == 9.0)
    assert jargon_in(text) == []


@pytest.mark.parametrize("side", ["upper", "lower"])
@pytest.mark.parametrize("name", ["drawn", "one step", "walked", "one bag", "noise on labels"])
def test_real_second_answers_agree(name, side):
    curves = curves_of_kind(name)
    if getattr(curves, side) is None:
        return
    if side == "lower" and curves.lower.bound.theorem == "dpviz 9":
        with pytest.raises(ValueError, match="chosen anew are not expressed"):
            second_look(curves, side)
        return
    text = second_answer(curves, side, second_look(curves, side))
    assert text.startswith(f"**{side.capitalize()} bound by dp-accounting:** ε = ")
    assert "It lies inside" in text or "It agrees" in text


def test_each_side_is_compared_with_its_own_bracket():
    curves = curves_of_kind("drawn")
    inside_lower = look(curves.lower.bracket.high)
    assert second_answer(curves, "lower", inside_lower).endswith("inside dpviz's bracket.")
    assert "below dpviz's bracket" in second_answer(curves, "upper", inside_lower)


def test_where_no_delta_is_resolved_none_is_asked_for():
    curves = curves_of_kind("no finite epsilon")
    assert headline(curves).endswith("more than the accountant resolves. Add noise, or train less.")
    resolved = replace(curves.upper, delta_high=0.5 * curves.upper.delta_high)
    smaller = headline(replace(curves, upper=resolved))
    assert smaller.endswith("does not resolve so small a δ. Choose a larger one.")


def rough(name):
    return curves_of(RUNS[name], tolerance=1e-2, only_quoted=True)


@pytest.mark.parametrize("name", sorted(set(RUNS) - {"no finite epsilon"}))
def test_what_is_quoted_alone_is_told_without_how_close_it_is(name):
    curves = rough(name)
    rests_on = certificate(curves)
    said = headline(curves) + rests_on + bounds_table([("now", curves)])
    for claim in ("roughly", "bound is tight", "lies between", "100 %", "0 to "):
        assert claim not in said
    assert "not computed (privacy loss grid" in rests_on
    assert curves.epsilon_upper >= curves_of_kind(name).upper.bracket.low
    assert "ε ≤ " in rests_on
    assert named_theorem(curves.upper.bound.theorem) in rests_on


def test_another_librarys_number_is_not_placed_in_a_bracket_that_is_none():
    assert second_answer(rough("drawn"), "upper", look(0.5)).endswith("without a bracket.")


def test_whether_a_change_is_resolved_is_left_open():
    exact = curves_of_kind("drawn")
    assert "too roughly to tell" in _change(exact, rough("one step"))
    assert "too roughly to tell" in _change(rough("one step"), exact)
