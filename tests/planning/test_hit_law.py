"""How many of an individual's windows are in one batch."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from dpviz.planning.hit_laws import have_equal_means, hit_law
from dpviz.planning.subsequences import COMPARED_SUBSEQUENCES, with_subsequences
from dpviz.sampling.hits import simulate_hits
from dpviz.scenario import PRESETS, Sampling, ScenarioError

TOY = PRESETS["toy"].scenario
TRAFFIC = PRESETS["traffic"].scenario


@pytest.mark.parametrize("windows", COMPARED_SUBSEQUENCES)
def test_with_replacement_it_is_a_binomial_in_the_batches_that_use_the_series(windows):
    law = hit_law(with_subsequences(TOY, windows))
    chance = (32 // windows) / 320
    expected = chance * stats.binom.pmf(np.arange(windows + 1), windows, 0.1)
    expected[0] += 1.0 - chance
    assert law.weights == pytest.approx(expected[: len(law.weights)], rel=1e-9)
    assert law.chance_of_use == chance
    assert law.weights.sum() + law.remainder == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("bottom_level", ["with-replacement", "poisson"])
@pytest.mark.parametrize("windows", COMPARED_SUBSEQUENCES)
def test_mean_is_that_of_the_weights(windows, bottom_level):
    sampling = replace(TRAFFIC.sampling, bottom_level=bottom_level)
    scenario = with_subsequences(replace(TRAFFIC, sampling=sampling), windows)
    law = hit_law(scenario)
    mean = float(np.arange(len(law.weights)) @ law.weights)
    assert law.mean == pytest.approx(mean, rel=1e-9)
    assert law.mean == pytest.approx(scenario.top_rate * windows * scenario.bottom_rate)


@pytest.mark.parametrize("bottom_level", ["with-replacement", "poisson"])
def test_every_number_of_windows_hits_equally_often_on_average(bottom_level):
    sampling = replace(TRAFFIC.sampling, bottom_level=bottom_level)
    scenario = replace(TRAFFIC, sampling=sampling)
    laws = [hit_law(with_subsequences(scenario, windows)) for windows in COMPARED_SUBSEQUENCES]
    assert have_equal_means(laws)
    together = [float(law.weights[2:].sum()) for law in laws]
    if bottom_level == "with-replacement":
        assert together[0] == 0.0
    assert together == sorted(together)
    never = [float(law.weights[0]) for law in laws]
    assert never == sorted(never)


def test_a_batch_that_is_not_filled_hits_less_often():
    scenario = replace(TOY, sampling=Sampling(batch_size=48))
    laws = [hit_law(with_subsequences(scenario, windows)) for windows in (1, 32)]
    assert not have_equal_means(laws)
    assert laws[1].mean == pytest.approx(laws[0].mean * 32 / 48)


def test_drawing_every_window_for_sure_hits_no_more_often_than_there_are_windows():
    sampling = replace(TOY.sampling, bottom_level="poisson", num_subsequences=32)
    law = hit_law(replace(TOY, sampling=sampling))
    assert list(law.weights) == pytest.approx([1 - 1 / 320, 0.0, 1 / 320])


@pytest.mark.parametrize("top_level", ["without-replacement", "deterministic"])
@pytest.mark.parametrize("bottom_level", ["with-replacement", "poisson"])
def test_real_batches_hit_as_often(top_level, bottom_level):
    """Error bar: 5 standard deviations of 20,000 batches."""
    # One step is a whole pass, where series are walked through.
    size = 64 if top_level == "deterministic" else 16
    sampling = Sampling(
        batch_size=size, num_subsequences=4, top_level=top_level, bottom_level=bottom_level
    )
    scenario = replace(TOY, data=replace(TOY.data, num_series=16), sampling=sampling)
    law = hit_law(scenario)
    assert law.in_its_step is (top_level == "deterministic")
    assert law.chance_of_use == (1.0 if law.in_its_step else 0.25)
    seen = simulate_hits(scenario, 20_000, seed=11) / 20_000
    for count, expected in enumerate(law.weights[: len(seen)].tolist()):
        error = 5 * np.sqrt(expected * (1 - expected) / 20_000)
        assert seen[count] == pytest.approx(expected, abs=error)


def test_one_bag_is_refused():
    with pytest.raises(ScenarioError, match="windows per series"):
        hit_law(replace(TOY, sampling=Sampling(batch_size=32, top_level="flat")))
