"""Real data sets, where their folder is at hand."""

from collections import Counter
from pathlib import Path

import pytest

from dpviz.scenario import PRESETS, TimeStep
from dpviz.series_file import adopt_lengths, read_series_lengths


def _content(folder: Path, name: str) -> bytes:
    path = folder / name
    if not path.is_file():
        pytest.skip(f"the folder that DPVIZ_REFERENCE_DIR names has no {name}")
    return path.read_bytes()


def test_monthly_series_of_the_m3_competition(reference_dir: Path) -> None:
    """474 series of three lengths are read from a compressed long table without questions."""
    name = "m3_monthly_micro.csv.gz"
    lengths = read_series_lengths(_content(reference_dir, name), name)
    assert lengths.layout == "long"
    assert Counter(lengths.lengths) == {68: 18, 69: 259, 126: 197}
    assert (lengths.num_series, lengths.shortest, lengths.median) == (474, 68, 69.0)
    assert (lengths.time_step, lengths.notes) == (None, ())
    scenario = adopt_lengths(PRESETS["toy"].scenario, lengths).scenario
    assert scenario.shape is not None
    assert scenario.shape.num_series == 474
    assert scenario.shape.series_lengths[0] == 68


def test_one_lane_of_the_traffic_counts(reference_dir: Path) -> None:
    """One series without an id column: its step is 5 minutes but for the days left out."""
    name = "pems_lane_2016_5min.csv"
    content = _content(reference_dir, name)
    lengths = read_series_lengths(content, name)
    assert lengths.lengths == (7776,)
    assert lengths.time_step is None
    assert "not 5 minutes in 10 of 7,775 places" in lengths.notes[0]
    first_days = b"".join(content.splitlines(keepends=True)[: 1 + 5 * 288])
    assert read_series_lengths(first_days, name).time_step == TimeStep(5, "minute")
    adoption = adopt_lengths(PRESETS["toy"].scenario, lengths)
    assert adoption.scenario.top_rate == 1.0
