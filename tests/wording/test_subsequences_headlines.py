"""The main sentences about windows per series: numbers on their sound sides, with their scope."""

from dataclasses import replace
from functools import lru_cache

import pytest

from dpviz.planning import curves_of
from dpviz.planning.over_steps import delta_over_steps
from dpviz.planning.subsequences import with_subsequences
from dpviz.scenario import PRESETS
from dpviz.wording.subsequences import (
    batch_notes,
    curves_headline,
    curves_title,
    steps_headline,
    winner_title,
)
from tests.planning.kinds import RUNS, TOY, curves_of_kind, sampled
from tests.wording.reading import jargon_in, numbers_after

WALK = sampled(top_level="deterministic", batch_size=320)


@lru_cache(maxsize=8)
def toy_curves(windows):
    return curves_of(with_subsequences(TOY, windows))


@lru_cache(maxsize=8)
def over_steps(windows):
    return delta_over_steps(with_subsequences(WALK, windows), 1.0, (1, 2, 3))


@pytest.mark.parametrize("others", [(2,), (2, 8), (2, 4, 8)])
def test_the_first_and_the_last_run_are_quoted_on_their_sound_sides(others):
    """More numbers than two would be no headline."""
    one, *rest = [toy_curves(windows) for windows in (1, *others)]
    text = curves_headline(one, rest)
    uppers, lowers = numbers_after("ε ≤ ", text), numbers_after("; ≥ ", text)
    for curves, upper, lower in zip((one, rest[-1]), uppers, lowers, strict=True):
        assert curves.epsilon_upper <= upper <= 1.001 * curves.epsilon_upper
        assert 0.999 * curves.epsilon_lower <= lower <= curves.epsilon_lower
    assert "**1 window per series: " in text
    assert f"**{others[-1]} windows per series: " in text


def test_the_finding_comes_first_and_the_scope_is_told():
    one, others = toy_curves(1), [toy_curves(2), toy_curves(8)]
    text = curves_headline(one, others)
    assert text.startswith(winner_title(one, others) + ". ")
    assert "At δ = 10⁻⁷, for any single value of one series, series drawn at random: " in text
    assert text.endswith(".")
    assert jargon_in(text) == []


def test_a_run_alone_wins_nothing():
    alone = curves_of(with_subsequences(sampled(batch_size=1), 1))
    text = curves_headline(alone, [])
    assert text.startswith(
        "No other number of windows per series is possible in batches of 1. At δ = 10⁻⁷, "
    )
    assert "proven" not in text
    assert len(numbers_after("ε ≤ ", text)) == 1


def test_where_a_bound_is_missing_none_is_quoted():
    text = curves_headline(toy_curves(1), [curves_of_kind("no finite epsilon")])
    assert "windows per series: no finite ε proven**. All make" in text
    text = curves_headline(curves_of_kind("no lower bound"), [])
    assert "attained" not in text
    assert "≥" not in text


def test_delta_over_steps_is_quoted_at_the_last_step_on_its_sound_sides():
    one, others = over_steps(1), [over_steps(2), over_steps(4)]
    text = steps_headline(one, others)
    assert text.startswith("After 3 steps, at ε = 1, for any single value of one series, ")
    assert "series walked through in order" in text
    uppers, lowers = numbers_after("δ ≤ ", text), numbers_after("≥ ", text)
    for run, upper, lower in zip((one, others[-1]), uppers, lowers, strict=True):
        high, low = run.upper.delta_high[-1], run.lower.delta_low[-1]
        assert high <= upper <= 1.01 * high
        assert 0.99 * low <= lower <= low
    assert jargon_in(text) == []


def test_delta_over_steps_without_a_lower_bound_claims_none():
    text = steps_headline(delta_over_steps(RUNS["no lower bound"], 1.0, (1,)), [])
    assert text.startswith("After 1 step, ")
    assert "attained" not in text
    assert "≥" not in text
    assert text.endswith(
        "(dpviz's Proposition 4, 1 step)**. dpviz's Proposition 4: no amplification by noise on "
        "context or labels is claimed."
    )


def test_delta_over_steps_names_its_theorems_and_claims_no_line_of_the_paper():
    text = steps_headline(over_steps(1), [over_steps(4)])
    assert "**1 window per series: δ ≤ " in text
    assert "(Theorem 4.2, 3 epochs; ≥ " in text
    assert "(dpviz's Proposition 1, 1 epoch; ≥ " in text
    paper = delta_over_steps(with_subsequences(WALK, 4), 1.0, (1, 8), lower_as_in_the_paper=True)
    assert "attained" not in steps_headline(paper, [])


def test_before_all_runs_are_there_no_finding_is_claimed():
    """A run that is still computed might be the most private one."""
    one, others = toy_curves(1), [toy_curves(2)]
    title = curves_title(one, others, is_complete=False)
    assert title == "After 1,000 steps: more runs are being computed"
    text = curves_headline(one, others, is_complete=False)
    assert text.startswith(f"{title}. At δ = ")
    assert "proven" not in text
    assert curves_title(one, others) == winner_title(one, others)
    # However many are drawn, the sentence is the same: no chart can belong to another one.
    assert text == curves_headline(one, [], is_complete=False)
    assert "2 windows" not in text


def test_headlines_tell_what_both_runs_need_once():
    noisy = RUNS["noise on labels"]
    short = replace(noisy, training=replace(noisy.training, count=3))
    text = curves_headline(curves_of(short), [curves_of(short)])
    assert text.count("holds if no value changes by more than v") == 1
    run = delta_over_steps(short, 1.0, (1, 3))
    assert steps_headline(run, [run]).count("holds if no value changes by more than v") == 1


def test_batches_that_are_smaller_than_the_rest_are_told():
    traffic = PRESETS["traffic"].scenario
    # 256 windows are 85 series of 3, so that one is missing.
    assert any(
        "3 windows" in note
        for note in batch_notes([with_subsequences(traffic, windows) for windows in (1, 3, 8)])
    )
    assert batch_notes([with_subsequences(TOY, windows) for windows in (1, 2, 4)]) == []


def test_headline_tells_the_epochs_that_the_same_steps_are():
    told = curves_headline(toy_curves(1), [toy_curves(4)])
    assert "All make 1,000 steps: 100 epochs with 1 window per series, 25 with 4." in told
