"""The two densities of one noisy gradient are those that the accountant composes."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import trapezoid

from dpviz.accounting.curve import composed_curve
from dpviz.guarantees import Unit
from dpviz.planning.step_outputs import components, densities, outcomes_to_draw, step_outputs
from dpviz.scenario import PRESETS, Rates, Sampling
from tests.sampling.laws import scenario_of

CASES = {
    "4.4": {},
    "4.2": {"top": "deterministic"},
    "4.2 shuffled": {"top": "shuffled"},
    "F.7": {"windows": 2, "sigma": 2.0},
    "4.3": {"windows": 4, "top": "deterministic", "sigma": 3.0},
    "F.8": {"windows": 2, "bottom": "poisson"},
    "E.8": {"windows": 2, "bottom": "poisson", "top": "deterministic", "width": 3},
    "C.2": {"top": "flat", "batch": 40},
    "G.1": {"context_noise": 1.0},
    "Poisson series": {"top": "poisson", "sigma": 0.5},
}
EPSILONS = np.array([0.0, 0.01, 0.1, 0.5, 1.0, 2.0])


@pytest.mark.parametrize("name", CASES)
def test_densities_have_the_accountant_s_profile(name):
    """They integrate to 1, and their hockey-stick divergence lies in the accountant's bracket."""
    advantage = step_outputs(scenario_of(**CASES[name])).drawn
    bound = advantage.bound
    assert name.startswith(bound.theorem) or name == "Poisson series"
    sigma = bound.pair.noise_multiplier
    means = np.concatenate([means for means, _ in components(bound.pair)])
    x = np.linspace(means.min() - 12 * sigma, means.max() + 12 * sigma, 200_001)
    p, q = densities(bound.pair, x)
    assert trapezoid(p, x) == pytest.approx(1.0, abs=1e-9)
    assert trapezoid(q, x) == pytest.approx(1.0, abs=1e-9)
    both = [
        [trapezoid(np.maximum(one - np.exp(e) * other, 0.0), x) for e in EPSILONS]
        for one, other in ((p, q), (q, p))
    ]
    # The theorems bound P against Q; what was attained counts in its worse direction.
    profile = bound.share * np.array(both[0])
    if not bound.bounds_from_above:
        profile = np.max(both, axis=0)
    brackets = composed_curve(bound, interval=1e-3).delta_at(EPSILONS)
    assert (profile >= brackets.low - 1e-9).all()
    assert (profile <= brackets.high + 1e-9).all()
    assert profile[0] == pytest.approx(advantage.quoted, rel=0.02)
    safe = advantage.quoted - profile[0]
    assert safe >= -1e-9 if bound.bounds_from_above else safe <= 1e-9


@pytest.mark.parametrize("name", CASES)
def test_what_is_drawn_shows_all_of_both_densities(name):
    pair = step_outputs(scenario_of(**CASES[name])).drawn.bound.pair
    x = outcomes_to_draw(pair)
    assert (np.diff(x) > 0).all()
    assert len(x) < 1000
    for density in densities(pair, x):
        assert trapezoid(density, x) == pytest.approx(1.0, abs=0.01)


def test_a_bound_is_about_one_unit_whatever_training_takes():
    toy = PRESETS["toy"].scenario
    one, many = (
        step_outputs(replace(toy, training=replace(toy.training, count=count)))
        for count in (1, 100_000)
    )
    assert one.upper.quoted == many.upper.quoted
    assert many.upper.bound.count == 1
    walk = step_outputs(replace(toy, sampling=Sampling(batch_size=32, top_level="deterministic")))
    assert walk.upper.bound.unit is Unit.EPOCH


@pytest.mark.parametrize("rate", [0.05, 0.9])
def test_the_upper_bound_on_several_windows_lies_above_the_lower_one(rate):
    toy = PRESETS["toy"].scenario
    outputs = step_outputs(
        replace(
            toy,
            data=Rates(bottom_rate=rate, top_rate=0.1, steps_per_epoch=10),
            sampling=Sampling(batch_size=32, num_subsequences=4),
            noise=replace(toy.noise, noise_multiplier=8.0),
        )
    )
    assert outputs.upper.bound.theorem == "dpviz 2"
    assert outputs.lower.quoted <= outputs.upper.quoted


def test_of_one_bag_the_individual_s_lower_bound_is_drawn():
    outputs = step_outputs(scenario_of(batch=40, top="flat"))
    assert outputs.upper.bound.theorem == "dpviz 4"
    assert outputs.drawn is outputs.lower
    coins = step_outputs(scenario_of(batch=40, top="flat", bottom="poisson"))
    assert coins.drawn is coins.upper
