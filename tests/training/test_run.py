"""A run keeps to its budget, adds the noise it says, and tells what it did."""

import importlib.util
import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2, kstest

from dpviz.accounting import best_upper
from dpviz.planning.budget_tracker import BudgetTracker
from dpviz.planning.target import Target
from dpviz.scenario import Noise, Relation, Sampling, ScenarioError, Training
from dpviz.training import settings as settings_module
from dpviz.training.budgeted_run import DivergedError
from dpviz.training.checkpoint import CheckpointError
from dpviz.training.forecaster import ClippedGradient
from dpviz.training.run import train, trained
from tests.documentation.pages import said_by_program
from tests.training.runs import CONTEXT, FORECAST, PANEL, same_result, scenario, settings

SCHEMES = [
    Sampling(batch_size=4, top_level=top, bottom_level=bottom, num_subsequences=windows)
    for top in ("without-replacement", "deterministic", "shuffled", "poisson")
    for bottom, windows in (("with-replacement", 1), ("poisson", 2))
]
SCHEMES += [
    Sampling(batch_size=4, top_level="flat", bottom_level=bottom)
    for bottom in ("with-replacement", "poisson")
]


class Constant:
    """A forecaster whose clipped gradients are always the same, and which remembers its calls."""

    context_length, forecast_length, num_parameters = CONTEXT, FORECAST, 1000

    def __init__(self, gradient=0.0):
        self.gradient, self.seen, self.norms = gradient, [], set()

    def initial_parameters(self, _rng):
        return np.zeros(self.num_parameters)

    def clipped_gradient(self, parameters, context, forecast, clipping_norm):
        """Return the same sum whatever the windows."""
        self.norms.add(clipping_norm)
        self.seen.append((context, forecast, parameters))
        total = np.full(self.num_parameters, self.gradient)
        none = np.zeros(len(context))
        return ClippedGradient(total=total, norms=none, losses=none)

    def quantiles(self, _parameters, context, levels):
        return np.ones((len(context), FORECAST, len(levels)))


@pytest.mark.every(2)
@pytest.mark.parametrize("sampling", SCHEMES, ids=str)
def test_epsilon_is_the_accountants_for_every_way_of_drawing_batches(sampling):
    chosen = scenario(sampling=sampling)
    result = trained(settings(scenario=chosen, target=Target(epsilon=50.0, delta=1e-5)), PANEL)
    assert result.steps == result.spent.steps == 12
    after = replace(chosen, training=Training(unit="steps", count=12))
    assert result.epsilon_spent == best_upper(after).quoted_epsilon_at(1e-5)
    assert result.spent.bound == best_upper(after).bound


def test_training_stops_before_the_budget_is_exceeded():
    tight = settings(target=Target(epsilon=3.0, delta=1e-5), most_steps=10**6, evaluate_every=5)
    result = trained(tight, PANEL)
    tracker = BudgetTracker(tight.scenario, tight.target)
    assert 0 < result.steps == result.last_allowed == tracker.last_step < 10**6
    assert result.epsilon_spent <= 3.0 < tracker.spent_after(result.steps + 1).epsilon
    assert [p.epsilon_spent for p in result.curve] == sorted(p.epsilon_spent for p in result.curve)


@pytest.mark.parametrize("top_level", ["deterministic", "shuffled"])
def test_a_walk_spends_a_whole_pass_at_its_first_step(top_level):
    chosen = scenario(sampling=Sampling(batch_size=2, top_level=top_level))
    budget = Target(epsilon=50.0, delta=1e-5)
    result = trained(
        settings(scenario=chosen, most_steps=5, evaluate_every=1, target=budget),
        PANEL,
    )
    epsilons = [point.epsilon_spent for point in result.curve]
    assert epsilons[1] == epsilons[4] < epsilons[5]
    assert result.spent.bound.count == 2


def test_a_budget_below_that_of_one_step_is_refused():
    with pytest.raises(ScenarioError, match="target_epsilon"):
        trained(settings(target=Target(epsilon=1e-6, delta=1e-5)), PANEL)


def test_noise_has_the_deviation_that_is_accounted_for():
    """Its variance is sigma^2 C^2 / Lambda^2; a wrong one is found with an error of 1e-9."""
    sigma, clipping_norm, steps = 2.0, 0.7, 12
    forecaster = Constant()
    chosen = settings(optimizer="sgd", learning_rate=1.0, clipping_norm=clipping_norm)
    result = trained(chosen, PANEL, forecaster=forecaster)
    assert forecaster.norms >= {clipping_norm}
    # SGD at rate 1 adds up the gradients; those of this forecaster are noise alone.
    deviation = sigma * clipping_norm / 4 * np.sqrt(steps)
    squares = float((result.parameters**2).sum()) / deviation**2
    low, high = chi2.ppf([5e-10, 1 - 5e-10], len(result.parameters))
    assert low < squares < high
    assert kstest(result.parameters / deviation, "norm").pvalue > 1e-9


def test_windows_get_noise_in_units_of_the_largest_change():
    forecaster = Constant()
    noisy = scenario(
        noise=Noise(noise_multiplier=2.0, context_noise=1e5, forecast_noise=1e6),
        relation=Relation(max_change=10.0),
    )
    wanted = settings(scenario=noisy, most_steps=60, target=Target(epsilon=100.0, delta=1e-5))
    trained(wanted, PANEL, forecaster=forecaster)
    drawn = [seen for seen in forecaster.seen if len(seen[0]) == 4]
    for part, deviation in ((0, 1e6), (1, 1e7)):
        values = np.concatenate([seen[part].ravel() for seen in drawn]) / deviation
        low, high = chi2.ppf([5e-10, 1 - 5e-10], values.size)
        # The data are below 10^4: a hundredth of the noise, whose squares are 10^-4 of it.
        assert low * (1 - 1e-2) < float((values**2).sum()) < high * (1 + 1e-2)


def test_without_privacy_there_is_neither_noise_nor_clipping_nor_an_epsilon():
    forecaster = Constant(gradient=8.0)
    free = settings(target=None, optimizer="sgd", learning_rate=1.0, seed=None)
    result = trained(free, PANEL, forecaster=forecaster)
    assert np.all(result.parameters == -8.0 / 4 * 12)
    assert min(forecaster.norms - {1.0}) == 1e12
    assert result.epsilon_spent is result.spent is result.last_allowed is None
    assert all(point.epsilon_spent is None for point in result.curve)


def test_a_forecaster_that_does_not_clip_is_found_out():
    with pytest.raises(AssertionError, match="longer than clipped gradients"):
        trained(settings(), PANEL, forecaster=Constant(gradient=8.0))


@pytest.mark.parametrize("seed", [7, None])
def test_a_seed_decides_everything_and_its_absence_nothing(seed):
    one, other = (trained(settings(seed=seed), PANEL) for _ in range(2))
    assert same_result(one, other) == (seed is not None)


def test_adam_and_sgd_follow_their_definitions():
    """Against a gradient that never changes, Adam moves by its rate, SGD by rate times gradient."""
    steps = {"sgd": 0.5 * 2.0, "adam": 0.5}
    for name, step in steps.items():
        free = settings(target=None, optimizer=name, learning_rate=0.5)
        result = trained(free, PANEL, forecaster=Constant(gradient=8.0))
        np.testing.assert_allclose(result.parameters, -12 * step, rtol=1e-7)


def test_the_last_parameters_are_taken_unless_the_best_are_asked_for():
    last = trained(settings(most_steps=40, learning_rate=0.5), PANEL)
    best = trained(settings(most_steps=40, learning_rate=0.5, validation="best"), PANEL)
    assert (last.model_selection, last.best_step) == ("last", 40)
    errors = {point.step: point.validation_crps for point in best.curve}
    assert best.best_step == min(errors, key=errors.get) < 40
    assert "not accounted for" in best.model_selection
    assert any("choice of the parameters" in text for text in best.not_accounted)
    assert best.epsilon_spent == last.epsilon_spent
    assert not np.array_equal(best.parameters, last.parameters)


def test_no_held_out_value_is_looked_at_without_validation():
    forecaster = Constant()
    quiet = settings(validation="none", validation_windows=0)
    quiet = replace(quiet, scenario=replace(
        quiet.scenario, data=replace(quiet.shape, series_lengths=(38,))))  # fmt: skip
    result = trained(quiet, PANEL, forecaster=forecaster)
    assert len(forecaster.seen) == 12
    assert {point.validation_crps for point in result.curve} == {None}


def test_the_naive_forecast_is_the_baseline_and_spends_nothing():
    result = trained(settings(model="naive"), PANEL)
    assert result.crps == result.baseline_crps
    assert (result.epsilon_spent, result.steps, result.curve) == (0.0, 0, ())
    assert any("nothing is trained" in text for text in result.not_accounted)


def test_the_naive_forecast_takes_the_place_of_no_other_run(tmp_path):
    trained(settings(), PANEL, checkpoints=tmp_path)
    with pytest.raises(CheckpointError, match="another run, whose results these would replace"):
        trained(settings(model="naive"), PANEL, checkpoints=tmp_path)


def test_what_has_no_error_in_the_end_is_refused_before_anything_is_spent():
    series = tuple(np.append(one[:-FORECAST], [0.0, 0.0]) for one in PANEL.series)
    quiet = replace(PANEL, series=series)
    with pytest.raises(ScenarioError, match=r"test windows.*must not all be 0"):
        train(settings(), quiet)


def test_a_diverging_run_says_so_and_tells_what_was_spent(monkeypatch):
    monkeypatch.setattr(settings_module, "LEARNING_RATE_RANGE", (1e-9, 1e300))
    wild = settings(optimizer="sgd", learning_rate=1e206)
    with pytest.raises(DivergedError, match="after step 1 the parameters") as caught:
        trained(wild, PANEL)
    assert caught.value.spent.steps == 1
    assert caught.value.spent.epsilon > 0.0


def test_errors_that_are_no_numbers_end_a_run():
    class Broken(Constant):
        def quantiles(self, parameters, context, levels):
            return np.full((len(context), FORECAST, len(levels)), np.nan * parameters.sum())

    with pytest.raises(DivergedError, match="step 0 the error of held-out forecasts"):
        trained(settings(), PANEL, forecaster=Broken())


def test_a_panel_of_another_shape_is_refused():
    other = replace(settings().shape, num_series=9)
    wrong = settings(scenario=replace(scenario(), data=other))
    with pytest.raises(ScenarioError, match="num_series = 9 is not allowed: the data have 8"):
        train(wrong, PANEL)


def test_nothing_is_done_before_the_first_progress_is_asked_for():
    run = train(settings(), PANEL)
    first = next(run)
    assert (first.step, first.epsilon_spent, first.steps_asked) == (0, 0.0, 12)
    assert [point.step for point in run] == [4, 8, 12]


@pytest.mark.torch
@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs PyTorch")
def test_the_loop_trains_and_tells_what_it_has_spent(tmp_path):
    said = said_by_program("own-loop.md", tmp_path)
    steps, epsilon = re.match(r"(\d+) steps: epsilon <= ([\d.]+) at delta = 1e-05", said).groups()
    assert 0 < int(steps) <= 60
    assert 0 < float(epsilon) <= 8
