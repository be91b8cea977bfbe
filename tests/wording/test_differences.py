"""The comparison with pinned runs claims no more than was proven."""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings

from dpviz.planning.comparison import differences
from dpviz.planning.curves import ScenarioCurves, curves_of
from dpviz.scenario import PRESETS, Scenario, ScenarioError
from dpviz.settings import SETTINGS
from dpviz.wording.differences import (
    LONGEST_LABEL,
    PinnedRun,
    differences_notes,
    differences_table,
    pin_label,
)
from dpviz.wording.scope import run_length
from dpviz.wording.setting_values import values_of
from tests.planning.brackets import with_bracket
from tests.planning.kinds import RUNS
from tests.scenario.changes import TOY, varied
from tests.scenario.strategies import scenarios
from tests.wording.reading import cells_of

QUIET = varied(TOY, noise_multiplier=2.0)
SHORT_AND_QUIET = varied(QUIET, steps=500)
LARGE = varied(TOY, num_series=1000, batch_size=500)
ONE_BAG = varied(TOY, top_level="flat")

proven = cache(curves_of)


def pin(name: str, scenario: Scenario, *, computed: bool = True) -> PinnedRun:
    return PinnedRun(
        name=name,
        scenario=scenario,
        curves=proven(replace(scenario, delta=TOY.delta)) if computed else None,
        costs=tuple(
            (found, proven(found.alone) if computed and found.alone is not None else None)
            for found in differences(TOY, scenario)
        ),
    )


def rows(table: str) -> dict[str, list[str]]:
    return {name: cells for name, *cells in cells_of(table)}


def effect(here: ScenarioCurves, there: ScenarioCurves) -> str:
    """What the table says about sigma 2 alone, where these were its curves."""
    (found,) = differences(TOY, QUIET)
    run = PinnedRun(name="A", scenario=QUIET, curves=there, costs=((found, there),))
    return rows(differences_table(here, run))[SETTINGS["noise_multiplier"].title][2]


def with_epsilon(low: float | None, high: float | None) -> ScenarioCurves:
    """Curves with another bracket of the upper bound and no lower bound."""
    curves = proven(TOY)
    upper = with_bracket(curves.upper, low, high)
    return replace(curves, upper=upper, lower=None)


def test_what_is_not_allowed_by_itself_is_said_to_be():
    told = rows(differences_table(proven(TOY), pin("A", LARGE)))
    assert told["Batch size Λ"] == ["32", "500", "only together with others"]
    assert told["Series N"][2].startswith("lowers")
    assert told["ε at δ = 10⁻⁷: upper (lower) bound"][2].startswith("all together: ")


def test_rates_against_a_data_set_are_one_row():
    by_rates = TOY.with_rates(bottom_rate=0.2)
    told = rows(differences_table(proven(TOY), pin("A", by_rates)))
    now, a, change = told["Data"]
    assert now == "N 320; L 20; L_C 1; L_F 1"
    assert a.startswith("r 0.2; ρ 0.1; steps per epoch 10")
    assert change.startswith("raises ε ≤ 19.03 to ≤ ")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (10.0, 12.5, "raises ε ≤ 10 to ≤ 12.5"),
        (10.001, 10.002, "raises ε ≤ 10.01 by less than 0.01"),
        (1.0, 0.0625, "lowers ε ≤ 1 to ≤ 0.0625"),
        (1_874_000.0, 1_000.0, "lowers ε ≤ 1,874,000 to ≤ 1,000"),
        (0.0, 3.0, "raises ε ≤ 0 to ≤ 3"),
        (None, 3.0, "proves ε ≤ 3, where now no finite ε is proven"),
        (3.0, None, "leaves no finite ε proven"),
    ],
)
def test_changes_are_told_with_direction_and_no_false_digits(before, after, said):
    """Without a lower bound none of them is called proven."""
    assert effect(with_epsilon(before, before), with_epsilon(after, after)) == said
    overlapping = effect(with_epsilon(10.0, 10.02), with_epsilon(10.01, 10.03))
    assert overlapping == "has ε ≤ 10.03: no change from ≤ 10.02 is resolved"
    assert effect(proven(TOY), proven(TOY)) == "leaves ε ≤ 19.03 as it is"


def test_a_smaller_bound_on_limited_changes_is_not_called_proven():
    """The larger one is on changes of any size: the two are not about the same."""
    limited = proven(replace(TOY, noise=replace(TOY.noise, forecast_noise=2.0)))
    assert limited.epsilon_upper < proven(TOY).epsilon_lower
    assert effect(proven(TOY), limited).endswith("to ≤ 13.03")


def test_who_is_in_one_series_is_not_called_unknown():
    several = varied(TOY, series_per_person=2)
    told = rows(differences_table(proven(TOY), pin("A", several)))
    assert told["Series per person, at most m"][:2] == ["1", "2"]


def test_where_no_lower_bound_is_proven_the_table_says_so():
    table = differences_table(proven(TOY), pin("A", RUNS["no lower bound"]))
    assert "(no lower bound proven)" in table
    assert "dpviz's Proposition 4" in table


def test_notes_on_several_tables_hold_for_each_of_them():
    """What only one of the pins needs is said, whichever it is."""
    noisy = varied(SHORT_AND_QUIET, width=3, forecast_noise=1.0)
    for pins in ([pin("A", noisy), pin("B", QUIET)], [pin("A", QUIET), pin("B", noisy)]):
        notes = differences_notes(proven(TOY), pins)
        assert "Each ε is for what its own run protects." in notes
        assert "Theorem G.1 holds if " in notes
        assert "Theorem G.1: dpviz's extension: " in notes
        assert "need not add up" in notes


def test_a_pin_with_the_same_run_differs_in_nothing():
    same = replace(TOY, delta=1e-5)
    table = differences_table(proven(TOY), pin("A", same))
    assert "nothing differs" in table
    assert pin_label(TOY, same) == "the same as now"


def test_bounds_at_another_delta_are_refused():
    (found,) = differences(TOY, QUIET)
    other = PinnedRun(
        name="A", scenario=QUIET, curves=proven(replace(QUIET, delta=1e-5)), costs=((found, None),)
    )
    with pytest.raises(ScenarioError, match="delta = 1e-05"):
        differences_table(proven(TOY), other)


@pytest.mark.parametrize(
    ("there", "label"),
    [
        (SHORT_AND_QUIET, "σ 2 instead of 1, 500 steps instead of 1,000"),
        (varied(TOY, epochs=3), "3 epochs instead of 1,000 steps"),
        (TOY.with_rates(), "rates r 0.1; ρ 0.1 instead of a data set"),
        (varied(TOY, level="user"), "values anywhere"),
        (ONE_BAG, "windows drawn from one bag"),
        (varied(TOY, series_per_person=2), "m 2 instead of 1"),
        # Who is protected comes first.
        (
            varied(SHORT_AND_QUIET, width=3),
            "w 3 instead of 1, σ 2 instead of 1, 500 steps instead of 1,000",
        ),
    ],
)
def test_labels_of_pins_say_what_differs(there, label):
    assert pin_label(TOY, there) == label


def test_long_labels_end_in_how_many_differences_they_leave_out():
    traffic = PRESETS["traffic"].scenario
    label = pin_label(TOY, traffic)
    assert label.startswith("N 862 instead of 320, L 17,544 instead of 20")
    assert label.endswith("instead of 20, L_C 96 instead of 1, 4 more differences")
    assert len(label) <= LONGEST_LABEL
    few = varied(TOY, width=3, batch_size=64, noise_multiplier=2.0, steps=10, num_channels=2)
    assert pin_label(TOY, few).endswith(", 10 steps instead of 1,000, 1 more difference")


@settings(max_examples=50)
@given(scenarios(), scenarios())
def test_any_two_runs_have_a_short_label_and_a_table(here, there):
    """No field is without a label, a symbol and a readable value."""
    label = pin_label(here, there)
    assert "\n" not in label
    assert len(label) <= LONGEST_LABEL + len(", 19 more differences")
    found = tuple((difference, None) for difference in differences(here, there))
    curves = replace(proven(TOY), scenario=here)
    told = rows(
        differences_table(curves, PinnedRun(name="A", scenario=there, curves=None, costs=found))
    )
    follows = here.training == there.training and run_length(here) != run_length(there)
    assert len(told) == 4 + len({difference.group for difference, _ in found}) + follows


def test_steps_that_follow_from_as_many_epochs_are_told():
    here, there = (varied(TOY, epochs=3, batch_size=batch) for batch in (32, 64))
    costs = tuple((found, None) for found in differences(here, there))
    run = PinnedRun(name="A", scenario=there, curves=None, costs=costs)
    told = rows(differences_table(replace(proven(TOY), scenario=here), run))
    lengths = ["3 epochs (30 steps)", "3 epochs (15 steps)"]
    assert told["Training length"] == [*lengths, "follows from the rows above"]
    assert pin_label(here, there) == "Λ 64 instead of 32, 15 steps instead of 30"
    # Given in steps, it is no other one.
    assert pin_label(TOY, varied(TOY, batch_size=64)) == "Λ 64 instead of 32"


def test_values_that_differ_never_look_the_same():
    near = [varied(TOY, noise_multiplier=sigma) for sigma in (1.0, 1.0000001, 2.0)]
    assert values_of("noise_multiplier", near) == ["1", "1.0000001", "2"]


def test_a_setting_that_was_found_is_told_exactly():
    """A noise multiplier of 1.9255 is enough for a goal that 1.925 misses."""
    found = [varied(TOY, noise_multiplier=sigma) for sigma in (1.9255, 16.688, 1 / 3)]
    assert values_of("noise_multiplier", found) == ["1.9255", "16.688", "0.3333"]
    # Also where what it is to be told from stands in another table.
    for sigma in (16.6881234, 16.6881235):
        assert values_of("noise_multiplier", [varied(TOY, noise_multiplier=sigma)]) == [str(sigma)]


def test_long_lists_of_lengths_that_differ_never_look_the_same():
    lists = [(10, 20, 30, 40), (10, 25, 30, 40)]
    told = values_of("series_length", [varied(TOY, series_lengths=one) for one in lists])
    assert told == [f"4 lengths from 10 to 40, {length} among them" for length in (20, 25)]
    (alone,) = values_of("series_length", [varied(TOY, series_lengths=lists[0])])
    assert alone == "4 lengths from 10 to 40"
