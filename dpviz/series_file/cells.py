"""Numbers in the texts of a table's cells."""

import math
import re
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

MISSING = frozenset(
    {"", "na", "n/a", "#n/a", "nan", "-nan", "null", "none", "<na>", "nat", "?"}
)  # as written by spreadsheets, R, pandas and public data sets; compared in lower case

# For lengths only whether a cell is a number matters, not which: a decimal comma, and thousands set
# off by commas or points, count as well.
_OTHER_NUMBER = re.compile(
    r"[+-]?(\d+,\d*|,\d+|\d{1,3}(,\d{3})+(\.\d*)?|\d{1,3}(\.\d{3})+(,\d*)?)([eE][+-]?\d+)?",
    re.ASCII,
)
# Stands for numbers in those spellings; it is not whole, so that it is never taken for an id.
UNKNOWN_NUMBER = 0.5


@dataclass(frozen=True)
class Numbers:
    """Cells read as numbers (NaN where missing), and which cells are no number."""

    numbers: NDArray[np.float64]
    unreadable: NDArray[np.bool_]


def is_missing(text: str) -> bool:
    """Return whether a cell says that its value is missing.

    >>> is_missing(" NaN "), is_missing("0")
    (True, False)
    """
    return text.strip().lower() in MISSING


def read_numbers(cells: NDArray[np.object_]) -> Numbers:
    """Return cells as numbers, in the same shape.

    >>> read = read_numbers(np.array(["1.5", "", "2,5", "two"], dtype=object))
    >>> read.unreadable
    array([False, False, False,  True])
    """
    # Each distinct text is judged once: data have few digits, and cells are often empty.
    codes, texts = pd.factorize(cells.ravel())
    try:
        numbers = texts.astype(np.float64)
        unreadable = np.zeros(len(texts), dtype=np.bool_)
    except ValueError:
        found = [_number(text) for text in texts]
        numbers = np.array([math.nan if n is None else n for n in found])
        unreadable = np.array([n is None for n in found])
    return Numbers(numbers[codes].reshape(cells.shape), unreadable[codes].reshape(cells.shape))


def _number(text: str) -> float | None:
    """Return the number in a cell, NaN if it is missing, or ``None`` if there is none."""
    try:
        return float(text)
    except ValueError:
        if is_missing(text):
            return math.nan
        return UNKNOWN_NUMBER if _OTHER_NUMBER.fullmatch(text.strip()) else None
