"""Sentences about draws in stages: no claim reads as a bound, each number is on its side."""

import re

import pytest

from dpviz.export.answers import staged_answer
from dpviz.multistage import amplified, comparison
from dpviz.multistage.guarantee import EXAMPLES, draw_in
from dpviz.planning.multistage import STAGED_LINES, delta_at, staged_line
from dpviz.settings import SETTINGS
from dpviz.ui.texts import text
from dpviz.wording.multistage import (
    LINE_NAMES,
    comparison_words,
    moments_text,
    staged_certificate,
    staged_finding,
    staged_headline,
    staged_title,
)

DRAW, NOISE, EPISODES, EPSILON = draw_in("2:3,2:5"), 1.0, 3, 0.7


@pytest.fixture(scope="module")
def lines():
    return {name: staged_line(name, DRAW, NOISE, EPISODES, EPSILON) for name in STAGED_LINES}


def test_headline_rounds_bounds_to_their_sides_and_scopes_them(lines):
    said = staged_headline(lines, DRAW, EPISODES, EPSILON)
    assert float(re.search(r"δ ≤ ([\d.]+)\*", said)[1]) >= delta_at(lines["upper"], EPSILON)
    assert float(re.search(r"δ ≥ ([\d.]+)\*", said)[1]) <= delta_at(lines["lower"], EPSILON)
    assert "composed), for one record that another one replaces" in said
    assert said.partition("**Not a bound**: δ = ")[2].endswith(
        ", which the printed theorem claims."
    )
    assert "promises nothing" not in said


def test_propositions_say_of_which_document_they_are(lines):
    """Others of the same numbers are in docs/tighter-bounds.md."""
    one, two = "Proposition 1 of docs/multistage.md", "Proposition 2 of docs/multistage.md"
    assert f"(upper bound, {one}, composed)" in staged_headline(lines, DRAW, EPISODES, EPSILON)
    assert one in LINE_NAMES["upper"]
    assert two in LINE_NAMES["lower"]
    found = comparison(DRAW, NOISE, EPSILON)
    told = staged_certificate(lines) + comparison_words(DRAW, NOISE, found)
    told += moments_text(DRAW, NOISE, lines["upper"])
    assert told.count("Proposition") == told.count("of docs/multistage.md") == 2


def test_a_delta_of_one_promises_nothing():
    upper = staged_line("upper", DRAW, 0.5, 100, EPSILON)
    said = staged_headline({"upper": upper}, DRAW, 100, EPSILON)
    assert said.startswith(f"**δ ≤ 1**, which promises nothing, at ε = {EPSILON} after")


def test_of_a_quick_line_no_other_side_is_told(lines):
    quick = staged_line("upper", DRAW, NOISE, EPISODES, EPSILON, only_quoted=True)
    assert re.search(r"docs/multistage.md: ε ≤ [\d.]+\.$", staged_certificate({"upper": quick}))
    assert "lies between" in staged_certificate(lines)


def test_what_is_not_known_yet_is_not_told(lines):
    said = staged_headline({"upper": lines["upper"]}, DRAW, EPISODES, EPSILON)
    assert "≥" not in said
    assert "printed" not in said
    assert "printed" not in staged_title({"upper": lines["upper"]}, EPISODES, EPSILON)


def test_finding_names_the_levels_that_do_not_amplify_epsilon():
    assert "A drawn unit of level 1 gives several records" in staged_finding(DRAW, NOISE, EPSILON)
    assert "several" not in staged_finding(draw_in("5:64,1:20"), NOISE, EPSILON)
    assert "as printed: unsound" in staged_finding(DRAW, NOISE, EPSILON)


def test_the_level_of_the_unit_that_gives_several_records_amplifies_no_epsilon_itself():
    """Nothing lies above level 1 of 1:2,3:6, and yet it amplifies δ alone."""
    draw = draw_in("1:2,3:6")
    assert (draw.hidden_from, draw.outer_rate, draw.inner_rate) == (1, 0.5, 0.5)
    assert amplified(draw, 1.0, 1.0).epsilon == amplified(draw_in("3:6"), 1.0, 1.0).epsilon
    _, note, *_ = staged_answer(draw, 1.0, 1, "proven", [1.0])["notes"]
    assert note == (
        "a drawn unit of level 1 gives several records: the levels down to it amplify delta only"
    )
    assert "its own level and those above it then do not amplify ε" in text("multistage_truth")


def test_each_line_s_epsilon_is_that_of_its_own_bound(lines):
    said = staged_certificate(lines)
    assert said.count("the exact value of this bound lies between") == 2
    assert said.count("the claimed ε lies between") == 1


def test_the_epsilon_of_an_example_has_few_digits():
    example = EXAMPLES["two-classes"]
    for epsilon, told in ((0.6201145069582775, "at ε ≈ 0.6201. "), (0.7, "at ε = 0.7. ")):
        found = comparison(example.draw, example.noise_multiplier, epsilon)
        assert told in comparison_words(example.draw, example.noise_multiplier, found)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_told_as_they_are(name):
    example = EXAMPLES[name]
    found = comparison(example.draw, example.noise_multiplier, example.epsilon)
    said = comparison_words(example.draw, example.noise_multiplier, found)
    rows = {row.split("|")[1].strip(): row for row in said.splitlines() if row.startswith("|")}
    assert "**false**" in rows["as printed (unsound)"]
    several = next(row for start, row in rows.items() if start.startswith("the printed formula"))
    assert ("**false**" in several) == (name == "two-classes")
    assert ("tight" in said) == (name != "two-classes")


def test_every_example_has_a_name():
    assert set(SETTINGS["staged_example"].choices) == {"own", *EXAMPLES}


def test_levels_that_take_all_there_is_are_not_said_to_amplify():
    assert "amplify ε, too" in staged_finding(DRAW, NOISE, EPSILON)
    assert "amplify ε, too" not in staged_finding(draw_in("1:10,5:5"), NOISE, EPSILON)


def test_a_claim_hardly_below_the_truth_is_not_called_1_time_too_small():
    draw = draw_in("5:5,1000:1000000")
    said = comparison_words(draw, 0.1, comparison(draw, 0.1, 2.0))
    assert "**false**: too small |" in said


def test_a_bracket_without_width_is_told_as_a_number():
    draw = draw_in("1:10000,1:100000")
    upper = staged_line("upper", draw, 1.0, 1, EPSILON)
    assert staged_certificate({"upper": upper}).endswith("the exact value of this bound is 0.")


def test_numbers_too_small_to_matter_are_not_spelled_out():
    """A claim of 10^-96 is not called so many times too small, nor a bound of 0 a finding."""
    draw = draw_in("4:50,2:10,3:25")
    said = comparison_words(draw, 3.0, comparison(draw, 3.0, 1.0))
    assert "000,000" not in said
    assert "below 10⁻¹²" in said
    lines = {name: staged_line(name, draw, 3.0, 1000, 1.0) for name in STAGED_LINES}
    assert "δ ≥" not in staged_headline(lines, draw, 1000, 1.0)
    for epsilon, told in ((10.0, "Proposition 1"), (1e-3, "**Not a bound**: δ below 10⁻¹², which")):
        noise = 5.0 if epsilon == 10.0 else 40.0
        lines = {name: staged_line(name, draw, noise, 1, epsilon) for name in STAGED_LINES}
        said = staged_headline(lines, draw, 1, epsilon)
        assert told in said
        assert ("Not a bound" in said) == (delta_at(lines["upper"], epsilon) >= 1e-12)
