"""What is said of a release, beside Koga et al.'s tables, is rounded to the safe side."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from dpviz.command_line import main
from dpviz.export.answers import release_answer
from dpviz.export.protection_tables import release_table
from dpviz.release import ReleaseSettings, calibrated_all, release
from dpviz.release.mechanisms import ErrorSummary, rows_without_errors
from dpviz.release.published import FREQUENCIES, PUBLISHED, WAYS
from dpviz.wording.release import (
    SHORT_NAMES,
    certificate_text,
    comparison_finding,
    comparison_table,
    frequencies_description,
    kind_of,
    more_often_text,
    noise_text,
    noised,
    published_text,
    release_headline,
    short_kind_of,
    theorem_of,
    unit_of,
)
from tests.release.exact import hoeffding_sensitivity

ALL = calibrated_all(ReleaseSettings(length=1800, participation=180))
ERROR = ErrorSummary(repetitions=50, mean=20.0, spread=2.0)


def rows_of(factor=2.0, error=ERROR, **more):
    settings = ReleaseSettings(**{"length": 1800, "participation": 180, **more})
    return [replace(one, error=error) for one in rows_without_errors(settings, factor)]


@given(st.integers(1, 500), st.floats(0.01, 0.9), st.floats(0.01, 5.0))
def test_noise_is_rounded_up(participation, rate, epsilon):
    settings = ReleaseSettings(
        length=500, participation=participation, rate=rate, epsilon=epsilon, delta=1e-6
    )
    for one in calibrated_all(settings):
        quoted = re.fullmatch(r"([\d.]+)(?:·10(.*))?", noise_text(one).replace(",", ""))
        if quoted is not None and not quoted[2]:
            assert float(quoted[1]) >= one.noise


@pytest.mark.parametrize("calibration", ALL, ids=lambda one: f"{one.mechanism}-{one.accounting}")
def test_every_number_comes_with_whom_theorem_and_kind(calibration):
    said = release_headline(calibration, ERROR)
    assert unit_of(calibration) in said
    assert kind_of(calibration) in said
    assert calibration.theorem in said
    assert f"noise of {noise_text(calibration)} counts" in said
    # Hovering over it would explain the training's σ, which is in other units.
    assert "σ" not in said
    whole = certificate_text(calibration)
    assert theorem_of(calibration) in whole
    assert "the whole released series" in whole
    assert "only release of these counts" in whole


@pytest.mark.parametrize("calibration", ALL, ids=lambda one: f"{one.mechanism}-{one.accounting}")
def test_noise_is_said_to_be_on_a_released_value_only_where_one_has_as_much(calibration):
    """A projection takes most of it off, and values between kept ones are interpolated."""
    values, rng = np.zeros(calibration.settings.length), np.random.default_rng(1)
    released = np.array([np.real(release(values, calibration, rng).values) for _ in range(30)])
    is_as_much = abs(released.std() / calibration.noise - 1.0) < 0.05
    assert (noised(calibration) == "on each released value") == is_as_much
    answer = release_answer(calibration)
    assert answer["noise_unit"].endswith(noised(calibration))
    assert noised(calibration) in release_headline(calibration, ERROR)


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 0.9, 20.0, 100.0])
def test_a_larger_epsilon_grows_faster_than_the_square_root(epsilon):
    rows = rows_of(10.0, epsilon=epsilon)
    said = more_often_text(rows)
    assert "While ε is below about 1, it grows roughly with the square root" in said
    exact = [row for row in rows if row.calibration.accounting in ("analytic", "exact")]
    for row in exact:
        growth = row.more_epsilon / epsilon / np.sqrt(10.0)
        assert (0.95 < growth < 1.25) if epsilon < 1.0 else (growth > 1.3)


def test_nobody_is_in_more_steps_than_there_are():
    said = more_often_text(rows_of(length=180))
    assert said == "Nobody can be counted in more than the 180 steps of the series."
    assert more_often_text(rows_of(1.0)).endswith("is 1: nobody is in more steps.")


def test_the_best_accounting_is_told_of_only_where_it_gives_less():
    told = {
        (one.mechanism, one.accounting) for one in ALL if "best accounting" in certificate_text(one)
    }
    assert told == {way for way in WAYS if way[1] != "exact"}


def test_tight_is_said_only_where_it_is_so():
    tight = {(one.mechanism, one.accounting) for one in ALL if "tight" in short_kind_of(one)}
    assert tight == {("gaussian", "analytic"), ("subsample", "exact")}
    # The mean of all steps is one of the frequencies: who is in all of them attains that bound.
    loose = {(one.mechanism, one.accounting) for one in ALL if "not tight" in kind_of(one)}
    assert loose == {(name, way) for name, way in SHORT_NAMES if way in ("classical", "paper")}
    own = {(one.mechanism, one.accounting) for one in ALL if "dpviz" in theorem_of(one)}
    assert own == {("filter-subsample", "exact")}


def test_a_filter_that_is_not_free_is_not_called_so():
    """Many steps at a large epsilon need little noise: the tangent's bound."""
    found = calibrated_all(ReleaseSettings(length=1800, participation=180, epsilon=60.0, rate=0.5))
    filtered = next(one for one in found if one.mechanism == "filter-subsample")
    assert filtered.is_filter_free == ("free here" in theorem_of(filtered))
    plain = next(one for one in found if one.mechanism == "subsample")
    assert filtered.noise >= plain.noise


def test_the_table_waits_for_errors_that_are_to_come():
    assert comparison_table(rows_of(error=None)).count("…") == 16
    assert "closest" not in comparison_finding(rows_of(error=None))
    least = next(one for one in ALL if (one.mechanism, one.accounting) == ("subsample", "exact"))
    assert comparison_finding(rows_of(error=None)).startswith("**The least noise for a step: kept")
    none_needs_less = "**No other mechanism here needs less noise for a step.**"
    assert comparison_finding(rows_of(error=None), least) == none_needs_less
    filtered = ALL[-1]  # with as much noise
    assert filtered.noise == least.noise
    assert comparison_finding(rows_of(error=None), filtered) == none_needs_less
    assert "20 ± 0.6" in comparison_table(rows_of())


def test_the_table_names_what_has_no_answer():
    assert "Without an answer" not in comparison_table(rows_of())
    said = comparison_table(rows_of(epsilon=2.0, participation=1, delta=0.2))
    assert said.endswith(
        "Without an answer to these settings: Gaussian, classical; Fourier, as in the paper; kept "
        "steps, paper; kept steps, exact; filtered, paper; filtered, exact."
    )


def test_a_budget_of_many_digits_is_never_shown_smaller_than_it_is(capsys):
    """Of an epsilon that a link, or an option, gives with more digits than are shown."""
    settings = ReleaseSettings(length=625, participation=100, epsilon=0.50004, delta=1e-4)
    rows = rows_without_errors(settings, 2.0)
    chosen = rows[0]
    for told in (release_headline(chosen.calibration, None), certificate_text(chosen.calibration)):
        assert "ε ≤ 0.5001 at" in told
    text = release_table(rows, chosen, {"original": np.zeros(3)}, series="a sine", seed=1).csv()
    assert "epsilon 0.50004 at delta 0.0001" in text
    quoted = re.findall(r"epsilon at most (\S+) for who", text)
    for row, at_most in zip(rows, quoted, strict=True):
        assert float(at_most) >= row.more_epsilon
    command = ["release", "--mechanism", "gaussian", "--length", "100", "--participation", "10"]
    assert main([*command, "--epsilon", "0.50000049", "--delta", "1.00000049e-5"]) == 0
    assert "for epsilon 0.500001 at delta 1.00001·10⁻⁵" in capsys.readouterr().out


def test_the_numbers_are_those_of_the_print_and_of_the_formula():
    said = published_text()
    for one in PUBLISHED:
        for number in (*one.errors, one.gaussian_error):
            assert f" {number:.1f} |" in said
    assert [one.errors for one in PUBLISHED] == [
        (93.0, 55.7, 42.8, 60.9), (33.0, 39.3, 16.7, 21.2), (57.4, 42.9, 29.5, 39.6)
    ]  # fmt: skip
    rows = re.findall(r"^\| (\d+) \| (\d+) \| (\d+) \|$", said, re.MULTILINE)
    venues, gowalla, foursquare = zip(*(map(int, row) for row in rows), strict=True)
    assert venues == tuple(range(1, 16))
    assert gowalla == (63, 35, 39, 29, 51, 39, 43, 19, 27, 208, 27, 34, 45, 47, 75)
    assert foursquare == (208, 127, 98, 225, 265, 121, 191, 78, 94, 182, 170, 206, 94, 82, 350)
    # Venues that break the assumption are counted.
    assert "I = 73 is exceeded at 2 of 15 venues of Gowalla" in said
    assert "I = 213 is exceeded at 3 of 15 venues of Foursquare" in said
    assert all(one.most_often[0] <= one.settings.participation for one in PUBLISHED[1:])


@pytest.mark.parametrize("participation", [10, 180, 1000])
@pytest.mark.parametrize("rate", [0.01, 0.1, 0.9])
@pytest.mark.parametrize("failure", [1e-2, 1e-4, 1e-9])
def test_the_tail_beyond_hoeffding_is_never_more_than_the_chance(participation, rate, failure):
    kept = hoeffding_sensitivity(participation, rate, failure) ** 2
    assert binom.sf(int(kept), participation, rate) <= failure


def test_the_table_s_interval_is_no_narrower_than_the_error_s():
    rows = rows_of()
    text = release_table(rows, rows[0], {"original": np.zeros(3)}, series="a sine", seed=1).csv()
    assert ERROR.half_width > 0.55
    assert text.count("error 20 +- 0.56 (50)") == len(rows)


def test_the_figure_s_description_tells_what_is_to_come_from_what_is_left_out():
    whole = {f: [ERROR] * len(WAYS) for f in FREQUENCIES}
    assert "omputed" not in (told := frequencies_description(whole, 0.0))
    assert told.count("at f = 1/64") == told.count("at f = 1") / 2 == len(WAYS)
    one = {1 / 4: [ERROR] * len(WAYS)}
    told = frequencies_description(one, 0.0, left_out=[1.0, 1 / 2])
    assert told.count("20 ± 0.6 at f = 1/4") == len(WAYS)
    assert told.endswith(
        "Being computed: f = 1/64, 1/32, 1/16, 1/8. Left out for their cost: f = 1/2, 1."
    )
