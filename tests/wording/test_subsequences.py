"""Sentences about windows per series claim what is proven, and no more."""

import re
from functools import lru_cache

import pytest

from dpviz.planning import Order, Stretch, curves_of
from dpviz.planning.hit_laws import hit_law
from dpviz.planning.order import winning_region
from dpviz.planning.over_steps import after_steps, delta_over_steps
from dpviz.planning.subsequences import with_subsequences
from dpviz.scenario import PRESETS
from dpviz.wording.hit_laws import hits_explanation, hits_title
from dpviz.wording.subsequences import (
    batch_notes,
    curves_headline,
    curves_title,
    epochs_note,
    order_sentences,
    over_steps_description,
    over_steps_title,
    places,
    steps_headline,
)
from tests.planning.kinds import RUNS, TOY, sampled
from tests.scenario.changes import varied
from tests.wording.reading import jargon_in, numbers_after


@lru_cache(maxsize=32)
def toy_curves(windows, steps=1000):
    return curves_of(with_subsequences(after_steps(TOY, steps), windows))


@lru_cache(maxsize=32)
def figure_10(windows):
    rates = TOY.with_rates(bottom_rate=0.5, top_rate=1.0)
    walk = varied(rates, batch_size=320, top_level="deterministic")
    return delta_over_steps(with_subsequences(walk, windows), 1.0, range(1, 17))


def test_crossings_are_rounded_to_the_inside_of_what_was_proven():
    one, other = toy_curves(1, 1000), toy_curves(2, 1000)
    first = winning_region(one, [other])[1]
    assert first.start < 1.91
    title = curves_title(one, [other])
    assert title.endswith("above ε = 1.91, wherever δ ≥ 10⁻¹²")


def test_title_after_one_step_claims_no_win_at_small_epsilons():
    title = curves_title(toy_curves(1, 1), [toy_curves(windows, 1) for windows in (2, 32)])
    assert title == (
        "After 1 step, 1 window per series is provably the most private above ε = 0.0871, "
        "wherever δ ≥ 10⁻¹², and provably not the most private below ε = 0.0831"
    )


def test_nobody_is_the_most_private_who_is_never_proven_more_private_than_some_other():
    """Where its own δ is negligible only the others with a larger one are compared."""
    runs = [
        curves_of(with_subsequences(PRESETS["traffic"].scenario, windows))
        for windows in (1, 2, 4, 32)
    ]
    one, two, *_ = runs
    assert order_sentences(one, [two])[0].endswith("no order is proven at any ε.")
    assert curves_title(one, runs[1:]) == (
        "After 12,000 steps, 1 window per series is provably more private than 4 and 32 "
        "wherever δ ≥ 10⁻¹²; against 2 no order is proven"
    )
    toy = [toy_curves(windows, 1000) for windows in (4, 1, 8)]
    assert curves_title(toy[0], toy[1:]).endswith(
        ", wherever δ ≥ 10⁻¹², and provably less private than some other below ε = 165"
    )


def test_an_order_is_told_no_further_than_it_was_looked_at():
    """Beyond that the tails may have another order."""
    one, other = toy_curves(1, 1000), toy_curves(8, 1000)
    assert order_sentences(one, [other]) == [
        "Against 8 windows per series, wherever δ ≥ 10⁻¹²: provably more private throughout."
    ]
    assert curves_title(one, [other]) == (
        "After 1,000 steps, 1 window per series is provably the most private wherever δ ≥ 10⁻¹²"
    )


def test_no_win_is_said_where_none_is_proven():
    poisson = sampled(bottom_level="poisson")
    runs = [curves_of(with_subsequences(poisson, windows)) for windows in (1, 2)]
    assert curves_title(runs[0], runs[1:]).endswith("is not provably the most private at any ε")
    assert order_sentences(runs[0], runs[1:]) == [
        "Against 2 windows per series on average: no order is proven at any ε."
    ]


def test_a_missing_lower_bound_is_given_as_the_reason():
    runs = [curves_of(RUNS["no lower bound"])] * 2
    assert "these settings have no lower bound" in order_sentences(runs[0], runs[1:])[0]
    assert "not provably" in curves_title(runs[0], runs[1:])


def test_unequal_means_are_not_called_equal():
    runs = [with_subsequences(sampled(batch_size=48), windows) for windows in (1, 32)]
    laws = [hit_law(run) for run in runs]
    assert "as often" not in hits_title(laws)
    assert "hit in fewer batches" in hits_title(laws)
    # 2 series of 16 or of 17 windows: more windows are drawn, and more batches are hit.
    odd = varied(TOY, batch_size=34)
    odd_laws = [hit_law(with_subsequences(odd, windows)) for windows in (1, 16, 17)]
    assert odd_laws[1].at_least(1) < odd_laws[2].at_least(1)
    assert hits_title(odd_laws) == "Hits of one batch, by windows per series"
    assert "0.015 with 1 window per series and 0.01 with 32" in hits_explanation(laws)
    (note,) = batch_notes(runs)
    assert note == (
        "With 32 windows per series a batch holds 32 windows, not 48: it has room for 1 series."
    )


def test_walks_are_explained_by_the_step_that_uses_the_series():
    runs = [with_subsequences(sampled(top_level="deterministic"), windows) for windows in (1, 8)]
    text = hits_explanation([hit_law(run) for run in runs])
    assert "uses the series: 0.1 with 1 window per series and 0.8 with 8. " in text
    assert "equally many steps are fewer epochs." in text
    assert epochs_note(*runs) == (
        "All make 1,000 steps: 100 begun epochs with 1 window per series, 13 with 8."
    )


@pytest.mark.parametrize(
    ("steps", "told"), [(1000, "about 3.12 with 32."), (3, "3 steps: less than one epoch.")]
)
def test_only_walks_count_a_begun_epoch_whole(steps, told):
    runs = [with_subsequences(varied(TOY, steps=steps), windows) for windows in (1, 32)]
    assert epochs_note(*runs).endswith(told)


def test_stairs_are_titled_with_the_steps_that_are_proven():
    assert over_steps_title(figure_10(1), [figure_10(2)]) == (
        "At ε = 1, 1 window per series is provably the most private after 1 to 11, 13 and 15 steps"
    )
    one, two = (delta_over_steps(run.scenario, 1.0, (1, 12)) for run in map(figure_10, (1, 2)))
    assert over_steps_title(one, [two]).endswith("the most private after 1 step")
    assert over_steps_title(figure_10(1), [figure_10(4)]).endswith("after each of these steps")
    assert over_steps_title(figure_10(2), [figure_10(1)]).endswith(
        "is not provably the most private after any of these steps"
    )


def test_before_all_runs_are_there_stairs_claim_nothing():
    """A run that is still computed might have the smaller delta."""
    one, other = figure_10(1), figure_10(2)
    title = over_steps_title(one, None)
    assert title == "At ε = 1: not all runs are computed"
    for others in ([other], []):
        text = over_steps_description([one, *others], is_complete=False)
        assert text.startswith(f"{title}. ")


def test_many_places_are_counted_instead_of_listed():
    """A chart's title cannot hold a list of ten."""
    region = tuple(
        Stretch(start=at / 8, end=at / 8, order=Order.FIRST if at % 2 else Order.UNPROVEN)
        for at in range(2, 12)
    )
    assert places(region, Order.FIRST, "throughout") == "at 5 places between ε = 0.375 and 1.37"


WALK = sampled(top_level="deterministic", batch_size=320)


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
    assert f"** (Theorem 4.4, 1,000 steps; ≥ {lowers[0]:g} attained); " in text
    assert f"**{others[-1]} windows per series: " in text


@pytest.mark.parametrize(("own", "told"), [(1, "18"), (8, "18"), (4, "148"), (16, "18")])
def test_the_visitors_own_windows_are_quoted_too(own, told):
    curves = [toy_curves(windows) for windows in (1, 2, 4, 8)]
    steps = [over_steps(windows) for windows in (1, 2, 4, 8)]
    headlines = (
        curves_headline(curves[0], curves[1:], own),
        steps_headline(steps[0], steps[1:], own),
    )
    for text in headlines:
        assert "".join(re.findall(r"\*\*(\d) windows? per series: ", text)) == told


def test_whom_one_window_beats_further_than_all_is_said_beside_where_it_beats_all():
    one, two, four, eight = (toy_curves(windows) for windows in (1, 2, 4, 8))
    assert [part.order for part in winning_region(one, [two])] != [Order.FIRST]
    text = curves_headline(one, [two, four, eight])
    assert ". It is provably more private than 4 and 8 throughout. At δ" in text
    assert "It is provably" not in curves_headline(one, [eight])  # the title says it
    assert "It is provably" not in curves_headline(one, [two])


def test_the_finding_comes_first_and_the_scope_is_told():
    one, others = toy_curves(1), [toy_curves(2), toy_curves(8)]
    text = curves_headline(one, others)
    assert text.startswith(curves_title(one, others) + ". It is provably more private than 8 ")
    assert "At δ = 10⁻⁷, for any single value of one series, series drawn at random: " in text
    assert jargon_in(text) == []


def test_a_run_alone_wins_nothing():
    alone = curves_of(with_subsequences(sampled(batch_size=1), 1))
    text = curves_headline(alone, [])
    assert text.startswith(
        "In batches of 1 no other number of windows per series is compared. At δ = 10⁻⁷, "
    )
    assert "proven" not in text
    assert len(numbers_after("ε ≤ ", text)) == 1
    law = hit_law(alone.scenario)
    assert hits_title([law]) == "Hits with 1 window per series"
    assert "for every λ" not in hits_explanation([law])
    assert epochs_note(alone.scenario, alone.scenario) == "All make 1,000 steps: about 3.12 epochs."


def test_a_lower_bound_of_zero_is_left_out():
    weak = varied(TOY, noise_multiplier=100.0, steps=1, delta=0.1)
    assert "≥" not in curves_headline(curves_of(weak), [])


def test_what_holds_of_several_runs_is_said_once():
    runs = [with_subsequences(sampled(batch_size=46), windows) for windows in (1, 4, 8, 16)]
    assert batch_notes(runs) == [
        "With 4, 8 and 16 windows per series a batch holds 44, 40 and 32 windows, not 46: it has "
        "room for 11, 5 and 2 series."
    ]
    by_coins = sampled(bottom_level="poisson", series_lengths=(3,), steps=1)
    runs = [with_subsequences(by_coins, windows) for windows in (1, 2, 4, 8)]
    assert batch_notes(runs) == [
        "A series has only 3 windows, not 4 or 8: each is drawn for sure, and the batch is smaller."
    ]
    assert epochs_note(*runs[::3]) == "All make 1 step: less than one epoch."


def test_delta_over_steps_is_quoted_at_the_last_step_on_its_sound_sides():
    one, others = over_steps(1), [over_steps(2), over_steps(4)]
    text = steps_headline(one, others)
    told = "After 3 steps, for any single value of one series, "
    assert text.startswith(f"{over_steps_title(one, others)}. {told}")
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
        "** (dpviz's Proposition 4, 1 step). dpviz's Proposition 4: no amplification by noise on "
        "context or labels is claimed."
    )


def test_before_all_runs_are_there_no_finding_is_claimed():
    """A run that is still computed might be the most private one."""
    one = toy_curves(1)
    title = curves_title(one, None)
    assert title == "After 1,000 steps: not all runs are computed"
    to_come = curves_title(one, None, goes_on=True)
    assert to_come.endswith("steps: bounds on runs with more windows per series are being computed")
    for told, goes_on in ((title, False), (to_come, True)):
        text = curves_headline(one, None, goes_on=goes_on)
        assert text.startswith(f"{told}. At δ = ")
        assert "proven" not in text


def test_what_both_runs_need_over_steps_is_told_once():
    run = delta_over_steps(varied(RUNS["noise on labels"], steps=3), 1.0, (1, 3))
    assert steps_headline(run, [run]).count("holds if no value changes by more than v") == 1
