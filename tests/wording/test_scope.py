"""Who is protected, and what a bound needs, is said of every run and of each only once."""

import pytest

from dpviz.scenario.mechanism import TOP_LEVELS
from dpviz.wording.scope import TOP_LEVEL_NAMES, caveats, conditions, protection_sentence
from tests.planning.kinds import RUNS, curves_of_kind

EVENT = "any single value of one series (1-event privacy, substitution)"


def runs_of(**kinds):
    return [(label.replace("_", " "), curves_of_kind(name)) for label, name in kinds.items()]


def test_runs_with_one_relation_share_one_sentence():
    for runs in (runs_of(now="drawn"), runs_of(now="drawn", pin_A="walked", pin_B="shuffled")):
        assert protection_sentence(runs) == f"Protected is {EVENT}."


def test_runs_with_different_relations_are_told_apart():
    """Beside each other they would look as if they promised the same people the same."""
    text = protection_sentence(runs_of(now="drawn", pin_A="wide and noisy"))
    assert text.startswith(
        f"The runs differ in who is protected. Now: {EVENT}. Pin A: any 3 values"
    )
    assert "any 3 values of one series (3-user privacy, substitution)." in text


def test_each_need_is_listed_once_with_its_theorem():
    bounds = [
        curves_of_kind(name).upper.bound
        for name in ("noise on labels", "wide and noisy", "shuffled", "shuffled", "drawn")
    ]
    text = conditions(bounds)
    assert text.count("Theorem G.1 holds if no value changes by more than v") == 1
    assert text.count("Theorem G.1: dpviz's extension: ") == 1
    assert text.count("Theorem 4.2: dpviz's extension: no amplification is claimed") == 1
    assert text.count("the shuffle.") == 1
    assert "4.4" not in text


@pytest.mark.parametrize("name", ["drawn", "walked", "several windows", "one step"])
def test_bounds_that_need_nothing_more_are_not_qualified(name):
    bound = curves_of_kind(name).upper.bound
    assert conditions([bound, bound]) == ""
    assert caveats(bound) == ""


@pytest.mark.parametrize("name", RUNS)
def test_caveats_are_whole_sentences(name):
    bound = curves_of_kind(name).upper.bound
    text = caveats(bound)
    assert (f"It holds if {bound.condition}." in text) == bool(bound.condition)
    assert not bound.extension or text.lower().endswith(f"{bound.extension.lower()}.")
    assert "  " not in text


def test_every_way_of_choosing_series_has_a_name_of_its_own():
    assert set(TOP_LEVEL_NAMES) == set(TOP_LEVELS)
    assert len(set(TOP_LEVEL_NAMES.values())) == len(TOP_LEVELS)
