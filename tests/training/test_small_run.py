"""The runs of the page that trains: within their budget, refused in time, compared fairly."""

import re
from dataclasses import replace

import pytest

from dpviz.export.training_tables import compared_runs_table
from dpviz.planning.budget_tracker import BudgetTracker
from dpviz.planning.target import Target
from dpviz.scenario import Rates, Relation, ScenarioError, TimeStep, Units
from dpviz.settings import SETTINGS
from dpviz.training import compared_runs
from dpviz.training import small_run as costs
from dpviz.training.budgeted_run import DivergedError
from dpviz.training.compared_runs import (
    COMPARED_VALUES,
    ComparedRun,
    of_variant,
    told_by_comparison,
    variants_of,
)
from dpviz.training.models import forecaster
from dpviz.training.panel import Panel
from dpviz.training.panel_source import GivenSource, parts_of
from dpviz.training.small_run import (
    MOST_SHOWN_NUMBERS,
    WithoutPrivacy,
    check_cost,
    estimated_seconds,
    told_by_run,
)
from dpviz.wording.compared_runs import comparison_table
from dpviz.wording.numbers import rounded_up
from tests.scenario.changes import TOY, varied
from tests.training.runs import SOURCE, a_run, result, result_in, told


def test_noise_that_is_fitted_lasts_for_all_steps_and_stays_within_the_budget():
    found = result()
    assert found.steps == 20
    assert found.spent is not None
    assert found.spent.epsilon <= 20.0
    less = varied(
        found.settings.scenario,
        noise_multiplier=0.99 * found.settings.scenario.noise.noise_multiplier,
    )
    assert BudgetTracker(less, Target(epsilon=20.0, delta=1e-7)).last_step < 20


def test_noise_that_is_set_is_kept_and_the_budget_ends_the_training():
    found = result(fits_noise=False, steps=2000)
    assert found.settings.scenario.noise == TOY.noise
    assert found.steps == found.last_allowed < 2000


def test_a_run_draws_and_protects_as_the_scenario_and_has_its_own_data():
    """Rates, channels and units of other data have no meaning here."""
    base = replace(
        TOY.with_rates(bottom_rate=0.3), relation=Relation(level="user", num_channels=3), delta=1e-5
    )
    assert isinstance(base.data, Rates)
    run = a_run(base, target_epsilon=30.0)
    assert run.scenario.shape is not None
    assert run.scenario.shape.series_lengths == (68,)  # without two forecasts of 6
    assert run.scenario.relation == Relation(level="user", max_change=10.0)
    # Nothing that is told of the run names a limit of a change that nothing depends on.
    assert run.settings().scenario.relation == Relation(level="user")
    assert run.changed("forecast_noise", 2.0).settings().scenario.relation.max_change == 10.0
    assert run.scenario.delta == 1e-5


def test_a_run_has_the_units_of_its_panel_unless_others_were_set():
    hourly = replace(TOY, units=Units(time_step=TimeStep(1, "hour"), value_unit="cars"))
    assert a_run(hourly).scenario.units == Units()
    assert a_run(hourly, units=hourly.units).scenario.units == hourly.units


def test_settings_come_first_then_the_course_then_the_result():
    first, *course, last, _ = told()
    assert first == last.settings
    assert [row.step for row in course] == list(range(21))
    spent = [row.epsilon_spent for row in course]
    assert spent == sorted(spent)


def test_results_are_small_enough_to_be_kept_for_many_visitors():
    assert not result().parameters.size
    assert result().quantiles.size <= MOST_SHOWN_NUMBERS


@pytest.mark.parametrize("bottom", ["with-replacement", "poisson"])
def test_one_bag_is_trained_as_the_scenario_draws_it(bottom):
    sampling = replace(TOY.sampling, top_level="flat", bottom_level=bottom)
    run = a_run(replace(TOY, sampling=sampling))
    run.check()
    assert (run.scenario.sampling.top_level, run.scenario.sampling.bottom_level) == ("flat", bottom)


def test_what_would_take_too_long_is_refused_with_what_would_not():
    long = a_run(steps=20_000, context_length=50, model="feedforward")
    with pytest.raises(ScenarioError, match=r"trained_steps = 20000 .* at most") as refused:
        check_cost(long, 3.0)
    most = int(re.search(r"at most ([\d,]+)", str(refused.value))[1].replace(",", ""))
    assert 0 < most < 20_000
    check_cost(a_run(steps=most, context_length=50, model="feedforward"), 3.0)
    assert estimated_seconds(long) > 3.0


def test_recurrent_networks_cost_by_values_read_and_attention_by_the_season(monkeypatch):
    monkeypatch.setattr(costs, "forecaster", lambda _, *lengths: forecaster("linear", *lengths))

    def seconds(model, period):
        return estimated_seconds(replace(a_run(model=model, context_length=24), period=period))

    assert seconds("recurrent", 24) == seconds("recurrent", 1) > seconds("linear", 1)
    assert seconds("attention", 24) > seconds("attention", 12) > seconds("linear", 12)
    assert seconds("attention", 48) == seconds("attention", 24)  # no more than is read


def test_many_runs_count_together():
    with pytest.raises(ScenarioError, match="15 runs would take"):
        check_cost(a_run(), 15.0, runs=15)


@pytest.mark.parametrize(
    "setting", sorted(set(SETTINGS["compared_setting"].choices) - {"noise_multiplier"})
)
def test_compared_runs_spend_the_same_budget_and_differ_in_one_setting(setting):
    run = a_run(target_epsilon=40.0, steps=5)
    variants = variants_of(run, setting)
    assert [one.value for one in variants] == [*COMPARED_VALUES[setting], None]
    done = list(told_by_comparison(variants, 1, SOURCE))
    assert all(isinstance(one, ComparedRun) for one in done)
    for one in done[:-1]:
        assert one.steps == 5
        assert 30.0 < one.spent.epsilon <= 40.0
        assert one.curve[-1] == (one.spent.epsilon, one.last_held_out)
    assert done[-1].spent is None
    assert done[-1].noise_multiplier is None


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"model": "naive"}, "trained_model = 'naive' is not allowed"),
        ({"target_epsilon": None, "fits_noise": False}, "trained_privacy = 'none' is not allowed"),
    ],
)
def test_runs_without_a_budget_are_not_compared(options, named):
    """They were told as private runs, and noise that none of them has as what differs."""
    with pytest.raises(ScenarioError, match=named):
        variants_of(a_run(**options), "noise_multiplier")


@pytest.mark.every(3)
@pytest.mark.parametrize("fits_noise", [True, False])
def test_noise_levels_are_multiples_of_the_runs_own_each_for_all_steps(fits_noise):
    """Whatever they cost: half the noise costs more than the budget it was found for."""
    run = a_run(target_epsilon=40.0, steps=5, fits_noise=fits_noise)
    own = run.settings().scenario.noise.noise_multiplier
    half, one, twice, free = told_by_comparison(variants_of(run, "noise_multiplier"), 1, SOURCE)
    assert [run.noise_multiplier for run in (half, one, twice)] == [0.5 * own, own, 2.0 * own]
    assert half.spent.epsilon > one.spent.epsilon > twice.spent.epsilon
    assert [run.steps for run in (half, one, twice, free)] == [5] * 4
    assert free.spent is None


def test_a_private_run_is_told_beside_the_same_one_without_privacy():
    *_, last, without = told()
    assert last.settings.is_private
    assert without.crps == result(target_epsilon=None, fits_noise=False).crps
    assert not any(
        isinstance(one, WithoutPrivacy) for one in told(target_epsilon=None, fits_noise=False)
    )


def test_compared_seeds_follow_each_other_and_a_refused_variant_stops_no_other():
    run = a_run(batch_size=8, target_epsilon=40.0, steps=5)  # 16 windows do not fit into 8
    variants = variants_of(run, "num_subsequences")
    done = list(told_by_comparison(variants, 2, SOURCE))
    assert [one.seed for one in of_variant(done, 0)] == [1, 2]
    assert not of_variant(done, 2)
    assert "batch_size" in variants[2].refusal
    cells = compared_runs_table(TOY, "num_subsequences", variants, done, ()).cells
    assert "batch_size" in cells["note"].tolist()[-1]


def test_compared_runs_count_together_as_all_their_steps_or_the_passes_that_they_began():
    run = a_run(target_epsilon=40.0, steps=5)
    variants = variants_of(run, "top_level")
    done = list(told_by_comparison(variants, 2, SOURCE))
    for at, variant in enumerate(variants[:-1]):
        cost = compared_runs.together(compared_runs.accounted_runs(done, at))
        first, second = of_variant(done, at)
        assert first.accounted.num_steps == second.accounted.num_steps == 5
        assert cost.sampling.top_level == variant.value
        assert replace(cost, training=first.accounted.training) == first.accounted
        if variant.value == "deterministic":
            assert (cost.training.unit, cost.num_epochs) == (
                "epochs",
                2 * first.accounted.num_epochs,
            )
        else:
            assert (cost.training.unit, cost.num_steps) == ("steps", 10)
    assert not compared_runs.accounted_runs(done, len(variants) - 1)  # it hides nobody


def test_what_a_compared_run_had_spent_when_it_diverged_is_told_once(monkeypatch):
    spent = result().spent

    def diverging(*_):
        raise DivergedError(20, "the parameters are no longer numbers", spent)

    monkeypatch.setattr(compared_runs, "trained", diverging)
    variants = variants_of(a_run(fits_noise=False), "num_subsequences")
    first, *_ = done = list(told_by_comparison(variants, 2, SOURCE))
    assert [one.spent for one in done if one.variant == 0] == [spent, None]
    (cost,) = compared_runs.accounted_runs(done, 0)
    assert cost.num_steps == spent.steps
    table = comparison_table("num_subsequences", variants, done).replace("\\", "")
    assert f"at most ε = {rounded_up(spent.epsilon)} at δ = 10⁻⁷ (upper bound" in table
    cells = compared_runs_table(TOY, "num_subsequences", variants, [first], ()).cells
    assert cells["epsilon_upper"].tolist() == [spent.epsilon]


def test_the_same_seed_gives_the_same_run_and_none_another():
    again = result_in(told_by_run(a_run(), SOURCE))
    assert again.crps == result().crps
    fresh = [result_in(told_by_run(a_run(seed=None), SOURCE)).crps for _ in range(2)]
    assert fresh[0] != fresh[1]


def test_a_file_is_no_public_panel_and_its_name_tells_it_from_others():
    panel = Panel(series=([1.0] * 40,), names=("a",), period=1)
    one, other = GivenSource(panel, "file one"), GivenSource(panel, "file two")
    assert not one.is_public
    assert one != other
    assert parts_of(one, 3, 2).training.lengths == (36,)
