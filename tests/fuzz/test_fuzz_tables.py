"""Files of series, valid and broken: the right lengths, or a sentence, and no other end."""

import gzip
import io
import zipfile
from dataclasses import dataclass
from functools import partial
from random import Random
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from _pytest.monkeypatch import MonkeyPatch
from hypothesis import strategies as st

from dpviz.scenario import from_json, to_json
from dpviz.series_file import LAYOUTS, Choice, SeriesFileError, SeriesLengths, read_series_lengths
from dpviz.ui import file_reading, offered_file
from dpviz.ui.state import State
from tests.fuzz.bounds import assert_readable, bounded, check_examples, few_or_many
from tests.fuzz.hostile import hostile_text
from tests.scenario.strategies import BARE, RATES, SHAPE

pytest.importorskip("pyarrow", reason="Parquet files are written with pyarrow")
OPEN = (SHAPE, RATES, BARE)


_STEPS = ("h", "D", "MS", "10min", "QS", "W", "s")
_CELLS = (
    "", "NaN", "inf", "-1e999", "1,5", "1.234,5", "two", "2024-01-01", "2024-02-30", "01/02/2024",
    "9999-12-31", "0001-01-01", "99999-01-01", "2262-04-12", "10:30", "25:61", "24:00", "2024Q9",
    "1e308", "9" * 400, "x" * 2000, "x" * 140_000, "\x85", "\u202e", "é", "\x00", '"', '""', "'",
    "=1+1", "2024-01-01T00:00:00+99:99", "-292277022657-01-27", "20240132", "12 am", "13:00 pm",
)  # fmt: skip
_HEADERS = ("", "series_id", "time", "value", "date", "x" * 140_000, "1", "\u202e", '"', "Time ")


@dataclass(frozen=True)
class File:
    """A file's bytes and name, and the lengths that it must be read as where it is valid."""

    content: bytes
    name: str
    lengths: tuple[int, ...] | None = None


def _frame(draw: Random) -> tuple[pd.DataFrame, tuple[int, ...]]:
    """Return a valid table in either layout, and the lengths of its series."""
    lengths = tuple(draw.randint(2, 12) for _ in range(draw.randint(2, 4)))
    times = pd.date_range("2024-01-01", periods=max(lengths), freq=draw.choice(_STEPS))
    if draw.random() < 0.5:
        rows = [
            (f"s{number}", times[at], draw.randint(0, 99) + 0.5)
            for number, length in enumerate(lengths)
            for at in range(length)
        ]
        return pd.DataFrame(rows, columns=["series_id", "time", "value"]), lengths
    columns = {
        f"s{number}": [0.25 + draw.randint(0, 99) if at < length else None
                       for at in range(max(lengths))]
        for number, length in enumerate(lengths)
    }  # fmt: skip
    return pd.DataFrame({"time": times, **columns}), lengths


def _odd_columns(rows: int) -> dict[str, object]:
    """Return columns of types that a table of series seldom has."""
    import pyarrow as pa

    days = np.arange(rows).astype("datetime64[D]")
    return {
        "list": pa.array([[1.0]] * rows),
        "struct": pa.array([{"a": 1}] * rows),
        "map": pa.array([[("a", 1)]] * rows, type=pa.map_(pa.string(), pa.int8())),
        "binary": pa.array([b"\xff"] * rows),
        "fixed": pa.array([b"ab"] * rows, type=pa.binary(2)),
        "bool": pa.array([True] * rows),
        "null": pa.nulls(rows),
        "decimal": pa.array([1] * rows).cast(pa.decimal128(38, 5)),
        "time": pa.array(np.arange(rows)).cast(pa.time64("ns")),
        "duration": pa.array(np.arange(rows)).cast(pa.duration("s")),
        "date": pa.array(days).cast(pa.date32()),
        "stamp": pa.array([2**62] * rows).cast(pa.timestamp("us")),
        "zone": pa.array(np.arange(rows)).cast(pa.timestamp("s", tz="Nowhere/Land")),
        "half": pa.array(np.zeros(rows, dtype=np.float16)),
        "dictionary": pa.array(["a"] * rows).dictionary_encode(),
        "view": pa.array(["a"] * rows, type=pa.string_view()),
        "nan": pa.array([float("nan")] * rows),
        "inf": pa.array([float("inf")] * rows),
    }


def _parquet(frame: pd.DataFrame, draw: Random, *, odd: bool) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pandas(frame)
    if odd:
        name, column = draw.choice(list(_odd_columns(len(frame)).items()))
        table = table.append_column(draw.choice((name, "value", "time", "series_id")), column)
    stream = io.BytesIO()
    pq.write_table(
        table,
        stream,
        compression=draw.choice(("none", "snappy", "zstd", "gzip")),
        row_group_size=draw.choice((1, 1000)),
        data_page_version=draw.choice(("1.0", "2.0")),
        use_dictionary=draw.random() < 0.5,
    )
    return stream.getvalue()


def _broken_text(text: str, draw: Random) -> str:
    """Break a table as texts get broken."""
    lines = text.split("\n")
    at = draw.randrange(len(lines))
    cells = lines[at].split(",")
    place = draw.randrange(len(cells))
    kind = draw.randrange(12)
    if kind < 4:
        odd = draw.choice(_HEADERS if at == 0 else (*_CELLS, hostile_text(draw)))
        lines[at] = ",".join([*cells[:place], odd, *cells[place + 1 :]])
    elif kind == 4:
        lines[at] = ",".join(cells[:place] + cells[place + 1 :])
    elif kind == 5:
        lines[at] += ",1"
    elif kind == 6:
        lines.insert(at, draw.choice((lines[at], "", ",,,", "# comment", "total,,99", lines[0])))
    elif kind == 7:
        lines = lines[at:]
    elif kind == 8:
        lines = [line.replace(",", draw.choice(";\t| :")) for line in lines]
    elif kind == 9:
        lines[at] = ",".join(str(number) for number in range(draw.choice((100, 100_050))))
    elif kind == 10:
        lines[0] = ",".join([cells[0]] * len(lines[0].split(",")))
    else:
        draw.shuffle(lines)
    return draw.choice(("\n", "\n", "\r\n", "\r")).join(lines)


def _broken_bytes(content: bytes, draw: Random) -> bytes:
    """Break a file as transfers and programs do."""
    place = draw.randrange(len(content) + 1)
    end = place + draw.randint(1, 8)
    # The end of a Parquet file: what it says of itself.
    tail = draw.randrange(max(0, len(content) - 200), len(content)) if content else 0
    return draw.choice((
        content[:place], content[place:],
        content + draw.choice((b"\x00", b"\xff\xfe", b"\n\n\n", b"PAR1", b"1,2\n")),
        content[:place] + draw.randbytes(end - place) + content[place:],
        content[:place] + draw.randbytes(len(content[place:end])) + content[end:],
        content[:-8] + draw.randbytes(4) + content[-4:],  # the length of a Parquet file's footer
        gzip.compress(content)[: draw.choice((None, -1, 10, 30))],
        _zipped(content),
        content[:tail] + bytes([draw.randrange(256)]) + content[tail + 1 :],
    ))  # fmt: skip


def _zipped(content: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("table.csv", content)
    return stream.getvalue()


_ENCODINGS = ("utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "cp037")


@st.composite
def broken_tables(draw: st.DrawFn) -> File:
    """Draw a file of series, mostly one that is broken in one to three ways."""
    chance = Random(draw(st.integers(0, 2**32)))
    broken = draw(st.integers(0, 5)) > 0
    frame, lengths = _frame(chance)
    if draw(st.integers(0, 2)) == 0:
        content = _parquet(frame, chance, odd=broken and chance.random() < 0.4)
        name = "table.parquet"
    else:
        text = frame.to_csv(index=False, lineterminator="\n")
        for _ in range(draw(st.integers(0, 3)) if broken else 0):
            text = _broken_text(text, chance)
        encoding = chance.choice(_ENCODINGS) if broken else "utf-8"
        content = text.encode(encoding, errors="replace")
        name = chance.choice(("table.csv", "table.txt", "table.csv.gz", "TABLE.TSV"))
    if not broken:
        return File(content, name, lengths)
    for _ in range(draw(st.integers(0, 2))):
        content = _broken_bytes(content, chance)
    if chance.random() < 0.05:
        name = chance.choice(("table.parquet", "table.csv", "table", "", "\u202e.csv"))
    return File(content, name)


def read(file: File, layout: str) -> SeriesLengths | None:
    """Return what the library makes of a file, ``None`` if it is refused."""
    try:
        return read_series_lengths(file.content, file.name, layout=layout)
    except SeriesFileError as problem:
        assert_readable([problem])
        return None


def check(file: File, layout: str, open_before) -> None:
    with MonkeyPatch.context() as patch, bounded():
        lengths = read(file, layout)
        if file.lengths is not None and layout == "auto":
            assert lengths is not None
            assert lengths.lengths == file.lengths
        if lengths is not None:
            assert_readable(lengths.notes)
            # Each value has a row, or at least a cell, of its own in the file.
            assert lengths.num_series >= 1
            assert lengths.shortest >= 1
        state = State(scenario=open_before)
        uploaded = SimpleNamespace(getvalue=lambda: file.content, name=file.name)
        patch.setattr(file_reading, "st", SimpleNamespace(session_state={"upload_0": uploaded}))
        look = partial(offered_file._look, state, choice=Choice(layout=layout))
        file_reading.use_file(state, uploaded, look, file_reading.NOT_USED)
        if not state.problems:
            offered_file._use(state)
        assert_readable((*state.problems, *state.notes))
        assert bool(state.problems) != bool(state.notes)
        if state.problems:
            assert state.scenario == open_before
        else:
            assert state.file == lengths
            assert from_json(to_json(state.scenario)) == state.scenario


@few_or_many(50, 2000)
def test_files_are_read_rightly_or_refused_in_a_sentence(most):
    """By the library and by the page, whatever is open."""
    drawn = broken_tables(), st.sampled_from(LAYOUTS), st.sampled_from(OPEN)
    check_examples(check, most, *drawn)
