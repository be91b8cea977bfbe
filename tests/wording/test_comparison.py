"""Runs side by side: sentences are checked on the numbers, cells are rounded to their sides."""

import math
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.planning import curves_of
from dpviz.planning.comparison import ComparedRun
from dpviz.scenario import Noise, Relation
from dpviz.wording.comparison import comparison_headline, comparison_notes, run_sentence
from dpviz.wording.comparison_table import columns, table_rows
from dpviz.wording.theorems import named_theorem
from tests.planning.kinds import RUNS, TOY, run_of, run_with
from tests.scenario.changes import varied
from tests.scenario.strategies import scenarios
from tests.wording.reading import jargon_in, number, numbers_after


def row(scenario) -> ComparedRun:
    return ComparedRun(name="pin B", scenario=scenario, curves=curves_of(scenario))


def large(batch, sigma):
    return varied(TOY, batch_size=batch, noise_multiplier=sigma)


def bare(sigma, batch, name) -> ComparedRun:
    return ComparedRun(name=name, scenario=large(batch, sigma), curves=None)


def test_another_batch_size_with_as_many_bins_makes_the_same_batches():
    def in_bins(size):
        scenario = varied(TOY, top_level="bins", batch_size=size)
        return ComparedRun(name=f"pin {size}", scenario=scenario, curves=None)

    now, run, fewer = in_bins(120), in_bins(150), in_bins(100)
    assert now.scenario.steps_per_epoch == run.scenario.steps_per_epoch == 2
    assert "the same noise per averaged gradient as pin 120;" in run_sentence(now, run)
    assert "because its batch, 160 windows on average, is 1.5 times" in run_sentence(fewer, run)
    assert "has the least" not in comparison_headline([now, run])


@settings(max_examples=80)
@given(*[st.floats(0.1, 100.0), st.integers(1, 320)] * 2)
def test_noise_sentences_hold_on_the_numbers(sigma, batch, others_sigma, others_batch):
    now, run = bare(sigma, batch, "now"), bare(others_sigma, others_batch, "pin A")
    said = run_sentence(now, run)
    ratio = run.noise_per_gradient / now.noise_per_gradient
    if found := re.search(r"\): (half|([\d.,]+) times) as much noise", said):
        told = 0.5 if found[1] == "half" else number(found[2])
        assert told == pytest.approx(ratio, rel=5e-3)
    elif found := re.search(r"\): (\S+) % (more|less) noise", said):
        sign = 1.0 if found[2] == "more" else -1.0
        assert 1.0 + sign * number(found[1]) / 100.0 == pytest.approx(ratio, rel=1e-3)
    elif "is the same run" in said:
        assert (sigma, batch) == (others_sigma, others_batch)
    else:
        assert "the same noise per averaged gradient" in said
        assert ratio == pytest.approx(1.0, rel=1e-3)  # to the digits that are told
    because, _, although = said.partition(", although ")
    less = ratio < 1.0
    assert "times less" not in said
    assert "times smaller" not in said
    start = said.partition("noise")[0]
    if "% more noise" in said or "% less noise" in said or "as much" in start:
        helps_batch = "its batch is" in because.partition("because")[2]
        assert helps_batch == ((others_batch > batch) == less and others_batch != batch)
        assert ("its batch is" in although) == (
            (others_batch > batch) != less and others_batch != batch
        )
        helps_sigma = "multiplier σ is" in because.partition("because")[2]
        assert helps_sigma == ((others_sigma < sigma) == less and others_sigma != sigma)


@pytest.mark.parametrize(
    ("kind", "private"), [("one step", "pin B"), ("walked", "now"), ("several windows", "now")]
)
def test_proven_is_said_only_where_an_upper_bound_lies_below_the_other_s_lower_bound(kind, private):
    now, run = run_of("drawn", "now"), run_of(kind, "pin B")
    said = run_sentence(now, run)
    first, second = (run, now) if private == "pin B" else (now, run)
    assert first.curves.epsilon_upper < second.curves.epsilon_lower
    assert f"**{first.name} is provably more private than {second.name}**" in said
    most, before = numbers_after("≤ ", said)
    assert most >= run.curves.epsilon_upper
    assert before >= now.curves.epsilon_upper
    assert ("smaller ε" in said) == (run.curves.epsilon_upper < now.curves.epsilon_upper)


def test_without_a_lower_bound_no_order_is_called_proven():
    said = run_sentence(run_of("drawn", "now"), run_of("shuffled", "pin B"))
    assert "it guarantees only a larger ε" in said
    assert "proven" not in said


def test_bounds_about_different_things_are_put_beside_each_other_with_what_they_are_about():
    wide = row(varied(TOY, width=3))
    said = run_sentence(run_of("drawn", "now"), wide)
    assert "for any 3 consecutive values of one series, which is not what now protects" in said
    assert "proven" not in said
    limited = run_sentence(run_of("drawn", "now"), run_of("noise on labels", "pin B"))
    assert "instead of ≤ 19.03, but only if no value changes by more than v" in limited
    back = run_sentence(run_of("noise on labels", "now"), run_of("drawn", "pin B"))
    assert "without what now needs: that no value changes by more than v" in back
    # A limit that the relation names is none of the bound without noise.
    limit = Relation(max_change=1.0)
    named = run_sentence(
        run_with("now", 9.0, 9.0, relation=limit),
        run_with("pin B", 5.0, 5.0, "noise on labels", relation=limit),
    )
    assert "; ε ≤ 5 instead of ≤ 9, but only if no value changes by more than v = 1, " in named
    # Nor is it of effect where only one of them names it; that of the limited one is told.
    without = run_sentence(
        run_with("now", 5.0, 5.0, "noise on labels", relation=limit), run_with("pin B", 9.0, 9.0)
    )
    assert "without what now needs: that no value changes by more than v = 1, " in without


def test_bounds_that_hold_for_other_channels_say_so():
    one, two = (
        run_with(name, epsilon, epsilon, "noise on labels", relation=relation)
        for name, epsilon, relation in (
            ("now", 5.0, Relation(max_change=1.0)),
            ("pin B", 7.0, Relation(max_change=1.0, num_channels=2)),
        )
    )
    said = run_sentence(one, two)
    assert said.count("which is not what now protects") == 1
    assert said.count("changes in any of 2 channels by more than v = 1, ") == 1


def test_a_condition_of_both_is_said_with_their_numbers_and_its_v():
    limit = Relation(max_change=0.2)
    now = run_with("now", 9.0, 9.0, "noise on labels", relation=limit)
    quiet = replace(now.scenario.noise, noise_multiplier=2.0)
    for epsilon in (5.0, 9.0):
        run = run_with("pin A", epsilon, epsilon, "noise on labels", relation=limit, noise=quiet)
        assert ", if no value changes by more than v = 0.2, the unit of " in run_sentence(now, run)
    other = run_with("pin A", 5.0, 5.0, "noise on labels", relation=Relation(max_change=0.3))
    said = run_sentence(now, other)
    assert "by more than v = 0.3, the unit of the noise on windows, which is not what now" in said


@pytest.mark.parametrize(("epsilon", "verb"), [(1.998, "about as large an"), (1.9, "a smaller")])
def test_what_differs_by_less_than_a_hundredth_is_about_as_large(epsilon, verb):
    run = run_with("pin A", epsilon, epsilon, noise=Noise(noise_multiplier=2.0))
    said = run_sentence(run_with("now", 2.0, 2.0), run)
    assert f"it guarantees {verb} ε, ≤ {epsilon:g} instead of ≤ 2" in said


def test_differences_that_are_not_resolved_are_not_told_as_such():
    now, shorter = run_with("now", 9.99, 10.0), replace(TOY.training, count=999)
    near = run_sentence(now, run_with("pin B", 9.995, 10.01, training=shorter))
    assert "≤ 10.01 and ≤ 10 for now, between which no difference is resolved" in near
    same = run_sentence(now, run_with("pin B", 9.99, 10.0, training=shorter))
    assert "the same upper bound, ε ≤ 10" in same


def test_missing_bounds_are_said_to_be_missing():
    now = run_of("drawn", "now")
    none = run_with("pin B", None, None, noise=Noise(noise_multiplier=2.0))
    assert run_sentence(now, none).endswith("no finite ε is proven for it.")
    assert "where no finite one is proven for now" in run_sentence(
        replace(none, name="now"), replace(now, name="pin B")
    )
    lacking = bare(2.0, 64, "pin B")
    assert run_sentence(now, lacking).endswith("; ε of pin B is being computed.")
    costly = replace(lacking, is_left_out=True)
    assert run_sentence(now, costly).endswith("; ε of pin B costs too much to compute here.")
    refused = replace(bare(2.0, 64, "pin B"), refusal="batch_size = 64 is not allowed: so.")
    assert "no bound covers pin B (Batch size Λ = 64 is not allowed\\: so)." in run_sentence(
        now, refused
    )
    assert run_sentence(now, row(TOY)) == "**Pin B** is the same run as now."


def test_no_number_of_another_protection_is_called_the_best_and_ties_have_the_same_digits():
    now = run_with("now", 1.0, 1.0)
    wide = run_with("pin A", 2.0, 2.0, relation=Relation(width=168))
    least = "that of now is the smallest, ε ≤ 1 for any single value of one series, which is not "
    assert least in comparison_headline([now, wide])
    tied = [now, run_with("pin A", 0.9999, 0.99992), run_with("pin B", 3.0, 3.0)]
    said = "**now and pin A tie for the smallest upper bound on ε: ε ≤ 1** ("
    assert said in comparison_headline(tied)
    unresolved = [now, run_with("pin A", 0.999, 1.001), run_with("pin B", 3.0, 3.0)]
    assert "**now has the smallest upper bound on ε: ε ≤ 1** (" in comparison_headline(unresolved)
    equal = [run_with("now", 9.9991, 9.9992), run_with("pin A", 9.9995, 9.9996)]  # and resolved
    told = comparison_headline(equal)
    assert "10⁻⁷ **all have the upper bound ε ≤ 10**, to the digits told. All have noise" in told
    told = comparison_headline(unresolved[:2])
    unknown = "**no upper bound on ε is resolved as the smallest**: they differ by at most 1 %. "
    assert f"{unknown}All have noise of " in told
    assert told.endswith(" 0.03125 clipping norms per averaged gradient.")
    # Two are resolved from each other, and the third from neither.
    quiet = Noise(noise_multiplier=2.0)
    others = [("pin A", 9.9995, 9.9996), ("pin B", 9.99, 10.05)]
    mixed = [equal[0], *(run_with(*one, noise=quiet) for one in others)]
    assert unknown in comparison_headline(mixed)
    rows = [run_sentence(mixed[0], run) for run in mixed[1:]]
    assert "it guarantees about as large an ε, ≤ 9.9996 instead of ≤ 9.9992" in rows[0]
    assert "between which no difference is resolved" in rows[1]


def test_a_tie_says_what_each_of_the_best_protects():
    longer = varied(TOY, series_lengths=(200,), width=24)
    runs = [
        run_with("now", 1.0, 1.0, relation=Relation(width=24)),
        run_with("pin A", 1.0, 1.0, data=longer.data, relation=longer.relation),
        run_with("pin B", 3.0, 3.0, relation=Relation(width=24)),
    ]
    said = "for the whole of one series and any 24 consecutive values of one series)."
    assert said in comparison_headline(runs)


def test_best_that_protects_more_is_not_called_the_smallest():
    """A bound that is a shade smaller, for less, is named beside the best."""
    wide = run_with("pin A", 1.999, 2.0, relation=Relation(width=336))
    narrow, far = run_with("now", 1.998, 1.9995), run_with("pin B", 3.0, 3.0)
    said = comparison_headline([narrow, wide, far])
    assert "**pin A has the best upper bound on ε: ε ≤ 2** (" in said
    assert "the whole of one series). That of now is about as large, but" in said
    assert "smallest" not in said


def test_all_with_the_number_of_the_best_are_named_beside_it():
    """One that is a shade larger, told with the same digits, is not passed over."""
    wide = run_with("pin A", 1.998, 1.9992, relation=Relation(width=336))
    narrow, last = run_with("now", 1.998, 1.9999), run_with("pin B", 1.9, 1.9991)
    said = comparison_headline([narrow, wide, last])
    assert "Those of now and pin B are about as large, but protect less." in said
    alike = run_with("pin C", 1.9995, 1.9999, relation=Relation(width=336))
    assert "pin C is about" not in comparison_headline([narrow, wide, last, alike])


def test_noise_of_equal_digits_is_told_as_the_same():
    now, run = bare(1.0, 64, "now"), bare(1.00001, 64, "pin A")
    said = run_sentence(now, run)
    assert "the same noise per averaged gradient as now, as its noise multiplier" in said


def test_equal_digits_are_not_told_as_a_change():
    limited = run_with("now", 1.99, 2.0, "noise on labels")
    assert "; ε ≤ 2, as now, without what now needs: " in (
        run_sentence(limited, run_with("pin A", 1.99, 2.0))
    )


def test_least_noise_without_a_bound_is_said_to_be_without():
    quiet = run_with("pin A", None, None, noise=Noise(noise_multiplier=0.5))
    said = comparison_headline([run_of("drawn", "now"), quiet])
    assert "**Pin A has the least noise per averaged gradient: 0.01563** clipping norms" in said
    assert "; for pin A no finite ε of an individual is proven" in said


def test_runs_whose_noise_is_told_with_the_same_digits_tie():
    one, other, noisy = (bare(sigma, 32, f"pin {sigma}") for sigma in (1.00001, 1.00002, 1.01))
    said = comparison_headline([one, other, noisy])
    assert (
        "**Pin 1.00001 and pin 1.00002 have the least noise per averaged gradient: 0.03126" in said
    )
    assert [row["best"] for row in table_rows([one, other, noisy])] == ["★ noise", "★ noise", ""]
    said = comparison_headline([one, other])
    assert said.endswith("All have noise of 0.03126 clipping norms per averaged gradient.")


def test_notes_say_what_is_protected_on_what_condition_and_which_noise_is_left_out():
    notes = comparison_notes([run_of("drawn", "now"), run_of("noise on labels", "pin A")])
    assert "any single value of one series (1-event privacy, substitution)" in notes
    assert "Theorem G.1 holds if no value changes by more than v" in notes
    assert "leaves out the noise on context and labels that pin A has besides" in notes
    assert "leaves out" not in comparison_notes([run_of("drawn", "now")])


@settings(max_examples=30)
@given(scenarios(), scenarios())
def test_any_two_runs_have_a_sentence_without_jargon(here, there):
    there = replace(there, delta=here.delta)
    now = ComparedRun(name="now", scenario=here, curves=None)
    run = ComparedRun(name="pin A", scenario=there, curves=None)
    said = run_sentence(now, run)
    units = {here.units.value_unit, there.units.value_unit}
    if units == {None}:
        assert not set(jargon_in(said)) - {"_"}  # as in σ_C
    assert "\n" not in said
    assert table_rows([now, run])[1]["epsilon_upper"] is None


@pytest.mark.parametrize("kind", RUNS)
def test_cells_are_rounded_to_the_safe_side_and_have_their_meaning(kind):
    run = run_of(kind, "now")
    (cells,) = table_rows([run])
    curves = run.curves
    assert list(cells) == [column.key for column in columns(run.scenario.delta)]
    assert cells["epsilon_upper"] >= (curves.epsilon_upper or 0.0)
    assert (cells["epsilon_upper"] == math.inf) == (curves.epsilon_upper is None)
    assert (cells["epsilon_lower"] is None) == (curves.epsilon_lower is None)
    assert (cells["epsilon_lower"] or 0.0) <= (curves.epsilon_lower or 0.0)
    assert named_theorem(curves.upper.bound.theorem) in cells["upper_theorem"]
    assert f"{curves.upper.bound.count:,} {curves.upper.bound.unit.value}" in cells["upper_theorem"]
    assert (cells["lower_theorem"] == "none proven") == (curves.lower is None)
    assert "of one series" in cells["protected"]
    assert curves.upper.bound.condition in cells["protected"]
    # A table shows the shortest digits of a number: at most four here.
    assert len(f"{cells['epsilon_upper']:.0e}") <= 7
    for name in ("epsilon_upper", "epsilon_lower"):
        value = cells[name]
        assert value is None or value in (0.0, math.inf) or float(f"{value:.4g}") == value


def test_marks_are_text_and_in_the_row_of_the_best():
    runs = [run_of("drawn", "now"), row(large(128, 10.0)), run_of("one bag", "pin C")]
    marks = {cells["run"]: cells["best"] for cells in table_rows(runs)}
    assert marks == {"now": "★ noise", "pin B": "★ ε", "pin C": "★ noise"}
    both = [run_of("drawn", "now"), row(large(320, 9.0))]
    assert table_rows(both)[1]["best"] == "★ ε and noise"


def test_every_column_says_what_is_better_or_that_nothing_is():
    for column in columns(1e-7):
        if column.is_number:
            said = column.explanation
            assert ("smaller is better" in said) == (
                column.key in ("epsilon_upper", "noise_per_gradient")
            )
            assert ("smaller is better" in said) or "is the best" in said or "Neither" in said
