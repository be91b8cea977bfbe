"""Reads the CSV texts that dpviz writes."""

import csv
import io

import pandas as pd


def header_of(text: str) -> list[str]:
    """Return the comments, each without its mark."""
    return [line.removeprefix("# ") for line in text.splitlines() if line.startswith("#")]


def rows_of(text: str) -> list[dict[str, str]]:
    """Return the rows as they are written."""
    return list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))


def table_of(text: str) -> pd.DataFrame:
    """Return the rows with numbers to their last digit."""
    reads_all = tuple(map(int, pd.__version__.split(".")[:2])) >= (3, 1)  # by itself
    exact = {} if reads_all else {"float_precision": "round_trip"}
    return pd.read_csv(io.StringIO(text), comment="#", **exact)
