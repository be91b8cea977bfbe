"""How much of a file is read is told while it is read, and last what came of it."""

import gzip
import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpviz.series_file import Choice, SeriesFileError, read_offer
from dpviz.series_file.shares import TELLER, WasRead, told_while_read

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


def test_what_reading_raises_is_raised_and_nobody_listens_any_more():
    with pytest.raises(SeriesFileError, match="empty"):
        list(told_while_read(lambda: read_offer(b"", "a.csv", Choice())))
    assert TELLER.told is None
