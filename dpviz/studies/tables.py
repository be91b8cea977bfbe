"""Tables of results as CSV, under lines that begin with ``#`` and say what made them."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class CommentedTable:
    """A table as it was read.

    Args:
        about: what the lines above it say, by their key.
        rows: cells by column.
    """

    about: Mapping[str, str]
    rows: Sequence[dict[str, str]]


def commented_csv(
    about: Iterable[str], columns: Sequence[str], rows: Iterable[Iterable[object]]
) -> str:
    """Return a table as CSV; a cell of ``None`` is empty, and numbers have all their digits.

    >>> print(commented_csv(["seed: 1"], ["a", "b"], [[0.1, None]]), end="")
    # seed: 1
    a,b
    0.1,
    """
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in about)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def read_commented(text: str) -> CommentedTable:
    """Return a table that :func:`commented_csv` wrote; the lines above it are ``# key: value``."""
    lines = text.splitlines()
    about = [line[2:].partition(": ") for line in lines if line.startswith("# ")]
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return CommentedTable(about={key: value for key, _, value in about}, rows=list(rows))
