"""What the worst files that are still read cost: ``python bench/series_files.py``.

A file is read in a process that computes for all visitors, one file at a time.
Processor seconds, and the process's largest memory so far.
"""

import io
import resource
import time
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from dpviz.series_file import MOST_BYTES, MOST_ROWS, SeriesFileError, read_series_lengths
from dpviz.series_file.parquet_table import MOST_CELLS

ROWS = MOST_ROWS - 1
STAMPS = np.datetime64("1990-01-01T00:00:00") + np.arange(ROWS)


def fitting(header: str, rows: Callable[[int], str], most: int = ROWS) -> bytes:
    """Return as many rows under a header as are read of a file."""
    lines, size = [header], len(header) + 1
    for number in range(most):
        line = rows(number)
        size += len(line) + 1
        if size > MOST_BYTES:
            break
        lines.append(line)
    return "\n".join(lines).encode()


def parquet(columns: dict[str, object]) -> bytes:
    """Return columns as a Parquet file."""
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    return stream.getvalue()


def names(count: int) -> str:
    """Return a header of so many series."""
    return ",".join(f"s{number}" for number in range(count))


FILES: dict[str, Callable[[], bytes]] = {
    "wide, 500 columns of digits": lambda: fitting(names(500), lambda _: "1," * 499 + "1"),
    "wide, 1,000 nearly empty columns": lambda: fitting(names(1000), lambda _: "1" + "," * 999),
    "wide, 100,000 columns": lambda: fitting(names(100_000), lambda _: "1," * 99_999 + "1"),
    "long, short rows": lambda: fitting(
        "id,t,value", lambda row: f"{row // 1000},{row % 1000},1"
    ),
    "long, time stamps": lambda: fitting("id,time,value", lambda row: f"A,{STAMPS[row]},1"),
    "long, decimal commas": lambda: fitting(
        "id;t;value", lambda row: f"{row // 5000};{row % 5000};{row},5"
    ),
    "long, line breaks in cells": lambda: fitting(
        "id,t,value", lambda row: f'"a\n{row // 1000}",{row % 1000},1'
    ),
    "Parquet, wide": lambda: parquet(
        {f"s{n}": np.zeros(MOST_CELLS // 900, dtype=np.int8) for n in range(900)}
    ),
    "Parquet, time stamps": lambda: parquet(
        {"id": np.arange(ROWS) // 1000, "time": STAMPS, "value": np.zeros(ROWS, dtype=np.int8)}
    ),
}  # fmt: skip


def main() -> None:
    """Print a line for each file."""
    for title, made in FILES.items():
        content = made()
        name = "table.parquet" if title.startswith("Parquet") else "table.csv"
        began = time.process_time()
        try:
            told = f"{read_series_lengths(content, name).num_series:,} series"
        except SeriesFileError as error:
            told = str(error)
        seconds = time.process_time() - began
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        size = len(content) / 2**20
        print(f"{title:34} {size:5.1f} MB {seconds:5.2f} s {memory:5.0f} MB  {told}", flush=True)


if __name__ == "__main__":
    main()
