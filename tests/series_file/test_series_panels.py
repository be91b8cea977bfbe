"""Random, large and real panels, written and read back, and how much of them is read so far."""

import gzip
import io
from collections import Counter
from pathlib import Path
from queue import SimpleQueue

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.scenario import PRESETS, TimeStep
from dpviz.series_file import (
    Choice,
    SeriesFileError,
    SeriesLengths,
    adopt_lengths,
    read_offer,
    read_series_lengths,
)
from dpviz.series_file.reading_progress import TELLER, WasRead, told_while_read

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
    rng = np.random.default_rng(seed)
    times = pd.date_range("2024-01-01", periods=max(lengths), freq="h", name="time")
    return pd.DataFrame(
        {
            f"series {number}": pd.Series(rng.normal(size=length), index=times[:length])
            for number, length in enumerate(lengths)
        },
        index=times,
    )


FORMS = st.sampled_from(["utf-8", "utf-16", "parquet"])


@settings(derandomize=True, deadline=None, max_examples=20)
@given(panels, st.integers(0, 100), st.sampled_from(",;\t|"), FORMS)
def test_panels_come_back(lengths: list[int], seed: int, separator: str, form: str) -> None:
    def read(frame: pd.DataFrame) -> SeriesLengths:
        stream = io.BytesIO()
        if form == "parquet":
            frame.to_parquet(stream)
            return read_series_lengths(stream.getvalue(), "panel.parquet")
        text = frame.to_csv(index=frame.index.name == "time", sep=separator).encode(form)
        return read_series_lengths(gzip.compress(text, 1), "panel.csv.gz")

    long, wide = _long_frame(lengths, seed), _wide_frame(lengths, seed)
    for frame, layout in ((long, "long"), (wide, "wide")):
        found = read(frame)
        assert (found.layout, found.lengths) == (layout, tuple(lengths))
        assert (str(found.time_step) == "1 hour") == (max(lengths) > 1)
    shuffled = read(long.sample(frac=1, random_state=seed))
    assert (sorted(shuffled.lengths), shuffled.time_step) == (sorted(lengths), found.time_step)


def test_rows_of_many_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpviz.series_file.text_file._PIECE", 2**15)
    monkeypatch.setattr("dpviz.series_file.stamps._RUN", 2**12)
    hours = np.arange(100).astype("datetime64[h]").astype(str)
    rows = (f"s{number},{hour},{number % 7}.5\n" for number in range(300) for hour in hours)
    content = ("series_id,time,value\n" + "".join(rows)).encode()
    read = read_series_lengths(content, "large.csv")
    assert read.lengths == (100,) * 300
    assert str(read.time_step) == "1 hour"


@pytest.mark.slow
def test_many_short_series_side_by_side() -> None:
    header = ",".join(f"s{number}" for number in range(50_000))
    row = ",".join("1.5" for _ in range(50_000))
    read = read_series_lengths("\n".join([header, row, row, row]).encode(), "wide.csv")
    assert read.lengths == (3,) * 50_000


ROWS = 400_000
NUMBERS = np.arange(ROWS) % 977
VALUES = "\n".join(["value", *map(str, NUMBERS.tolist())]).encode()


def parquet():
    file = io.BytesIO()
    columns = {name: pa.array(NUMBERS) for name in "abcdef"}
    pq.write_table(pa.table(columns), file)
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "name", "series"),
    [
        (VALUES, "a.csv", 1),
        (gzip.compress(VALUES, 1), "a.csv.gz", 1),
        (pa.compress(VALUES, "zstd", asbytes=True), "a.csv.zst", 1),
        (parquet(), "a.parquet", 6),
    ],
    ids=["text", "gzip", "zstd", "parquet"],
)
def test_shares_grow_to_the_end_and_the_offer_comes_last(content, name, series):
    *shares, last = told_while_read(lambda: read_offer(content, name, Choice()))
    assert isinstance(last, WasRead)
    assert last.result.lengths.lengths == (ROWS,) * series
    assert shares == sorted(shares)
    assert len(shares) >= 2
    assert 0.0 < shares[0] < shares[-1] <= 1.0


def test_nobody_listens_to_a_file_any_more_once_its_end_is_told(monkeypatch):
    """Else the next one, which may begin at once, would be read in silence."""
    heard = []

    class Queue(SimpleQueue):
        def put(self, news, *how):
            heard.append((isinstance(news, WasRead), TELLER.told is not None))
            super().put(news, *how)

    monkeypatch.setattr("dpviz.series_file.reading_progress.SimpleQueue", Queue)
    list(told_while_read(lambda: read_offer(VALUES, "a.csv", Choice())))
    assert heard[0] == (False, True)
    assert heard[-1] == (True, False)


def test_what_reading_raises_is_raised_and_nobody_listens_any_more():
    with pytest.raises(SeriesFileError, match="empty"):
        list(told_while_read(lambda: read_offer(b"", "a.csv", Choice())))
    assert TELLER.told is None


def _content(folder: Path, name: str) -> bytes:
    path = folder / name
    if not path.is_file():
        pytest.skip(f"the folder that DPVIZ_REFERENCE_DIR names has no {name}")
    return path.read_bytes()


def test_monthly_series_of_the_m3_competition(reference_dir: Path) -> None:
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
