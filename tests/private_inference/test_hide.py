"""Hiding a context: noise where a value is kept, nothing of the value anywhere else."""

import re
from fractions import Fraction

import numpy as np
import pytest

from dpviz.private_inference.hide import forecasts_of_hidden, hidden_contexts, pulled_to_mean
from dpviz.release.noisy import grid_exponent
from dpviz.scenario import ScenarioError
from dpviz.training.models import forecaster
from dpviz.training.quantiles import LEVELS

LENGTH = 5


class Told:
    """Randomness that is given: as if it had been drawn."""

    def __init__(self, uniform, normal):
        self._uniform, self._normal = np.ravel(uniform), np.ravel(normal)

    def random(self, size):
        """Return the uniform numbers."""
        assert size == len(self._uniform)
        return self._uniform

    def standard_normal(self, size):
        assert size == len(self._normal)
        return self._normal


class Watched:
    """A forecaster that notes what it is given."""

    def quantiles(self, parameters, context, levels):  # noqa: ARG002
        self.seen = context
        return np.zeros((len(context), 2, len(levels)))


def test_noise_and_share_of_kept_values_are_those_asked_for():
    """Over 200,000 draws, within five standard errors; fewer with the system's entropy."""
    for rng, windows in ((np.random.default_rng(1), 50_000), (None, 5_000)):
        contexts = np.tile([5.0, -7.0, 1e6, 0.0], (windows, 1))
        hidden = hidden_contexts(contexts, rate=0.3, noise=2.5, rng=rng)
        count = hidden.kept.size
        assert abs(hidden.kept.mean() - 0.3) < 5 * np.sqrt(0.3 * 0.7 / count)
        added = (hidden.values - contexts)[hidden.kept] / 2.5
        assert abs(added.mean()) < 5 / np.sqrt(len(added))
        assert abs(added.var() - 1.0) < 5 * np.sqrt(2 / len(added))
        assert abs(np.mean(np.abs(added) > 1.96) - 0.05) < 5 * np.sqrt(0.0475 / len(added))
        # Whether a value is kept, and its noise, have nothing to do with the value or each other.
        by_place = hidden.kept.mean(axis=0)
        assert np.all(np.abs(by_place - 0.3) < 5 * np.sqrt(0.21 / windows))
        neighbours = np.corrcoef(hidden.kept[:, 0], hidden.kept[:, 1])[0, 1]
        assert abs(neighbours) < 5 / np.sqrt(windows)


def test_gaps_become_the_mean_of_the_kept_noisy_values():
    drawn = Told([[0.1, 0.9, 0.2, 0.9]], [[1.0, 5.0, -1.0, 5.0]])
    hidden = hidden_contexts([[10.0, 1e9, 20.0, -1e9]], rate=0.5, noise=2.0, rng=drawn)
    assert hidden.values.tolist() == [[12.0, 15.0, 18.0, 15.0]]
    assert hidden.kept.tolist() == [[True, False, True, False]]


def test_context_of_which_nothing_is_kept_becomes_the_public_value():
    """It is the same for every context, so that it tells nothing about one."""
    drawn = Told(np.full((2, 3), 0.9), np.ones((2, 3)))
    hidden = hidden_contexts(
        [[1.0, 2.0, 3.0], [-9e8, 7.0, 1e8]], rate=0.5, noise=1.0, nothing_kept=42.0, rng=drawn
    )
    assert hidden.values.tolist() == [[42.0] * 3] * 2
    assert not hidden.kept.any()


def test_padding_is_told_by_lengths_and_stays_zero():
    """A zero that a series has itself is a value like any other, and gets noise."""
    contexts = [[0.0, 0.0, 3.0], [0.0, 0.0, 3.0], [0.0, 0.0, 0.0]]
    drawn = Told(np.zeros((3, 3)), np.ones((3, 3)))
    hidden = hidden_contexts(contexts, rate=1.0, noise=1.0, known=[1, 3, 0], rng=drawn)
    assert hidden.values.tolist() == [[0.0, 0.0, 4.0], [1.0, 1.0, 4.0], [0.0, 0.0, 0.0]]
    assert hidden.kept.sum(axis=1).tolist() == [1, 3, 0]


@pytest.mark.parametrize("model", ["linear", "dlinear", "feedforward", "naive"])
def test_equal_hidden_contexts_have_equal_forecasts(model):
    """Whatever the contexts were: values that were dropped, and the noise taken off, do not count.

    Numbers are whole, so that sums are exact.
    """
    rng = np.random.default_rng(3)
    built = forecaster(model, LENGTH, 2, 3)
    parameters = rng.normal(size=built.num_parameters)
    for _ in range(50):
        one, other = rng.integers(-50, 50, size=(2, 4, LENGTH)).astype(float)
        uniform = rng.random((4, LENGTH))
        noise = rng.integers(-20, 20, size=(4, LENGTH)).astype(float)
        hidden = [
            hidden_contexts(values, rate=0.5, noise=1.0, nothing_kept=3.0, rng=drawn)
            for values, drawn in (
                (one, Told(uniform, noise)),
                (other, Told(uniform, noise + one - other)),
            )
        ]
        assert np.array_equal(hidden[0].values, hidden[1].values)
        forecasts = [forecasts_of_hidden(built, parameters, each, LEVELS) for each in hidden]
        assert np.array_equal(*forecasts)


def test_model_is_given_the_hidden_context_and_nothing_else():
    hidden = hidden_contexts(np.full((2, 3), 7.0), rate=0.5, noise=1.0)
    model = Watched()
    forecasts_of_hidden(model, np.zeros(0), hidden, LEVELS)
    assert model.seen is hidden.values
    assert not np.any(model.seen == 7.0)


def test_forecasts_stay_within_what_is_known_of_all_values():
    hidden = hidden_contexts([[-500.0, -400.0, -300.0]], rate=1.0, noise=1.0)
    built = forecaster("linear", 3, 2, 1)
    parameters = built.initial_parameters(np.random.default_rng(1))
    assert forecasts_of_hidden(built, parameters, hidden, LEVELS).max() < 0.0
    clipped = forecasts_of_hidden(built, parameters, hidden, LEVELS, lowest=0.0, highest=10.0)
    assert np.all(clipped == 0.0)
    assert forecasts_of_hidden(built, parameters, hidden, LEVELS, lowest=0.0).min() == 0.0
    assert forecasts_of_hidden(built, parameters, hidden, LEVELS, highest=-1e9).max() == -1e9
    plain = hidden_contexts([[-500.0, -400.0, -300.0]], rate=1.0, noise=0.0)
    assert plain.values.tolist() == [[-500.0, -400.0, -300.0]]


@pytest.mark.parametrize("noise", [3e-321, 30.1, 1e90])
def test_hidden_values_lie_on_the_grid_and_have_the_noise(noise):
    """At any size of noise and value; the value enters as a shift by whole multiples alone."""
    grid = Fraction(2) ** grid_exponent(noise)
    for value in (0.0, noise / 3.0, 1e8 * noise):
        hidden = hidden_contexts(np.full((1, 2_000), value), rate=1.0, noise=noise)
        assert all((Fraction(found) / grid).denominator == 1 for found in hidden.values[0].tolist())
        added = [float(Fraction(found) / Fraction(noise)) for found in hidden.values[0].tolist()]
        assert abs(np.std(added) - 1.0) < 5 / np.sqrt(2 * 2_000)


@pytest.mark.parametrize("value", [1e15, -1e40, 1e100])
def test_values_of_any_size_are_hidden_and_none_is_told_by_a_refusal(value):
    """They are added to noise in whole numbers, and only the sum is rounded to a double."""
    hidden = hidden_contexts([[value, 0.0]], rate=1.0, noise=1.0)
    assert abs(hidden.values[0, 0] - value) <= max(10.0, abs(value) * 2.0**-52)
    assert 0.0 < abs(hidden.values[0, 1]) < 10.0


def test_nothing_repeats_without_a_seed():
    one, other = (hidden_contexts([[1.0] * 20], rate=0.5, noise=1.0).values for _ in range(2))
    assert not np.array_equal(one, other)


@pytest.mark.parametrize(
    ("contexts", "changes", "named"),
    [
        ([[np.nan, 1.0]], {}, "must be finite"),
        ([[np.inf, 1.0]], {}, "must be finite"),
        ([1.0, 2.0], {}, "shape"),
        ([[]], {}, "shape"),
        ([["seven", 1.0]], {}, "they must be numbers"),
        ([[10**400, 1.0]], {}, "they must be numbers"),
        ([[1.0, 2e100]], {"noise": 1.0}, "must be at most 1e\\+100"),
        ([[1.0, 1e200]], {"noise": 0.0}, "must be at most 1e\\+100"),
        ([[1.0, 2.0]], {"noise": -1.0}, "noise"),
        ([[1.0, 2.0]], {"noise": np.nan}, "noise"),
        ([[1.0, 2.0]], {"rate": 0.0}, "rate"),
        ([[1.0, 2.0]], {"rate": 1.5}, "rate"),
        ([[1.0, 2.0]], {"nothing_kept": np.inf}, "nothing_kept"),
        ([[1.0, 2.0]], {"known": [3]}, "known"),
        ([[1.0, 2.0]], {"known": [-1]}, "known"),
        ([[1.0, 2.0]], {"known": [1.5]}, "known"),
        ([[1.0, 2.0]], {"known": [1, 1]}, "known"),
    ],
)
def test_contexts_that_cannot_be_hidden_are_refused_without_their_values(contexts, changes, named):
    with pytest.raises(ScenarioError, match=named) as refused:
        hidden_contexts(contexts, **({"rate": 0.5, "noise": 1.0} | changes))
    assert not re.search(r"seven|2e\+?100|1e\+?200|00000", str(refused.value))


def test_pulling_values_to_their_mean_reads_only_what_is_seen():
    hidden = hidden_contexts([[1.0, 5.0, 9.0, 2.0]], rate=1.0, noise=2.0, known=[3])
    whole = pulled_to_mean(hidden, 1.0).values[0]
    assert whole[0] == 0.0
    assert whole[1:] == pytest.approx([hidden.values[0, 1:].mean()] * 3)
    assert np.array_equal(pulled_to_mean(hidden, 0.0).values, hidden.values)
    nothing = hidden_contexts([[1.0, 2.0]], rate=1.0, noise=1.0, known=[0])
    assert np.array_equal(pulled_to_mean(nothing, 0.7).values, [[0.0, 0.0]])
    for share in (-0.1, 1.1, np.nan):
        with pytest.raises(ScenarioError, match="share"):
            pulled_to_mean(hidden, share)
