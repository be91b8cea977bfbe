"""Panels of Darts, GluonTS and NeuralForecast: of look-alikes, and of these where installed."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from dpviz.scenario import ScenarioError
from dpviz.training.panel_source import panel_from_library, time_step_of


class LikeDarts:
    """What is asked of a ``TimeSeries`` of Darts."""

    n_samples, components = 1, ["0"]

    def __init__(self, values, freq_str="MS", n_components=1):
        self._values, self.freq_str, self.n_components = values, freq_str, n_components

    def values(self):
        """Return them as a table of components."""
        return np.reshape(self._values, (-1, self.n_components))


MONTHS = pd.Period("2024-01", "M")
ENTRIES = [
    {"start": MONTHS, "target": np.array([1.0, np.nan, 3.0], np.float32), "item_id": "a"},
    {"start": MONTHS, "target": [10.0, 20.0], "item_id": "b"},
]
TABLE = pd.DataFrame(
    {
        "unique_id": ["b", "a", "a", "b", "a"],
        "ds": pd.to_datetime(["2024-02", "2024-03", "2024-01", "2024-01", "2024-02"]),
        "y": [20.0, 3.0, 1.0, 10.0, np.nan],
        "price": 1.0,
    }
)


def series_of(read):
    return dict(
        zip(read.panel.names, (values.tolist() for values in read.panel.series), strict=True)
    )


def test_data_of_other_libraries_are_read_as_files_are():
    for data in (ENTRIES, TABLE):
        read = panel_from_library(data)
        assert series_of(read) == {"a": [1, 0, 3], "b": [10, 20]}
        assert read.panel.period == 12
        assert "1 missing value counted as 0 in training." in read.notes
    read = panel_from_library([LikeDarts([1.0, 2.0]), LikeDarts([3.0])])
    assert series_of(read) == {"series 1": [1, 2], "series 2": [3]}
    assert panel_from_library(LikeDarts([1.0, 2.0], "30min"), period=5).panel.period == 5
    assert time_step_of("ms") is None


@pytest.mark.parametrize(
    ("frequency", "period"), [("60min", 24), ("24h", 7), ("7D", 52), ("3MS", 4), ("48h", 1)]
)
def test_a_frequency_has_the_season_of_its_time_step_however_it_is_written(frequency, period):
    assert panel_from_library(LikeDarts([1.0, 2.0], frequency)).panel.period == period


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([LikeDarts([1.0, 2.0], n_components=2)], "several components"),
        ([{"target": np.ones((2, 5))}], "several channels"),
        ([LikeDarts([1.0]), LikeDarts([1.0], "D")], "one frequency"),
        (SimpleNamespace(train=ENTRIES, test=ENTRIES), "pass its .train"),
        ([np.ones(5)], "no series of Darts"),
        (["text"], "no series of Darts"),
    ],
)
def test_data_that_are_no_panel_are_refused(data, said):
    with pytest.raises(ScenarioError, match=said):
        panel_from_library(data)


def test_darts_itself_is_read():
    darts = pytest.importorskip("darts", reason="Darts is not installed")
    table = TABLE.dropna()
    several = darts.TimeSeries.from_group_dataframe(
        table, "unique_id", "ds", "y", fill_missing_dates=True, freq="MS"
    )
    read = panel_from_library(several)
    assert sorted(values.tolist() for values in read.panel.series) == [[1, 0, 3], [10, 20]]
    assert read.panel.period == 12
    hours = pd.date_range("2024-01-01", periods=3, freq="h")
    one = panel_from_library(darts.TimeSeries.from_times_and_values(hours, np.arange(3.0)))
    assert (series_of(one), one.panel.period) == ({"0": [0, 1, 2]}, 24)
    with pytest.raises(ScenarioError, match="several components"):
        panel_from_library(darts.TimeSeries.from_times_and_values(hours, np.ones((3, 2))))


def test_gluonts_itself_is_read():
    pytest.importorskip("gluonts", reason="GluonTS is not installed")
    from gluonts.dataset.common import ListDataset
    from gluonts.dataset.pandas import PandasDataset

    whole = {"start": "2024-01-01", "target": [1.0, 2.0], "item_id": "a"}
    for data in (
        ListDataset([whole], freq="D"),
        PandasDataset(pd.Series([1.0, 2.0], pd.period_range("2024-01-01", periods=2, freq="D"))),
    ):
        read = panel_from_library(data)
        assert [values.tolist() for values in read.panel.series] == [[1, 2]]
        assert read.panel.period == 7


def test_neuralforecasts_own_table_is_read():
    utils = pytest.importorskip("neuralforecast.utils", reason="NeuralForecast is not installed")
    read = panel_from_library(utils.AirPassengersDF)
    assert read.panel.lengths == (144,)
    assert (read.panel.series[0][:2].tolist(), read.panel.period) == ([112, 118], 12)
