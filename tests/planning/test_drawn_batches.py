"""What is shown of drawn batches, hits and noisy gradients is what is drawn and accounted for."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from scipy.integrate import trapezoid

from dpviz.accounting.curve import composed_curve
from dpviz.guarantees import Unit
from dpviz.planning.drawn_batches import (
    SHOWN_SERIES,
    SHOWN_WINDOWS,
    drawable_batches,
    drawn_batch,
    drawn_run,
    epoch_partition,
)
from dpviz.planning.hit_laws import hit_check, hit_law, likely_counts
from dpviz.planning.placement import placement
from dpviz.planning.step_outputs import components, densities, step_outputs
from dpviz.planning.subsequences import COMPARED_SUBSEQUENCES, with_subsequences
from dpviz.sampling import batches
from dpviz.scenario import Rates, ScenarioError
from dpviz.scenario.data import LARGEST_COUNT
from dpviz.scenario.mechanism import LARGEST_BATCH
from tests.sampling.laws import assert_counts_follow, scenario_of
from tests.scenario.changes import TOY, TRAFFIC, varied

SEED = 5
SCHEMES = [
    (top, bottom)
    for top in ("without-replacement", "deterministic", "shuffled", "poisson")
    for bottom in ("with-replacement", "poisson")
] + [("flat", "with-replacement"), ("flat", "poisson")]
RELATIONS = [("event", 1), ("event", 4), ("user", 3)]


def scenario(top, bottom, level="event", width=1, **changes):
    windows = {} if top == "flat" else {"windows": 3}
    return scenario_of(
        **({"num_series": 9, "batch": 12, "top": top, "bottom": bottom, "level": level,
            "width": width} | windows | changes)
    )  # fmt: skip


def sampled(scenario, count):
    rng = np.random.default_rng(SEED)
    return list(islice(batches(scenario, rng, endless=True), count))


def parts_by_hand(scenario, start):
    """Return whether a window's context, and its forecast, hold a sensitive value, one by one."""
    placed = placement(scenario.shape, scenario.relation)
    sensitive = {
        value
        for run in range(placed.count)
        for value in range(placed.values(run)[0], placed.values(run)[1] + 1)
    }
    shape = scenario.shape
    context = set(range(start - shape.context_length, start))
    forecast = set(range(start, start + shape.forecast_length))
    return bool(context & sensitive), bool(forecast & sensitive)


@pytest.mark.parametrize(("level", "width"), RELATIONS)
@pytest.mark.parametrize(("top", "bottom"), SCHEMES)
def test_the_drawing_is_exactly_what_the_sampler_returned(top, bottom, level, width):
    """Each window in its place, told hit or not by looking at every value; and the counts."""
    case = scenario(top, bottom, level, width)
    run = drawn_run(case, SEED, 40, shown_from=21)
    returned = sampled(case, 40)
    for at, batch in enumerate(returned):
        own = batch.starts[batch.series == 0].tolist()
        parts = [parts_by_hand(case, start) for start in own]
        assert run.hits[at] == sum(context or forecast for context, forecast in parts)
        if at < 20:
            continue
        shown = run.shown[at - 20]
        assert (shown.step, shown.epoch) == (batch.step, batch.epoch)
        assert shown.num_windows == len(batch)
        assert shown.hits == run.hits[at]
        assert shown.in_context == sum(context for context, _ in parts)
        assert shown.in_forecast == sum(forecast for _, forecast in parts)
        assert len(shown.series) == SHOWN_SERIES
        for one in shown.series:
            starts = sorted(batch.starts[batch.series == one.series].tolist())
            windows = [window.start for window in one.windows]
            assert len(windows) + one.more == len(starts)
            assert len(windows) == min(len(starts), SHOWN_WINDOWS)
            rest = list(starts)
            for start in windows:
                rest.remove(start)
            assert one.is_drawn or not starts
            for window in one.windows:
                expected = parts_by_hand(case, window.start) if one.series == 0 else (False, False)
                assert (window.in_context, window.in_forecast) == expected
    assert len(run.shown) == 20
    number = drawn_batch(case, SEED, 33)
    assert number.starts.tolist() == returned[32].starts.tolist()


@pytest.mark.parametrize(("level", "width"), RELATIONS)
@pytest.mark.parametrize(("top", "bottom"), SCHEMES)
@pytest.mark.every(5)
def test_counted_hits_follow_the_weights_of_theory(top, bottom, level, width):
    """The samplers draw by the law that the bounds' mixtures have, for every scheme."""
    case = scenario(top, bottom, level, width, lengths=(40,))
    law = hit_law(case)
    counts = drawn_run(case, SEED, 3000).counts()
    shown = np.zeros(max(len(law.weights), len(counts)))
    shown[: len(counts)] = counts
    weights = np.zeros(len(shown))
    weights[: len(law.weights)] = law.weights
    assert_counts_follow(shown, weights)


def test_only_steps_that_use_the_series_count_for_a_walk():
    case = scenario("deterministic", "poisson")
    run = drawn_run(case, SEED, 10)
    assert run.follows_law.tolist() == [at % case.steps_per_epoch == 0 for at in range(10)]
    assert run.counts().sum() == run.follows_law.sum()
    assert run.counts(7).sum() == run.follows_law[:7].sum()
    assert drawn_run(scenario("poisson", "poisson"), SEED, 7).counts().sum() == 7


@pytest.mark.parametrize("top", ["deterministic", "shuffled"])
def test_an_epoch_s_partition_is_the_series_of_its_batches(top):
    case = scenario(top, "with-replacement", num_series=11)
    steps = case.steps_per_epoch
    partition = epoch_partition(case, SEED, 2 * steps + 1, 1000)
    drawn = sampled(case, 3 * steps)[2 * steps :]
    assert (partition.epoch, partition.steps, partition.drawn_steps) == (2, steps, steps)
    for step, batch in enumerate(drawn):
        assert set(partition.series[partition.step_in_epoch == step]) == set(batch.series)
    assert len(set(partition.series.tolist())) == len(partition.series) <= 11
    cut = epoch_partition(case, SEED, 2 * steps + 1, 2 * steps + 1)
    assert cut.drawn_steps == 1
    with pytest.raises(ScenarioError, match="top_level"):
        epoch_partition(scenario("poisson", "poisson"), SEED, 1, 10)


def test_the_range_of_chance_holds_at_least_95_of_100_runs_and_is_no_wider_than_it_must():
    rng = np.random.default_rng(3)
    for batches_, chance in ((2000, 0.01), (50, 0.3), (2000, 1e-5), (0, 0.5), (10, 1.0)):
        low, high = likely_counts(batches_, np.array([chance]))
        drawn = rng.binomial(batches_, chance, size=20_000)
        assert np.mean((low <= drawn) & (drawn <= high)) >= 0.945
        assert np.mean(drawn < low) <= 0.03
        assert np.mean(drawn > high) <= 0.03
    law = hit_law(TOY)
    check = hit_check(np.array([1900, 100]), law)
    assert (check.batches, check.counted, check.is_likely) == (2000, 100, False)
    assert check.expected == pytest.approx(20.0)


def test_what_cannot_be_drawn_while_somebody_waits_is_refused_by_name():
    many = varied(TOY, num_series=LARGEST_COUNT)
    assert drawable_batches(many) == 2000
    assert 2 <= drawable_batches(varied(TOY, batch_size=10**5, num_series=10**8)) < 2000
    with pytest.raises(ScenarioError, match="batch_size"):
        drawable_batches(varied(many, batch_size=LARGEST_BATCH))
    for top_level in ("shuffled", "poisson"):
        with pytest.raises(ScenarioError, match="num_series"):
            drawable_batches(varied(many, top_level=top_level))
    rates = Rates(bottom_rate=0.1, top_rate=0.1, steps_per_epoch=10)
    with pytest.raises(ScenarioError, match="bottom_rate"):
        drawable_batches(replace(TOY, data=rates))


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


@pytest.mark.every(2)
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


def test_a_bound_is_about_one_unit_whatever_training_takes():
    one, many = (step_outputs(varied(TOY, steps=count)) for count in (1, 100_000))
    assert one.upper.quoted == many.upper.quoted
    assert many.upper.bound.count == 1
    walk = step_outputs(varied(TOY, top_level="deterministic"))
    assert walk.upper.bound.unit is Unit.EPOCH


def test_of_one_bag_the_individual_s_lower_bound_is_drawn():
    outputs = step_outputs(scenario_of(batch=40, top="flat"))
    assert outputs.upper.bound.theorem == "dpviz 4"
    assert outputs.drawn is outputs.lower
    coins = step_outputs(scenario_of(batch=40, top="flat", bottom="poisson"))
    assert coins.drawn is coins.upper


@pytest.mark.parametrize("bottom_level", ["with-replacement", "poisson"])
@pytest.mark.parametrize("windows", COMPARED_SUBSEQUENCES)
def test_mean_is_that_of_the_weights(windows, bottom_level):
    scenario = with_subsequences(varied(TRAFFIC, bottom_level=bottom_level), windows)
    law = hit_law(scenario)
    mean = float(np.arange(len(law.weights)) @ law.weights)
    assert law.mean == pytest.approx(mean, rel=1e-9)
    assert law.mean == pytest.approx(scenario.top_rate * windows * scenario.bottom_rate)
