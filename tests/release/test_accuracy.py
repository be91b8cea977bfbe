"""Errors of released series of counts, against checked values and the paper's findings."""

import itertools
import math

import numpy as np
import pytest

from dpviz.release import ReleaseSettings, calibrated
from dpviz.release.calibration import proposition_1_epsilon
from dpviz.release.mechanisms import absolute_errors, error_summary, rows_without_errors
from dpviz.release.published import PUBLISHED, WAYS, synth_errors
from dpviz.release.series import TruthAndSeries, counts_in_file, synthetic
from dpviz.series_file import SeriesFileError
from dpviz.settings import SETTINGS

# Over 100 repetitions at (0.5, 1e-4); I = 100.
SYNTH = {
    (1.0, 0.0): (69, 122, 28, 43, 13.0, 13.6),
    (1.0, 100.0): (105, 122, 71, 44.5, 66, 19),
    (1 / 32, 100.0): (103, 142, 104, 115, 99, 103),
}


@pytest.mark.parametrize("setting", SYNTH)
def test_errors_on_synth(setting):
    """Within 6 % of the table: 20 repetitions against 100, and observation noise drawn anew."""
    for found, expected in zip(synth_errors(*setting, 20), SYNTH[setting], strict=True):
        allowed = 0.06 * expected + 4.0 * found.spread / math.sqrt(20)
        assert abs(found.mean - expected) < allowed


def test_synth_has_as_many_steps_as_its_frequency_says():
    """In doubles 10,000 times 0.57 is a little less than 5,700."""
    lengths = [len(synthetic(frequency, 0.0, 1).series) for frequency in (1.0, 0.57, 0.08)]
    assert lengths == [10_000, 5_700, 800]


def test_what_cutting_off_at_zero_explains_is_what_simulation_finds():
    rng = np.random.default_rng(1)
    for one in PUBLISHED[1:]:
        noise = calibrated(one.settings, "gaussian", "classical").noise
        noisy = one.clipped_mean + noise * rng.standard_normal(200_000)
        error = np.abs(np.maximum(noisy, 0.0) - one.clipped_mean).mean()
        assert error == pytest.approx(one.errors[0], rel=0.01)
    assert PUBLISHED[0].clipped_mean == 0.0


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
        for way in WAYS
    )
    assert gaussian == pytest.approx(93.0, rel=0.02)
    assert kept < filtered < gaussian
    assert max(exact, exact_filtered) < kept


EXTREMES = list(
    itertools.product(
        *(SETTINGS[name].limits for name in ("release_epsilon", "release_delta", "release_rate")),
        SETTINGS["filter_width"].limits,
        ((1, 1), (2000, 2000)),
    )
)


@pytest.mark.parametrize(("epsilon", "delta", "rate", "width", "size"), EXTREMES)
def test_the_ends_of_every_slider_have_finite_noise_that_keeps_to_the_budget(
    epsilon, delta, rate, width, size
):
    settings = ReleaseSettings(
        length=size[0], participation=size[1], epsilon=epsilon, delta=delta, rate=rate,
        filter_width=width,
    )  # fmt: skip
    found = rows_without_errors(settings, SETTINGS["participation_factor"].limits[1])
    assert len(found) >= 2  # the Gaussian mechanism and the projection always have an answer
    for one in found:
        assert 0.0 < one.calibration.noise < math.inf
        assert one.calibration.delta_at(epsilon) <= delta
        assert one.more_steps == size[0]  # nobody is in more steps than there are


def test_twice_as_many_steps_cost_about_root_two_where_the_noise_is_exact():
    """Proposition 1's size of the effect, by the exact accounting and without its larger delta."""
    for one in rows_without_errors(ReleaseSettings(length=10_000, participation=100), 2.0):
        ratio = one.more_epsilon / 0.5
        if one.calibration.accounting in ("analytic", "exact"):
            assert 1.0 < ratio < 1.5
        else:
            assert ratio < 1.0  # its noise was generous


def test_proposition_1_is_told_where_it_is_printed():
    found = rows_without_errors(ReleaseSettings(length=10_000, participation=100), 4.0)
    printed = [proposition_1_epsilon(one.calibration, one.more_steps) for one in found]
    assert [value for value in printed if value is not None] == [pytest.approx(1.0)]


@pytest.mark.parametrize(
    "header", ["visitors", "index,visitors", "time,visitors", "index,time,visitors"]
)
def test_row_numbers_and_times_are_no_counts(header):
    rows = [",".join([str(row)] * header.count(",") + [str(3 * row)]) for row in range(5)]
    content = "\n".join([header, *rows]).encode()
    assert counts_in_file(content, "road.csv").tolist() == [0.0, 3.0, 6.0, 9.0, 12.0]


def test_text_is_no_count():
    assert counts_in_file(b"place,visitors\nA,3\nB,5\n", "road.csv").tolist() == [3.0, 5.0]


@pytest.mark.parametrize("total", ["Total", ""])
@pytest.mark.parametrize("times", [("2024-01-01", "2024-01-02"), ("1", "2")])
def test_a_row_of_totals_is_no_step(times, total):
    """One individual changes it as often as all steps together."""
    rows = [f"{time},{count}" for count, time in enumerate((*times, total), start=3)]
    content = "\n".join(["time,count", *rows]).encode()
    with pytest.raises(SeriesFileError, match=r'column "time".* leave the row out'):
        counts_in_file(content, "road.csv")


@pytest.mark.parametrize(
    "table",
    [
        "time,count\n10:30,3\n10:45,4\n",
        "date,time,count\n20240101,10:30,3\n20240101,10:45,4\n",
        "date,time,count\n16/12/2006,17:24:00,3\n16/12/2006,17:25:00,4\n",
        "week,count\nweek 1,3\nweek 2,4\n",
        "time,count\n2024-10-27T02:00+02:00,3\n2024-10-27T02:00:00.5+01:00,4\n",
        "year,count\n2023,3\n2024,4\n",
    ],
)
def test_times_of_any_spelling_are_no_totals(table):
    assert counts_in_file(table.encode(), "road.csv").tolist() == [3.0, 4.0]


def test_several_series_below_each_other_are_not_one():
    rows = [f"{store},{day},{day}" for store in "ab" for day in range(3)]
    content = "\n".join(["store_id,day,count", *rows]).encode()
    with pytest.raises(SeriesFileError, match='"store_id" names 2 series, and a release is of one'):
        counts_in_file(content, "road.csv")
    assert counts_in_file(content.replace(b"b,", b"a,"), "road.csv").tolist() == [0, 1, 2] * 2
    assert counts_in_file(b"name,count\nA,3\nB,5\n", "road.csv").tolist() == [3.0, 5.0]


def test_of_two_columns_of_numbers_the_one_named_count_is_read():
    content = b"lane,%b\n1,3\n2,5\n"
    assert counts_in_file(content % b"count", "road.csv").tolist() == [3.0, 5.0]
    with pytest.raises(SeriesFileError, match='"lane", "cars": keep one'):
        counts_in_file(content % b"cars", "road.csv")


@pytest.mark.parametrize("name", ["time", "index", "visitors"])
def test_the_only_column_is_the_counts_whatever_its_name(name):
    assert counts_in_file(f"{name}\n3\n5\n".encode(), "road.csv").tolist() == [3.0, 5.0]
