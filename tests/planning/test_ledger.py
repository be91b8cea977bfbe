"""Several training runs on the same data: together, one by one, and what a budget leaves."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from dpviz.accounting import account_for, composed_curve
from dpviz.command_line import main
from dpviz.export.answers import ledger_answer
from dpviz.export.comparison_tables import ledger_table
from dpviz.guarantees import guarantee_for
from dpviz.planning.ledger import ledger, room_for, total_of, upper_bounds
from dpviz.planning.target import Target
from dpviz.scenario import (
    DataShape,
    Relation,
    Scenario,
    ScenarioError,
    TimeStep,
    Units,
    worst_case_lengths,
)
from dpviz.scenario.ledger import NamedRun, ledger_to_json
from dpviz.wording.ledger import ledger_finding, room_sentences
from tests.accounting.divergences import divergences, masses
from tests.scenario import changes
from tests.scenario.changes import varied

TOY = varied(changes.TOY, steps=100)
WALK = varied(TOY, top_level="deterministic", steps=21)
NOISED = varied(TOY, forecast_noise=1.0)
QUIET = varied(TOY, noise_multiplier=4.0)
DELTA = 1e-7


def named(**scenarios: Scenario) -> list[NamedRun]:
    return [NamedRun(name=name, scenario=scenario) for name, scenario in scenarios.items()]


def test_equal_runs_are_one_long_run():
    parts = zip("abc", (30, 50, 20), strict=True)
    found = ledger(named(**{name: varied(TOY, steps=count) for name, count in parts}), DELTA)
    whole = account_for(TOY)
    assert found.upper.high == whole.upper.epsilon_at(DELTA).high
    assert found.lower.low == whole.lower.epsilon_at(DELTA).low
    assert [round(row.share, 6) for row in found.rows] == [0.3, 0.5, 0.2]


def test_one_run_is_itself():
    [row] = (found := ledger(named(only=QUIET), DELTA)).rows
    assert found.upper == row.alone.bracket
    assert (row.share, row.without) == (1.0, 0.0)
    assert found.lower_is_of_all
    assert found.lower_bounds == (account_for(QUIET).lower.bound_at(DELTA),)


def test_a_walk_counts_the_epochs_that_have_begun_and_others_their_steps():
    found = ledger(named(walk=WALK, drawn=QUIET), DELTA)
    assert [(row.bound.unit.value, row.bound.count) for row in found.rows] == [
        ("epoch", 3),
        ("step", 100),
    ]
    assert found.lower.low <= found.upper.low <= found.upper.high
    for row in found.rows:
        assert max(row.alone.bracket.low, row.without) * 0.99 <= found.upper.high
        assert found.upper.high <= row.alone.quoted + row.without + 1e-9


def test_runs_may_have_other_windows_and_their_lower_bounds_do_not_add_then():
    found = ledger(named(a=TOY, b=varied(QUIET, context_length=4)), DELTA)
    assert not found.lower_is_of_all
    assert found.lower.low == account_for(TOY).lower.epsilon_at(DELTA).low
    assert found.upper.high > account_for(TOY).upper.epsilon_at(DELTA).high


def test_runs_with_other_numbers_of_attacks_compose_by_the_first_of_each():
    """Each run's gradients are chosen by themselves: any attack goes with any other run's."""
    plain = varied(TOY, num_series=40)
    tested = varied(plain, context_noise=1.0, forecast_noise=1.0)
    crossed = varied(plain, num_subsequences=4)
    runs = {"tested": tested, "crossed": crossed, "plain": plain}
    assert {len(guarantee_for(run).lower.pairs) for run in runs.values()} == {1, 2, 3}
    found = ledger(named(**runs), DELTA)
    assert found.lower_is_of_all
    first = [replace(guarantee_for(run).lower, other_pairs=()) for run in runs.values()]
    assert found.lower.low == composed_curve(*first, at_delta=DELTA).epsilon_at(DELTA).low
    assert found.lower.low <= found.upper.high
    # One attack of a run goes with each of another's.
    two = {"crossed": crossed, "plain": plain}
    lowers = [guarantee_for(run).lower for run in two.values()]
    each = [
        composed_curve(replace(lowers[0], pair=pair, other_pairs=()), lowers[1], at_delta=DELTA)
        for pair in lowers[0].pairs
    ]
    least = max(one.epsilon_at(DELTA).low for one in each)
    assert ledger(named(**two), DELTA).lower.low == pytest.approx(least, rel=5e-3)


def test_the_bracket_of_an_attack_is_said_to_be_one():
    crossed = varied(QUIET, num_subsequences=2, noise_multiplier=2.0, steps=50)
    told = [ledger_answer([ledger(named(run=crossed), at)])["lower"] for at in (1e-3, 1e-7)]
    assert [one["theorems"] for one in told] == [["dpviz 7"], ["F.7"]]
    assert "may be larger" in told[0]["bracket_of"]
    assert "bracket_of" not in told[1]


@pytest.mark.parametrize(
    ("length", "relation", "of_all"),
    [
        (5, Relation(), False),
        (8, Relation(), False),
        (9, Relation(), True),
        (9, Relation(width=2), False),
        (10, Relation(width=2), True),
        (9, Relation(level="user"), True),
        (30, Relation(level="user", width=2), False),
    ],
)
def test_attacks_at_other_places_of_a_series_do_not_compose(length, relation, of_all):
    """Noise on labels makes early values the worst of a short series, on the past the late ones."""
    shape = DataShape(num_series=20, series_lengths=(length,), context_length=4, forecast_length=3)
    quiet = varied(QUIET, data=shape, batch_size=4, relation=relation)
    of_labels, of_past = (
        varied(quiet, **{one: 2.0}) for one in ("forecast_noise", "context_noise")
    )
    found = ledger(named(labels=of_labels, past=of_past), DELTA)
    assert found.lower_is_of_all is of_all
    again = ledger(named(labels=of_labels, again=varied(of_labels, steps=30)), DELTA)
    assert again.lower_is_of_all


@pytest.mark.parametrize(
    ("other", "field"),
    [
        (varied(TOY, num_series=321), "num_series"),
        (varied(TOY, width=2), "relation_width"),
        (varied(TOY, level="user"), "relation"),
        (varied(NOISED, max_change=3.0), "max_change"),
        (varied(NOISED, num_channels=2), "num_channels"),
        (varied(TOY, series_per_person=2), "series_per_person"),
        (varied(TOY, time_step=TimeStep(1, "day")), "time_step"),
        (varied(NOISED, value_unit="kWh"), "value_unit"),
    ],
)
def test_other_data_or_another_individual_is_refused_by_name(other, field):
    units = Units(time_step=TimeStep(1, "hour"), value_unit="MWh")
    first = replace(NOISED if other.noise.is_on_windows else TOY, units=units)
    with pytest.raises(ScenarioError) as refused:
        ledger(named(first=first, second=other), DELTA)
    assert refused.value.field == field
    assert "run 'second' has it and run 'first' has" in str(refused.value)
    assert "the same data and protect the same individual" in str(refused.value)


def test_rates_without_a_shape_have_no_number_of_series_beside_a_run_that_has():
    rates = TOY.with_rates(bottom_rate=0.1)
    bare = replace(rates, data=replace(rates.data, last_shape=None))
    with pytest.raises(ScenarioError, match="'second' has none and run 'first' has 320"):
        ledger(named(first=TOY, second=bare), DELTA)


def test_a_day_is_as_long_however_it_is_written():
    day = varied(TOY, time_step=TimeStep(1, "day"))
    hours = varied(TOY, time_step=TimeStep(24, "hour"))
    mixed, alike = (ledger(named(first=day, second=one), DELTA) for one in (hours, day))
    assert mixed.upper == alike.upper


def test_a_run_that_holds_values_out_composes_with_one_on_all_of_them():
    """A series and a part of it in a row: who is protected in the one is in the other."""
    longer = varied(TOY, series_lengths=(200,))
    found = ledger(named(part=TOY, whole=longer), DELTA)
    uppers = [guarantee_for(scenario).upper for scenario in (TOY, longer)]
    assert found.upper.high == composed_curve(*uppers, at_delta=DELTA).epsilon_at(DELTA).high
    assert not found.lower_is_of_all
    assert "Only if the series of the shorter runs are a part in a row" in ledger_finding(found)
    assert "a part in a row" not in ledger_finding(ledger(named(one=TOY, two=TOY), DELTA))


def test_an_individual_may_be_in_a_series_of_any_length_in_each_run():
    """With windows by coins no length is the worst: in each run it may be another one."""
    data = DataShape(num_series=20, series_lengths=(5, 20), context_length=30, forecast_length=1)
    first = varied(TOY, data=data, batch_size=10, bottom_level="poisson")
    second, third = (varied(first, series_lengths=lengths) for lengths in ((20, 60), (30,)))
    bounds = [guarantee_for(run).upper for run in (first, second, third)]
    assert [len(bound.pairs) for bound in bounds] == [2, 2, 1]

    def together(*bounds):
        curve = composed_curve(*bounds, at_delta=DELTA, only_quoted=True)
        return curve.quoted_epsilon_at(DELTA)

    worst = max(
        together(
            *[
                replace(bound, pair=pair, other_pairs=())
                for bound, pair in zip(bounds, pairs, strict=True)
            ]
        )
        for pairs in product(*(bound.pairs for bound in bounds))
    )
    found = total_of(named(first=first, second=second, third=third), DELTA)
    assert found.epsilon == pytest.approx(worst, rel=1e-3)
    assert worst > 1.01 * together(*bounds)


def run_of_lengths(context_length, windows, sigma, *lengths):
    shape = {"num_series": 64, "context_length": context_length, "forecast_length": 1}
    return varied(
        WALK,
        data=worst_case_lengths(lengths, relation=Relation(), **shape),
        batch_size=8 * windows,
        num_subsequences=windows,
        bottom_level="poisson",
        noise_multiplier=sigma,
        epochs=1,
    )


@pytest.mark.parametrize(
    ("later", "places"), [((19, 4, 2.0, 20, 5, 35), (0, 1)), ((5, 2, 1.0, 5, 5, 20), (0, 0))]
)
def test_series_may_have_grown_from_one_of_the_lengths_to_another(later, places):
    """Equal lists of lengths say nothing of one series: here one of 5 may have grown to 20."""
    earlier, later = run_of_lengths(5, 1, 1.0, 5, 5, 20), run_of_lengths(*later)
    assert earlier.data.series_lengths == later.data.series_lengths == (5, 20)
    of_both = [guarantee_for(one) for one in (earlier, later)]
    attained = composed_curve(
        *[
            replace(one.lower, pair=one.lower.pairs[place], other_pairs=())
            for one, place in zip(of_both, places, strict=True)
        ],
        at_delta=DELTA,
    )
    low = attained.epsilon_at(DELTA).low
    assert ledger(named(earlier=earlier, later=later), DELTA).upper.high >= low
    length_by_length = composed_curve(*[one.upper for one in of_both], at_delta=DELTA)
    assert (length_by_length.epsilon_at(DELTA).high < 0.95 * low) == (places == (0, 1))


OF_MANY_LENGTHS = varied(
    TOY, series_lengths=tuple(range(20, 37)), context_length=60, bottom_level="poisson"
)


def test_too_many_lengths_by_coins_are_refused_or_taken_for_the_same():
    second = varied(OF_MANY_LENGTHS, series_lengths=tuple(range(40, 57)))
    with pytest.raises(ScenarioError, match="289 combinations of lengths"):
        upper_bounds(named(first=OF_MANY_LENGTHS, second=second))
    many = {f"run {at}": OF_MANY_LENGTHS for at in range(50)}  # none is counted out one by one
    assert [len(bound.pairs) for bound in upper_bounds(named(**many))] == [17] * 50


@pytest.mark.slow
def test_what_is_taken_for_the_same_is_a_condition():
    found = ledger(named(one=OF_MANY_LENGTHS, two=OF_MANY_LENGTHS), DELTA)
    assert found.conditions == ("each series is as long in all runs",)


def test_what_only_noise_on_windows_is_measured_in_matters_nowhere_else():
    """A run that was trained knows no unit of its values, and no largest change."""
    own = Relation(max_change=3.0, num_channels=2)
    units = Units(time_step=TimeStep(1, "day"), value_unit="kWh")
    runs = named(planned=replace(TOY, relation=own, units=units), trained=TOY)
    assert ledger(runs, DELTA).upper == ledger(named(one=TOY, two=TOY), DELTA).upper
    noised = replace(NOISED, relation=own)
    with pytest.raises(ScenarioError, match=r"'third' has none and run 'second' has 3\.0"):
        ledger(named(first=TOY, second=noised, third=NOISED), DELTA)


def test_a_ledger_needs_a_run():
    with pytest.raises(ScenarioError, match="at least one run"):
        ledger([], DELTA)


def test_noise_on_windows_makes_its_condition_one_of_the_total():
    found = ledger(named(plain=TOY, noised=NOISED), DELTA)
    assert found.conditions == (
        "no value changes by more than v, the unit of the noise on windows",
    )
    assert found.lower.low > account_for(TOY).lower.epsilon_at(DELTA).low
    assert found.lower_is_of_all


@pytest.mark.parametrize(
    "following",
    [pytest.param(TOY, id="steps"), pytest.param(WALK, id="epochs", marks=pytest.mark.slow)],
)
def test_the_room_is_what_meets_the_target_for_all_and_no_more_would(following):
    was, target = named(was=QUIET), Target(epsilon=12.0, delta=DELTA)
    [new] = named(new=following)
    room = room_for(was, new, "training", target)
    training = room.scenario.training
    assert room.epsilon <= 12.0

    def total(count: int) -> float:
        run = varied(following, **{training.unit: count})
        return ledger([*was, *named(new=run)], DELTA).upper.high

    assert total(training.count) <= 12.0 < total(training.count + 1)


def test_a_room_at_the_end_of_what_is_tried_says_at_which():
    target = Target(epsilon=12.0, delta=DELTA)
    found = room_for(named(was=QUIET), *named(new=TOY), "training", target)
    room = replace(found, at_limit=True)
    _, longest, least = room_sentences([room, room], target.epsilon, DELTA, 1)
    assert ", the largest that is tried: then" in longest
    assert ", the least that is tried: then" in least


def test_no_room_is_said_with_the_target():
    target = Target(epsilon=0.5, delta=DELTA)
    for quantity, least in (("training", "one step"), ("noise_multiplier", "noise_multiplier 100")):
        with pytest.raises(ScenarioError, match=f"not even {least} of the next run beside 1 run"):
            room_for(named(was=TOY), *named(new=TOY), quantity, target)


def test_what_a_budget_leaves_is_counted_from_half_of_delta():
    """Basic composition: two epsilons at half of delta add up to one at delta."""
    runs = [NamedRun(name="one", scenario=changes.TOY)]
    found, half = ledger(runs, 1e-7), ledger(runs, 5e-8)
    assert found.at_half_delta is not None
    assert half.upper.low <= found.at_half_delta <= 1.001 * half.upper.high
    assert found.left_of(30.0) == 30.0 - found.at_half_delta
    assert found.left_of(10.0) == 0.0


DATA = DataShape(num_series=20, series_lengths=(10,), context_length=1, forecast_length=1)
TOUCHING, STARTS = 2, 10
EPSILON, DELTA_OF_BOTH = 4.0, 1e-5


def walk(windows: int, noise: float) -> Scenario:
    """One epoch of ten series a step: Theorem E.8, which is tight."""
    drawn = {"batch_size": 10 * windows, "num_subsequences": windows, "bottom_level": "poisson"}
    return varied(
        TOY, data=DATA, top_level="deterministic", **drawn, noise_multiplier=noise, epochs=1
    )


FIRST, SPARSE, DENSE = (10, 8.0), (1, 1.0325), (10, 5.1410)


def outcomes(windows: int, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """The probabilities of a grid's cells under both distributions of E.8."""
    means = np.arange(TOUCHING + 1)
    weights = binom.pmf(means, TOUCHING, min(1.0, windows / STARTS))
    return masses((means, weights), (-means, weights), noise, step=0.01, margin=10.0)


def test_choosing_noise_by_outcomes_breaks_what_both_ledgers_promise():
    weights, others = outcomes(*FIRST)
    # What the second run adds to delta, for each privacy loss of the first.
    orders = np.exp(EPSILON) * others / weights
    sparse, dense = (divergences(*outcomes(*second), orders) for second in (SPARSE, DENSE))
    for second, alone in ((SPARSE, sparse), (DENSE, dense)):
        found = ledger(runs(second), DELTA_OF_BOTH)
        assert abs(found.upper.high - EPSILON) < 2e-3
        assert abs((weights * alone).sum() / DELTA_OF_BOTH - 1.0) < 5e-3
    chosen = (weights * np.maximum(sparse, dense)).sum()
    assert 1.45 * DELTA_OF_BOTH < chosen < 1.47 * DELTA_OF_BOTH


def runs(second: tuple[int, float]) -> tuple[NamedRun, NamedRun]:
    return (
        NamedRun(name="first", scenario=walk(*FIRST)),
        NamedRun(name="second", scenario=walk(*second)),
    )


def test_csv_and_command_say_what_page_and_json_do_of_extension_and_lower_bound(tmp_path, capsys):
    bag = varied(TOY, bottom_level="poisson", top_level="flat")
    noised = varied(bag, context_length=4, forecast_noise=1.0)
    both = (NamedRun(name="drawn", scenario=TOY), NamedRun(name="bag", scenario=noised))
    found = ledger(both, DELTA_OF_BOTH)
    told = found.rows[1].bound.extension
    assert "dpviz's extension" in told
    assert not found.lower_is_of_all
    file = tmp_path / "runs.json"
    file.write_text(ledger_to_json(both))
    assert main(["ledger", str(file), "--delta", repr(DELTA_OF_BOTH)]) == 0
    command, table = capsys.readouterr().out, ledger_table(found).csv()
    assert told in command
    assert f"run 2: {told}" in table
    assert "epsilon_lower: of the run that leaks most by itself" in table
    assert (
        "epsilon_lower: of all runs together" in ledger_table(ledger(both[:1], DELTA_OF_BOTH)).csv()
    )
