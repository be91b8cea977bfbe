"""What is said of a small run: how far from naive and no privacy, and when noise was too much."""

from dataclasses import replace

import pytest

from dpviz.planning.target import Target
from dpviz.planning.ways import to_less_noise
from dpviz.training.progress import Progress
from dpviz.training.small_run import WithoutPrivacy
from dpviz.wording.training_verdict import (
    beside_words,
    has_risen,
    is_too_noisy,
    next_words,
    risen_words,
)
from tests.training.small_runs import result, told


def with_course(*errors):
    """Return the usual result with other errors of held-out windows."""
    first = result().curve[0]
    rows = [replace(first, step=at, validation_crps=error) for at, error in enumerate(errors)]
    assert all(isinstance(row, Progress) for row in rows)
    return replace(result(), curve=tuple(rows), crps=0.119, baseline_crps=0.17)


def test_distances_are_those_of_the_errors():
    said = beside_words(with_course(0.2, 0.1), WithoutPrivacy(crps=0.1))
    assert "**30 % below** the seasonal naive forecast" in said
    assert "**19 % above** the same model without privacy (0.1), by one run each" in said


@pytest.mark.parametrize("crps", [None, float("inf"), float("nan")])
def test_what_has_no_finite_error_is_nothing_to_compare_with(crps):
    found = with_course(0.2, 0.1)
    assert "without privacy" not in beside_words(found, WithoutPrivacy(crps=crps))
    assert beside_words(replace(found, crps=float("inf")), WithoutPrivacy(crps=0.1)) == ""
    assert not is_too_noisy(with_course(0.108, 0.119), WithoutPrivacy(crps=crps))


def test_an_error_that_rises_is_named_with_its_reason():
    risen = with_course(0.108, 0.105, 0.119)
    said = risen_words(risen, WithoutPrivacy(crps=0.1))
    assert "**The held-out error rose** from 0.108, before the first step, to 0.119" in said
    assert "too much noise for these data" in said
    # Where the same model does no better without noise, noise is not to blame.
    assert "noise is not the reason" in risen_words(risen, WithoutPrivacy(crps=0.12))
    assert not has_risen(with_course(0.119, 0.108))
    assert risen_words(with_course(0.119, 0.108), WithoutPrivacy(crps=0.1)) == ""


def test_what_to_try_next_halves_the_noise_at_the_same_epsilon():
    found = result()
    goal = Target(epsilon=found.spent.epsilon, delta=found.spent.delta)
    scenario = found.settings.scenario
    way = to_less_noise(scenario, "steps", goal)
    said = next_words(way, is_public=False)
    assert f"Training steps asked for {int(way.after):,} instead of 20" in said
    assert "a budget of its own" in said
    assert "a budget of its own" not in next_words(way, is_public=True)
    assert "a larger ε or more series" in next_words(None, is_public=True)


def test_trained_runs_tell_all_of_it():
    *_, without, last = told()
    assert "without privacy" in beside_words(last, without)
