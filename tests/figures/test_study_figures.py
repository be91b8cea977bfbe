"""Charts of sweeps, of the training study, and of a class's votes and scores."""

from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

from dpviz.classroom.records import Tally
from dpviz.figures.classroom import scores_chart, votes_chart
from dpviz.figures.epsilon_lines import sweep_chart
from dpviz.figures.parts import figure_json
from dpviz.figures.sweep_results import _short
from dpviz.figures.training_runs import study_chart
from dpviz.planning.membership_game import membership_game
from dpviz.planning.proven import SweepPoint, proven_epsilon
from dpviz.scenario import PRESETS
from dpviz.training_study.findings import findings
from dpviz.training_study.results import shipped_results
from dpviz.wording.classroom import scores_sentence, votes_description, votes_title
from tests.figures.reading import traces_of
from tests.scenario.changes import TOY, varied

BAG = varied(TOY, top_level="flat")


@cache
def points(scenario, noises=(2.0, 1.0, 4.0)):
    """Return points out of order, as they arrive."""
    runs = [varied(scenario, noise_multiplier=n) for n in noises]
    return [
        SweepPoint(x=n, name=f"σ = {n:g}", proven=proven_epsilon(run))
        for n, run in zip(noises, runs, strict=True)
    ]


@pytest.fixture(scope="module")
def spec():
    lines = [("drawn", points(TOY)), ("bag", points(BAG))]
    return sweep_chart(lines, title="T", identity="i", x_title="noise", own_x=2.0, marked=1)


def test_lines_run_from_left_to_right_over_the_proven_numbers(spec):
    known = {point.x: point.proven for point in points(TOY)}
    found = traces_of(spec)
    for side in ("upper", "lower"):
        line = found[f"series-0-{side}"]
        assert line["x"] == sorted(known)
        proven = [getattr(known[x], f"epsilon_{side}") for x in line["x"]]
        assert line["y"] == proven
        assert all(left > right for left, right in pairwise(line["y"]))


def test_hover_says_direction_theorem_count_and_place(spec):
    found = traces_of(spec)
    assert found["series-0-upper"]["text"][0].startswith("ε ≤ ")
    assert (
        "drawn, σ = 1: upper bound, Theorem 4.4, 1,000 steps"
        in (found["series-0-upper"]["text"][0])
    )
    assert "lower bound, dpviz's Proposition 9, 1,000 steps" in found["series-0-lower"]["text"][0]
    assert "dpviz's Proposition 4" in found["series-1-upper"]["text"][0]
    assert "Proposition C.2" in found["series-1-lower"]["text"][0]


def test_the_band_lies_between_its_lines(spec):
    found = traces_of(spec)
    band, upper, lower = (found[f"series-0-{part}"] for part in ("band", "upper", "lower"))
    assert band["x"] == [*upper["x"], *reversed(lower["x"])]
    assert band["y"] == [*upper["y"], *reversed(lower["y"])]


def test_the_own_value_is_marked_where_it_is_a_point(spec):
    own = traces_of(spec)["series-0-own"]
    assert own["x"] == [2.0]
    assert own["y"] == [next(p.proven.epsilon_upper for p in points(TOY) if p.x == 2.0)]
    assert "series-1-own" not in traces_of(spec)
    lines = [("bag", points(BAG))]
    marked = sweep_chart(lines, title="T", identity="i", x_title="noise", own_x=2.0)
    assert traces_of(marked)["series-0-own"]["text"][0].startswith("ε ≤ ")
    absent = sweep_chart(lines, title="T", identity="i", x_title="noise", own_x=3.0)
    assert "series-0-own" not in traces_of(absent)


def test_marks_of_two_runs_do_not_cover_each_other():
    """The lower one's text stands below it."""
    lines = [("bag", points(BAG)), ("drawn", points(TOY))]
    for own_x in (1.0, 2.0):
        found = traces_of(sweep_chart(lines, title="T", identity="i", x_title="noise", own_x=own_x))
        marks = sorted((found["series-0-own"], found["series-1-own"]), key=lambda own: own["y"][0])
        assert marks[0]["textposition"].startswith("bottom ")
        assert marks[1]["textposition"].startswith("top ")


@pytest.mark.parametrize("delta", [0.99])
def test_what_has_no_place_on_the_axis_is_said(delta):
    line = ("drawn", points(replace(TOY, delta=delta), (99.0,)))
    spec = sweep_chart([line], title="T", identity="i", x_title="noise")
    assert spec["data"] == []
    assert spec["layout"]["annotations"][0]["text"] == "ε is 0 at δ = 0.99 everywhere here"


ALL = findings(shipped_results().rows)


@pytest.mark.parametrize(
    "found", ALL, ids=lambda one: f"{one.question.name}-{one.data}-{one.model}"
)
def test_every_error_is_a_point_with_its_range(found):
    spec = study_chart(found)
    assert figure_json(spec)
    drawn = {}
    for trace in spec["data"]:
        if "error_y" in trace:
            bars = trace["error_y"]
            for x, y, up, down in zip(
                trace["x"], trace["y"], bars["array"], bars["arrayminus"], strict=True
            ):
                if x is not None:
                    drawn[round(x), y] = (y - down, y + up)
    for cell in found.cells:
        place = found.question.values.index(cell.value)
        assert drawn.pop((place, cell.mean)) == pytest.approx((cell.low, cell.high))
    assert drawn == {}


@pytest.mark.parametrize("found", ALL[:1], ids=["first"])
def test_baselines_are_lines_with_their_numbers(found):
    traces = {trace["name"].partition(":")[0]: trace for trace in study_chart(found)["data"]}
    assert set(traces["seasonal naive forecast"]["y"]) == {found.baseline_crps}
    assert set(traces["the model before its first step"]["y"]) == {found.untrained_crps}


def test_training_without_privacy_is_joined_to_no_budget():
    """A line from the largest epsilon on would show errors of budgets in between."""
    found = next(one for one in ALL if one.question.name == "budget")
    trace = study_chart(found)["data"][0]
    assert trace["y"][-2] is None
    assert "no bound on ε" in trace["text"][-1]
    assert all("ε ≤ " in text for text in trace["text"][:-2])


def tally(*counts, changed=0):
    return Tally(
        participants=9,
        round=len(counts),
        is_shown=True,
        is_closed=False,
        counts=counts,
        changed=changed,
    )


CHOICES = {"d": "455", "b": "336", "c": "Both the same", "a": "One window from each of 32 series"}


def test_words_stand_beside_the_votes_of_their_choice():
    """Each phone has other letters. A number is a word, too: no place on an axis."""
    now = tally({"a": 5, "d": 1})
    chart = votes_chart(now, CHOICES)
    (bars,) = chart["data"]
    axis = chart["layout"]["yaxis"]
    assert (bars["x"], bars["y"], axis["tickvals"]) == ([1, 0, 0, 5], [0, 1, 2, 3], [0, 1, 2, 3])
    assert axis["ticktext"] == [
        "455", "336", "Both the same", "One window from each of 32<br>series",
    ]  # fmt: skip
    assert votes_description(now, CHOICES).endswith(
        "Votes: “455”: 1, “336”: 0, “Both the same”: 0, “One window from each of 32 series”: 5."
    )


def test_the_vote_before_stands_beside_the_last_one():
    before, after = votes_chart(tally({"b": 1}, {"b": 2}, {"c": 2}), CHOICES)["data"]
    assert (before["x"], after["x"]) == ([0, 2, 0, 0], [0, 0, 2, 0])
    assert [before["name"], after["name"]] == ["before", "after talking"]


def test_what_was_chosen_most_is_named_by_its_words():
    """In their order from the top; each phone has other letters."""
    for counts, said in (
        ({"b": 1, "d": 2}, "Most chosen: “455”, 2 of 3"),
        ({"b": 2, "c": 2, "d": 1}, "“336” and “Both the same” tie, 2 votes each"),
        ({"c": 1, "b": 1, "d": 1}, "“455”, “336” and “Both the same” tie, 1 vote each"),
        (dict.fromkeys("abcd", 1), "All choices tie, 1 vote each"),
        ({}, "No votes"),
    ):
        assert votes_title(tally(counts), CHOICES) == said
    again = votes_title(tally({"a": 1}, {"b": 1}, changed=1), CHOICES)
    assert again == "Most chosen: “336”, 1 of 1; 1 changed"


def test_scores_are_counted_and_the_ceiling_is_rounded_up():
    game = membership_game(PRESETS["toy"].scenario, "certain", 1)  # at most 0.8413...
    scores = (3, 7, 7)
    figure = scores_chart(scores, game)
    assert figure["data"][0]["y"] == [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]
    assert figure["layout"]["yaxis"]["dtick"] == 1  # participants are whole
    assert "dtick" not in scores_chart([5] * 31, game)["layout"]["yaxis"]
    (line,) = figure["layout"]["shapes"]
    assert line["x0"] == line["x1"] == 10 * game.at_most.share
    assert "at most 8.42 on average" in figure["layout"]["annotations"][0]["text"]
    said = scores_sentence(scores, game)
    assert "17 of 30 rounds right, 56.7 %" in said
    assert "more often than 84.14 % in the long run (upper bound, " in said
    assert scores_sentence((), game).startswith("Nobody")


@pytest.mark.parametrize(
    ("name", "told"), [("epsilon_upper", "17.6"), ("epsilon_lower", "17.59"), ("r", "17.5955")]
)
def test_bounds_of_a_sweep_are_rounded_to_their_side(name, told):
    assert _short(17.5955, name) == told
