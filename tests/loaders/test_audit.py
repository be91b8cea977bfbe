"""A right sampler passes, 20 times of 20; each seeded fault is found, and named for what it is."""

from itertools import count, islice

import numpy as np
import pytest
from scipy.stats import binom, hypergeom

from dpviz.loaders import LoaderError, StructuredBatchSampler, WindowDataset
from dpviz.loaders.audit import audit
from dpviz.loaders.audit_laws import FALSE_ALARM, Share, error_of_each
from dpviz.sampling import Batch, batches, windows
from dpviz.scenario import PRESETS, DataShape, Noise, Sampling, Scenario, ScenarioError, Training


def right(scenario):
    """Return dpviz's own sampler of a scenario."""

    def sampler(series, seed):
        rng = np.random.default_rng(seed)
        lengths = [len(one) for one in series]
        for batch in batches(scenario, rng, series_lengths=lengths, endless=True):
            yield cut_of(scenario, series, batch.series, batch.starts)

    return sampler


def cut_of(scenario, series, owners, starts):
    """Return windows as rows."""
    drawn = Batch(series=np.asarray(owners), starts=np.asarray(starts), step=0, epoch=0)
    shape = scenario.data
    cut = windows(series, drawn, shape.context_length, shape.forecast_length)
    return np.concatenate([cut.context, cut.forecast], axis=1)


def any_start(rng, T, _step):
    """Return a start of each series, each with the same probability."""
    return rng.integers(0, T)


def drawing(scenario, *, starts=any_start, owners=None, replace=False, changed=None):
    """Draw series and a window of each for ever, each in the way that is given.

    Args:
        starts: of the generator, the number of start positions of each series, and the step.
        owners: of the generator and how many series there are.
        changed: what becomes of the windows, given the longest drawn series.
    """
    size = scenario.sampling.series_per_batch

    def sampler(series, seed):
        rng = np.random.default_rng(seed)
        for step in count():
            if owners is None:
                drawn = rng.choice(len(series), size, replace=replace)
            else:
                drawn = owners(rng, len(series))
            lengths = np.array([len(series[owner]) for owner in drawn])
            T = lengths - scenario.data.forecast_length + 1
            rows = cut_of(scenario, series, drawn, starts(rng, T, step))
            yield rows if changed is None else changed(rows, lengths.max())

    return sampler


def reused_shuffle_order(scenario):
    """Shuffle once, before training: every epoch has the first one's order."""
    size = scenario.sampling.series_per_batch

    def sampler(series, seed):
        rng = np.random.default_rng(seed)
        order = rng.permutation(len(series))
        while True:
            for first in range(0, len(order) - size + 1, size):
                owners = order[first : first + size]
                T = np.array([len(series[at]) for at in owners]) - scenario.data.forecast_length + 1
                yield cut_of(scenario, series, owners, rng.integers(0, T))

    return sampler


def scenario(*, lengths=(60, 100), batch_size=10, context=12, forecast=4, **sampling):
    return Scenario(
        data=DataShape(
            num_series=40, series_lengths=lengths, context_length=context, forecast_length=forecast
        ),
        sampling=Sampling(batch_size=batch_size, **sampling),
        noise=Noise(noise_multiplier=1.0),
        training=Training(unit="steps", count=10**4),
    )


def faults_of(one, sampler, batches=500, seed=1):
    found = audit(one, sampler, batches, seed)
    assert found.passed == all(check.passed is not False for check in found.checks)
    return {check.name: check.found for check in found.checks if check.passed is False}


SCHEMES = [
    {},
    {"top_level": "deterministic"},
    {"top_level": "shuffled"},
    {"top_level": "bins"},
    {"top_level": "bins", "batch_size": 15},
    {"top_level": "bins", "bottom_level": "poisson", "lengths": (100,)},
    {"top_level": "poisson"},
    {"top_level": "flat", "lengths": (100,)},
    {"num_subsequences": 2},
    {"bottom_level": "poisson", "lengths": (100,)},
    {"top_level": "poisson", "bottom_level": "poisson", "lengths": (100,)},
    {"top_level": "flat", "bottom_level": "poisson", "lengths": (100,)},
    {"top_level": "shuffled", "bottom_level": "poisson", "lengths": (100,)},
    {"top_level": "poisson", "num_subsequences": 5},
    {"lengths": (5,), "context": 0},
    {"lengths": (8,), "context": 6, "forecast": 1},
]


@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
@pytest.mark.every(8)
def test_a_right_sampler_passes(scheme):
    one = scenario(**scheme)
    for seed in range(3):
        assert faults_of(one, right(one), 600, seed) == {}


@pytest.mark.slow
@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
def test_a_right_sampler_passes_20_times_of_20(scheme):
    one = scenario(**scheme)
    assert [faults_of(one, right(one), 1000, seed) for seed in range(20)] == [{}] * 20


def test_a_shuffle_is_not_bins():
    """Batches of equal sizes, each series once: only the sizes tell."""
    shuffled = right(scenario(top_level="shuffled"))
    assert set(faults_of(scenario(top_level="bins"), shuffled)) == {"sizes of batches"}


EPOCH = "one use of a series in an epoch"


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("accounted", "drawn", "name", "said"),
    [
        ({"top_level": "bins"}, {"top_level": "poisson"}, EPOCH, "batches of the epoch"),
        # Epochs of five batches, read as if of four.
        ({"top_level": "bins"}, {"top_level": "bins", "batch_size": 8}, EPOCH, "of the epoch"),
        ({"top_level": "shuffled"}, {}, EPOCH, "batches of the epoch"),
        ({}, {"top_level": "shuffled"}, "independence of steps", "expected 0.25"),
        ({}, {"top_level": "poisson"}, "batch size", "instead of 10"),
        ({}, {"batch_size": 5}, "batch size", "batch 0: 5 windows instead of 10"),
        ({"top_level": "poisson"}, {}, "sizes of batches", " of 500"),
        ({}, {"top_level": "flat"}, "windows of a drawn series", " windows instead of 1"),
    ],
)
def test_another_scheme_than_was_accounted_for_is_found(accounted, drawn, name, said):
    accounted, drawn = ({"lengths": (60,)} | scheme for scheme in (accounted, drawn))
    found = faults_of(scenario(**accounted), right(scenario(**drawn)))
    assert said in found[name]


def test_dpvizs_own_loader_passes():
    one = scenario(top_level="poisson")

    def sampler(series, seed):
        data = WindowDataset(series, one, np.float64)
        drawn = StructuredBatchSampler(one, data.series_lengths, np.random.default_rng(seed))
        while True:
            for numbers in drawn:
                yield data.__getitems__(numbers)

    assert faults_of(one, sampler) == {}


def test_a_reused_order_is_found():
    found = faults_of(scenario(), reused_shuffle_order(scenario()))
    assert "4 steps apart" in found["independence of steps"]
    one = scenario(top_level="shuffled")
    assert "first batch" in faults_of(one, reused_shuffle_order(one))["independence of steps"]


ACROSS, STARTS = "windows of two series in a batch", "where windows start"
SERIES = "how often each series is drawn"
FAULTS = {
    "no window without all of its context": (
        {"starts": lambda rng, T, _step: rng.integers(12, T)},
        STARTS,
        "context is padded: 0 of",
    ),
    "series drawn with replacement": (
        {"replace": True},
        "windows of a drawn series",
        "has 2 windows",
    ),
    "windows that hold nothing above zero, or a gap, left out": (
        {"changed": lambda rows, _longest: rows[rows.sum(axis=1) > 0.0]},
        "same windows whatever the values",
        "negative",
    ),
    "windows padded to the longest series of the batch, so that their length tells it": (
        {"changed": lambda rows, longest: np.pad(rows, ((0, 0), (longest - rows.shape[1], 0)))},
        "windows",
        "100 values instead of 16",
    ),
    "one start for all series of a batch": (
        {"starts": lambda rng, T, _step: np.minimum((rng.random() * T).astype(int), T - 1)},
        ACROSS,
        "the same place",
    ),
    "the next window each time": ({"starts": lambda _rng, T, step: (step * 7) % T}, ACROSS, ""),
    "a start for ever": (
        {"starts": lambda _rng, T, _step: np.random.default_rng(0).integers(0, T)},
        "windows of a series from use to use",
        "the same start",
    ),
    "the last window left out": (
        {"starts": lambda rng, T, _step: rng.integers(0, T - 1)},
        STARTS,
        "the last start position: 0 of",
    ),
    "the last series left out": (
        {"owners": lambda rng, many: rng.choice(many - 1, 10, replace=False)},
        SERIES,
        "series 39 is: 0 of 500",
    ),
    "the first series most of the time": (
        {"owners": lambda rng, many: np.append(rng.choice(many - 1, 9, replace=False) + 1, 0)},
        SERIES,
        "series 0 is: 500 of 500",
    ),
}


@pytest.mark.every(2)
@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_found_and_named(fault):
    options, name, said = FAULTS[fault]
    for seed in range(3):
        assert said in faults_of(scenario(), drawing(scenario(), **options), 500, seed)[name]


def test_a_sampler_without_a_seed_is_not_judged_by_its_values():
    one = scenario()

    def sampler(series, seed):
        return right(one)(series, None)

    found = audit(one, sampler, 200, 1)
    (check,) = (check for check in found.checks if check.passed is None)
    assert "same seed draws other windows" in check.found


def test_a_sampler_that_stops_on_missing_values_says_so():
    one = scenario()

    def sampler(series, seed):
        if any(np.isnan(values).any() for values in series):
            raise ValueError("missing")
        return right(one)(series, seed)

    found = audit(one, sampler, 200, 1)
    assert found.passed
    assert any(
        "stops where values are missing in part (ValueError)" in one.found for one in found.checks
    )


def test_fewer_batches_than_asked_for_are_looked_at():
    one = scenario()
    found = audit(one, lambda series, seed: islice(right(one)(series, seed), 30), 1000, 1)
    assert (found.passed, found.batches) == (True, 30)
    with pytest.raises(LoaderError, match="no batch"):
        audit(one, lambda _series, _seed: [], 10, 1)


@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
def test_less_than_an_epoch_is_looked_at(scheme):
    one = scenario(**scheme)
    for many in (1, 2):
        assert faults_of(one, right(one), many) == {}


def test_rates_have_no_batches_to_look_at():
    with pytest.raises(ScenarioError, match="rates draw no batches"):
        audit(PRESETS["toy"].scenario.with_rates(), right(scenario()), 10, 1)


def share(count, cases, expected):
    return Share(check="a", event="b", count=count, cases=cases, expected=expected)


@pytest.mark.parametrize("p", [0.0, 1e-4, 0.03, 0.5, 0.97, 1.0])
@pytest.mark.parametrize("cases", [1, 7, 200])
@pytest.mark.every(3)
def test_what_is_judged_otherwise_has_at_most_the_stated_probability(p, cases):
    """Of draws without replacement even less."""
    laws = [(binom(cases, p), cases, p), (hypergeom(40, 10, 10), 10, 0.25)]
    for law, most, expected in laws:
        for error in (FALSE_ALARM, FALSE_ALARM / 100):
            wrong = sum(
                law.pmf(count)
                for count in range(most + 1)
                if not share(count, most, expected).is_as_expected(error)
            )
            assert wrong <= error


@pytest.mark.parametrize(("count", "cases"), [(0, 50), (3, 50), (50, 50), (500, 1000)])
def test_limits_are_where_the_verdict_turns(count, cases):
    low, high = share(count, cases, 0.4).limits(FALSE_ALARM)
    assert low <= count / cases <= high
    for limit, inwards in ((low, 1.001), (high, 0.999)):
        if limit in (0.0, 1.0):
            continue
        assert share(count, cases, limit * inwards).is_as_expected(FALSE_ALARM)
        assert not share(count, cases, limit * (2 - inwards)).is_as_expected(FALSE_ALARM)


def test_no_case_says_nothing():
    assert share(0, 0, 0.3).is_as_expected(FALSE_ALARM)
    assert share(0, 0, 0.3).limits(FALSE_ALARM) == (0.0, 1.0)


def test_errors_of_all_shares_add_up_to_that_of_an_audit():
    for many in (1, 100):
        assert many * error_of_each([share(0, 0, 0.3)] * many) == pytest.approx(FALSE_ALARM)
    assert error_of_each([]) == FALSE_ALARM
