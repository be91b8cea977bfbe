"""Texts as numbers of distinct texts: a long table repeats a few names many times."""

from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.series_file.cells import is_missing

MISSING_CODE = -1


class DistinctTexts:
    """Numbers texts in order of first appearance, block by block.

    Args:
        missing: tells the texts that get no number, but :data:`MISSING_CODE`.

    >>> texts = DistinctTexts()
    >>> texts.codes(np.array(["b", "a", "", "b "], dtype=object)).tolist(), texts.texts
    ([0, 1, -1, 0], ['b', 'a'])
    """

    def __init__(self, missing: Callable[[str], bool] = is_missing) -> None:
        self._missing = missing
        self._codes: dict[str, int] = {}

    def codes(self, cells: NDArray[np.object_]) -> NDArray[np.int64]:
        """Return the number of each text, giving new ones to new texts."""
        codes, texts = pd.factorize(cells)
        numbers = [MISSING_CODE if self._missing(text) else self._number(text) for text in texts]
        numbered: NDArray[np.int64] = np.array(numbers, dtype=np.int64)[codes]
        return numbered

    def _number(self, text: str) -> int:
        return self._codes.setdefault(text.strip(), len(self._codes))

    @property
    def texts(self) -> list[str]:
        """The distinct texts without surrounding blanks, in order of their numbers."""
        return list(self._codes)

    def __len__(self) -> int:
        return len(self._codes)
