"""Errors of released series, against the checked values and the paper's findings."""

import math

import numpy as np
import pytest

from dpviz.release import ReleaseSettings, calibrated
from dpviz.release.mechanisms import absolute_errors, error_summary
from dpviz.release.series import (
    TruthAndSeries,
    lane_like,
    synthetic,
    synthetic_filter_width,
    synthetic_rate,
)

COLUMNS = [
    ("gaussian", "classical"),
    ("dft", "paper"),
    ("subsample", "paper"),
    ("filter-subsample", "paper"),
    ("subsample", "exact"),
    ("filter-subsample", "exact"),
]
# Over 100 repetitions at (0.5, 1e-4); I = 100.
SYNTH = {
    (1.0, 0.0): (69, 122, 28, 43, 13.0, 13.6),
    (1.0, 100.0): (105, 122, 71, 44.5, 66, 19),
    (1 / 32, 100.0): (103, 142, 104, 115, 99, 103),
}


def synth_errors(frequency, observation_noise, repetitions, seed=1):
    """Return the error of each column's mechanism, and the series it is of."""
    series = synthetic(frequency, observation_noise, seed)
    settings = ReleaseSettings(
        length=len(series.series),
        participation=100,
        rate=synthetic_rate(frequency),
        filter_width=synthetic_filter_width(frequency),
    )
    return [
        error_summary(absolute_errors(series, calibrated(settings, *way), repetitions, [seed]))
        for way in COLUMNS
    ]


@pytest.mark.parametrize("setting", SYNTH)
def test_errors_on_synth(setting):
    """Within 6 % of the table: 20 repetitions against 100, and observation noise drawn anew."""
    for found, expected in zip(synth_errors(*setting, 20), SYNTH[setting], strict=True):
        allowed = 0.06 * expected + 4.0 * found.spread / math.sqrt(20)
        assert abs(found.mean - expected) < allowed


@pytest.mark.slow
@pytest.mark.parametrize("setting", SYNTH)
def test_errors_on_synth_over_many_repetitions(setting):
    """As often as for the table, over five draws of the observation noise."""
    drawn = [synth_errors(*setting, 100, seed) for seed in range(5)]
    for at, expected in enumerate(SYNTH[setting]):
        mean = np.mean([found[at].mean for found in drawn])
        spread = max(found[at].spread for found in drawn)
        assert abs(mean - expected) < 0.03 * expected + 4.0 * spread / math.sqrt(100)


def test_the_gaussian_mechanism_errs_by_93_on_pems():
    """Table 2: of T = 1800 steps with I = 180, whatever the counts; the print has 93.0 +- 1.6."""
    noise = calibrated(
        ReleaseSettings(length=1800, participation=180), "gaussian", "classical"
    ).noise
    assert noise * math.sqrt(2 / math.pi) == pytest.approx(93.0, abs=0.05)


def test_errors_fall_with_the_sampling_frequency_where_steps_are_kept_by_chance():
    """Figure 2's trends, on the clean series, at 1/16, 1/4 and 1."""
    found = [synth_errors(f, 0.0, 8) for f in (1 / 16, 1 / 4, 1.0)]
    for column in (2, 3):
        means = [errors[column].mean for errors in found]
        assert means == sorted(means, reverse=True)
    gaussian = [errors[0].mean for errors in found]
    assert max(gaussian) / min(gaussian) < 1.1  # I is the same for all of them
    fourier = [errors[1].mean for errors in found]
    assert max(fourier) / min(fourier) < 1.25


def test_a_filter_helps_where_observations_are_noisy_and_costs_little_where_not():
    """Figure 2's second finding, by the paper's noise; by the exact one it helps more."""
    clean, noisy = synth_errors(1.0, 0.0, 8), synth_errors(1.0, 100.0, 8)
    assert clean[2].mean < clean[3].mean
    assert noisy[3].mean < noisy[2].mean
    assert noisy[5].mean < noisy[3].mean
    assert clean[5].mean < 1.2 * clean[4].mean


def test_a_generated_lane_has_counts_with_a_day_and_a_week():
    lane = lane_like(14, 3).series
    assert lane.shape == (14 * 288,)
    assert (lane >= 0).all()
    assert (lane == np.round(lane)).all()
    days = lane.reshape(14, 288)
    assert days[:, 200:210].mean() > 3 * days[:, :24].mean()
    assert days[:5].mean() > 1.1 * days[5:7].mean()


def test_the_paper_orders_the_mechanisms_alike_on_a_real_lane(reference_dir):
    """Table 2's order on PeMS: no filter best, then the baselines; here on another lane."""
    path = reference_dir / "pems_lane_2016_5min.csv"
    if not path.is_file():
        pytest.skip(f"the folder that DPVIZ_REFERENCE_DIR names has no {path.name}")
    series = np.loadtxt(path, delimiter=",", skiprows=1, usecols=2)[:1800]
    settings = ReleaseSettings(length=1800, participation=180)
    both = TruthAndSeries(series, series)
    gaussian, _, kept, filtered, exact, exact_filtered = (
        error_summary(absolute_errors(both, calibrated(settings, *way), 20, [1])).mean
        for way in COLUMNS
    )
    assert gaussian == pytest.approx(93.0, rel=0.02)
    assert kept < filtered < gaussian
    assert max(exact, exact_filtered) < kept
