"""What files cost to read, large ones and the worst: ``python bench/series_files.py [TITLE]``.

Seconds by the clock and of the processor, and by how many megabytes the memory of a process grew
that reads one file from the disk: each in a process of its own.
"""

import gzip
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.csv
import pyarrow.parquet as pq

from dpviz.series_file import MOST_ROWS, SeriesFileError, read_series_lengths

TIDY = (1200, 1095)
LARGE = (5000, MOST_ROWS // 5000)


def tidy(stores: int, days: int, *, by_day: bool = False) -> pa.Table:
    """Return a value for each store and day, one row each."""
    names = np.array([f"store_{number:04}" for number in range(stores)])
    dates = (np.datetime64("2021-01-01") + np.arange(days)).astype(str)
    return pa.table(
        {
            "store": np.tile(names, days) if by_day else np.repeat(names, days),
            "date": np.repeat(dates, stores) if by_day else np.tile(dates, stores),
            "sales": values(stores * days),
        }
    )


def values(*shape: int) -> np.ndarray:
    """Return numbers of about five digits."""
    return np.round(np.random.default_rng(1).gamma(2.0, 50.0, shape), 2)


def wide(hours: int, meters: int) -> pa.Table:
    """Return a column for each meter."""
    stamps = (np.datetime64("2012-01-01T00:00:00") + 3600 * np.arange(hours)).astype(str)
    numbers = values(hours, meters)
    return pa.table({"time": stamps} | {f"MT_{at}": numbers[:, at] for at in range(meters)})


def csv(table: pa.Table) -> bytes:
    """Return a table as CSV."""
    stream = pa.BufferOutputStream()
    pa.csv.write_csv(table, stream, pa.csv.WriteOptions(quoting_style="none"))
    return stream.getvalue().to_pybytes()


def parquet(table: pa.Table) -> bytes:
    """Return a table as Parquet."""
    stream = pa.BufferOutputStream()
    pq.write_table(table, stream)
    return stream.getvalue().to_pybytes()


def m4_like(series: int, longest: int) -> bytes:
    """Return a row for each series, of different lengths, all cells quoted."""
    rng = np.random.default_rng(1)
    lines = [",".join(f'"V{at}"' for at in range(1, longest + 2))]
    for at in range(series):
        length = longest if at == 0 else int(rng.integers(100, longest))
        cells = ",".join(f'"{value}"' for value in values(length).tolist())
        lines.append(f'"D{at + 1}",{cells}' + "," * (longest - length))
    return "\n".join(lines).encode()


def lines(header: str, row: Callable[[int], str], count: int) -> bytes:
    """Return so many rows under a header."""
    return "\n".join([header, *(row(number) for number in range(count))]).encode()


FILES: dict[str, Callable[[], bytes]] = {
    "1.3 M rows.csv": lambda: csv(tidy(*TIDY)),
    "1.3 M rows.csv.gz": lambda: gzip.compress(csv(tidy(*TIDY)), 6),
    "1.3 M rows.csv.zst": lambda: pa.compress(csv(tidy(*TIDY)), "zstd", asbytes=True),
    "1.3 M rows.parquet": lambda: parquet(tidy(*TIDY)),
    "10 M rows by day.csv": lambda: csv(tidy(*LARGE, by_day=True)),
    "10 M rows by day.csv.gz": lambda: gzip.compress(csv(tidy(*LARGE, by_day=True)), 6),
    "10 M rows by day.parquet": lambda: parquet(tidy(*LARGE, by_day=True)),
    "wide, 370 x 26,304.csv": lambda: csv(wide(26_304, 370)),
    "wide, decimal commas.csv": lambda: (
        csv(wide(26_304, 370)).replace(b",", b";").replace(b".", b",")
    ),
    "M4-like, 4,227 rows of 9,919.csv": lambda: m4_like(4_227, 9_919),
    "100,000 columns.csv": lambda: lines(
        ",".join(f"s{at}" for at in range(100_000)), lambda _: "1," * 99_999 + "1", 125
    ),
    "1,000 nearly empty columns.csv": lambda: lines(
        ",".join(f"s{at}" for at in range(1000)), lambda _: "1" + "," * 999, 26_000
    ),
    "line breaks in cells.csv": lambda: lines(
        "id,t,value", lambda row: f'"a\n{row // 1000}",{row % 1000},1', 1_000_000
    ),
    "a million time stamps.csv": lambda: lines(
        "time,value", lambda row: f"{np.datetime64('2020-01-01T00:00:00') + row},1", 999_999
    ),
    "wide.parquet": lambda: parquet(
        pa.table({f"s{at}": np.zeros(11_000, dtype=np.int8) for at in range(9_000)})
    ),
}


def told(path: str) -> str:
    """Return what is read of a file, and at what cost."""
    before = largest_memory()
    began, used = time.monotonic(), time.process_time()
    try:
        found = read_series_lengths(Path(path), path)
        said = f"{found.layout}, {found.num_series:,} series of {found.shortest:,} to "
        said += f"{found.longest:,}"
    except SeriesFileError as error:
        said = str(error)
    taken, used = time.monotonic() - began, time.process_time() - used
    grown = largest_memory() - before
    return f"{taken:6.2f} s {used:6.2f} s {grown:5.0f} MB  {said}"


def largest_memory() -> float:
    """Return the most megabytes that this process has had."""
    # What getrusage tells begins with what the process had that started this one.
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def main() -> None:
    """Print a line for each file whose title has the argument in it."""
    wanted = " ".join(sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        for title, made in FILES.items():
            if wanted not in title:
                continue
            path = Path(folder) / title
            path.write_bytes(made())
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                said = pool.apply(told, (str(path),))
            print(f"{title:34} {path.stat().st_size / 2**20:6.1f} MB {said}", flush=True)
            path.unlink()


if __name__ == "__main__":
    main()
