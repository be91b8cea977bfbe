"""Random and large panels, written and read back."""

import gzip
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.series_file import read_series_lengths

panels = st.lists(st.integers(1, 30), min_size=1, max_size=8)


def _long_frame(lengths: list[int], seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    start = pd.Timestamp("2024-01-01")
    return pd.concat(
        pd.DataFrame(
            {
                "series_id": f"series {number}",
                "time": pd.date_range(start, periods=length, freq="h"),
                "value": rng.normal(size=length),
            }
        )
        for number, length in enumerate(lengths)
    )


def _wide_frame(lengths: list[int], seed: int) -> pd.DataFrame:
    long = _long_frame(lengths, seed)
    wide = long.pivot_table(index="time", columns="series_id", values="value")
    return wide[[f"series {number}" for number in range(len(lengths))]].rename_axis(columns=None)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(panels, st.integers(0, 100), st.sampled_from(",;\t|"), st.sampled_from(["utf-8", "utf-16"]))
def test_panels_come_back_from_long_csv(
    lengths: list[int], seed: int, separator: str, encoding: str
) -> None:
    """A panel written as long CSV, in any order of rows, gives back its lengths."""
    frame = _long_frame(lengths, seed)
    text = frame.to_csv(index=False, sep=separator)
    read = read_series_lengths(text.encode(encoding), "panel.csv")
    assert (read.layout, read.lengths, read.notes) == ("long", tuple(lengths), ())
    assert (str(read.time_step) == "1 hour") == (max(lengths) > 1)
    shuffled = frame.sample(frac=1, random_state=seed).to_csv(index=False, sep=separator)
    again = read_series_lengths(gzip.compress(shuffled.encode()), "panel.csv.gz")
    assert sorted(again.lengths) == sorted(lengths)
    assert again.time_step == read.time_step


@settings(derandomize=True, deadline=None, max_examples=60)
@given(panels, st.integers(0, 100), st.sampled_from(",;\t|"))
def test_panels_come_back_from_wide_csv(lengths: list[int], seed: int, separator: str) -> None:
    """A panel written as wide CSV gives back its lengths, though short series end in blanks."""
    text = _wide_frame(lengths, seed).to_csv(sep=separator)
    read = read_series_lengths(text.encode(), "panel.csv")
    assert (read.layout, read.lengths) == ("wide", tuple(lengths))
    assert (str(read.time_step) == "1 hour") == (max(lengths) > 1)


@settings(derandomize=True, deadline=None, max_examples=30)
@given(panels, st.integers(0, 100))
def test_panels_come_back_from_parquet(lengths: list[int], seed: int) -> None:
    """A panel written as Parquet gives back its lengths in both layouts."""
    pytest.importorskip("pyarrow", reason="Parquet files are written with pyarrow")
    for frame, layout in (
        (_long_frame(lengths, seed), "long"),
        (_wide_frame(lengths, seed), "wide"),
    ):
        stream = io.BytesIO()
        frame.to_parquet(stream)
        read = read_series_lengths(stream.getvalue(), "panel.parquet")
        assert (read.layout, read.lengths) == (layout, tuple(lengths))
        assert (str(read.time_step) == "1 hour") == (max(lengths) > 1)


def test_a_million_rows() -> None:
    """A long table of 10^6 rows is read exactly."""
    hours = np.arange(1000).astype("datetime64[h]").astype(str)
    rows = (f"s{number},{hour},{number % 7}.5\n" for number in range(1000) for hour in hours)
    content = ("series_id,time,value\n" + "".join(rows)).encode()
    read = read_series_lengths(content, "large.csv")
    assert read.lengths == (1000,) * 1000
    assert str(read.time_step) == "1 hour"


def test_many_short_series_side_by_side() -> None:
    """A wide table of 50,000 columns is read exactly."""
    header = ",".join(f"s{number}" for number in range(50_000))
    row = ",".join("1.5" for _ in range(50_000))
    read = read_series_lengths("\n".join([header, row, row, row]).encode(), "wide.csv")
    assert read.lengths == (3,) * 50_000
