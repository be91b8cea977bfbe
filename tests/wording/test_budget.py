"""Sentences about the course of training and a budget's end say no more than is proven."""

from dataclasses import replace

import pytest

from dpviz.planning.budget import budget_point, counts_alike, used_up
from dpviz.scenario import Noise
from dpviz.wording.budget import (
    budget_description,
    budget_title,
    lasting_table,
    nothing_drawn,
    target_label,
    target_sentence,
    where_told,
)
from dpviz.wording.proven_epsilon import upper_hover
from tests.planning.brackets import with_bracket
from tests.scenario.changes import TOY, varied
from tests.wording.reading import cells_of, numbers_after

WALK = varied(TOY, top_level="deterministic")


def hover_of(scenario, count):
    point = budget_point(scenario, count)
    return upper_hover(point, where_told(scenario, counts_alike(scenario, point)))


def test_hover_tells_the_steps_that_cost_the_same():
    hover = hover_of(WALK, 995)
    assert "after 991 to 1,000 steps: upper bound, Theorem 4.2, 100 epochs" in hover


@pytest.mark.parametrize(
    ("target", "title", "label"),
    [
        (10.0, "is used up after {:,} of 1,000 steps", "used up after {:,} steps"),
        (40.0, "lasts for 1,000 steps, and is used up after {:,}", "used up after {:,} steps"),
        (1.0, "is not proven even for 1 step", "not proven even for 1 step"),
    ],
)
def test_titles_and_labels_tell_what_became_of_the_target(target, title, label):
    found = used_up(TOY, target)
    assert budget_title(TOY, [], found).endswith(title.format(found.count))
    assert target_label(target, found) == (f"target ε = {target:g}", label.format(found.count))


def test_exceeding_a_target_is_only_claimed_where_a_lower_bound_proves_it():
    found = used_up(TOY, 10.0)
    unproven = target_sentence(TOY, found, [budget_point(TOY, 130)])
    assert "is proven for up to 126 steps** for any single value of one series (upper" in unproven
    assert "no analysis can promise" not in unproven
    assert "bound, Theorem 4.4 composed over 126 steps). " in unproven
    proven = target_sentence(TOY, found, [budget_point(TOY, 130), budget_point(TOY, 200)])
    assert "After 200 steps no analysis can promise" in proven
    (least,) = numbers_after("less than ε = ", proven)
    assert 10.0 < least <= budget_point(TOY, 200).epsilon_lower


def test_a_condition_is_told_with_the_target_and_where_the_line_is_pointed_at():
    noisy = varied(TOY, noise_multiplier=1.0, forecast_noise=1.0)
    condition = "if no value changes by more than v, the unit of the noise"
    assert f"; {condition}" in target_sentence(noisy, used_up(noisy, 9))
    assert condition in hover_of(noisy, 10)


def test_what_is_dpvizs_own_in_a_bound_is_told_once_with_the_target_and_without():
    shuffled = varied(TOY, top_level="shuffled")
    own, points = "dpviz's extension: no amplification is claimed", [budget_point(shuffled, 10)]
    for target in (10.0, 40.0):
        found = used_up(shuffled, target)
        assert target_sentence(shuffled, found).count(own) == 1
        assert budget_description(shuffled, points, found).count(own) == 1
    assert budget_description(shuffled, points).count(own) == 1
    assert "with dpviz's extension" in hover_of(shuffled, 10)
    assert "dpviz" not in target_sentence(TOY, used_up(TOY, 10.0))


def with_upper(count, high, scenario=TOY):
    point = budget_point(scenario, count)
    upper, lower = with_bracket(point.upper, 0.0, high), with_bracket(point.lower, 0.0, 0.0)
    return replace(point, upper=upper, lower=lower)


def test_what_has_no_place_on_the_axis_is_told_as_far_as_it_is_known():
    """Epsilon never falls, so the longest training speaks for all that are shorter."""
    zeros = [with_upper(count, 0.0) for count in (300, 1)]
    assert nothing_drawn(TOY, zeros) == "ε is 0 at δ = 10⁻⁷ for up to 300 steps"
    assert nothing_drawn(TOY, zeros[1:]) == "ε is 0 at δ = 10⁻⁷ for up to 1 step"
    # Where an epoch counts whole, its steps do.
    assert nothing_drawn(WALK, [with_upper(991, 0.0, WALK)]).endswith("for up to 1,000 steps")
    # Where a line is drawn, nothing explains its absence.
    assert nothing_drawn(TOY, [with_upper(1, 0.0), budget_point(TOY, 10)]) == ""
    assert nothing_drawn(TOY, []) == ""
    endless = [with_upper(1, 0.0), with_upper(1000, None)]
    assert nothing_drawn(TOY, endless) == "No finite ε is proven at δ = 10⁻⁷"


EPOCHS = varied(TOY, epochs=100)
QUIET = replace(TOY.with_rates(bottom_rate=1e-3, top_rate=1e-2), noise=Noise(noise_multiplier=10.0))
BAG = varied(TOY, top_level="flat")


@pytest.mark.parametrize(
    ("scenario", "target", "told"),
    [
        # Training can be set no longer than that, so nothing is known of longer ones.
        (QUIET, 10.0, "at least 10,000,000 steps"),
        (TOY, 1.0, "not even 1 step"),
        (EPOCHS, 1.0, "not even 1 epoch"),
        (BAG, 10.0, " steps"),
    ],
)
def test_how_long_a_budget_lasts_is_told_as_far_as_it_is_proven(scenario, target, told):
    table = lasting_table([("now", used_up(scenario, target))])
    assert cells_of(table)[-1][1].partition(" (")[0].endswith(told)
