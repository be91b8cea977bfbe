"""Results that all visitors share, computed once and bit by bit.

Streamlit's own caches cannot be asked whether they hold something; a page that answers at once and
fills in what takes longer has to know. Keys are canonical JSON: a hash of nested dataclasses
forgets the inner class, so two schemes could share one wrong result.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from time import perf_counter, sleep
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException

# About 20 kB each.
_MOST_RESULTS = 4000
# Of the 100 ms that an answer may take; the rest is for drawing.
_BUDGET_SECONDS = 0.06
# What is drawn leaves by another thread: without a pause it would be overtaken by the next run.
_SECONDS_TO_SEND = 0.03


@dataclass(frozen=True, kw_only=True)
class Part:
    """One result: how it is known, and how it is computed.

    Args:
        key: names the result; equal keys must mean equal results.
        compute: returns it, and does not depend on the visitor.
    """

    key: str
    compute: Callable[[], Any]


class SharedResults:
    """The latest results by key. Two visitors who ask for the same one wait for one computation."""

    def __init__(self, most: int = _MOST_RESULTS) -> None:
        self._most = most
        self._lock = Lock()
        self._results: OrderedDict[str, Any] = OrderedDict()
        self._under_way: dict[str, Lock] = {}

    def peek(self, key: str) -> Any:
        """Return a result, or ``None`` if it is not known."""
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
            return self._results.get(key)

    def get(self, part: Part) -> Any:
        """Return a result, computed first where it is not known; errors are not kept."""
        if (known := self.peek(part.key)) is not None:
            return known
        with self._lock:
            under_way = self._under_way.setdefault(part.key, Lock())
        with under_way:
            if (known := self.peek(part.key)) is not None:
                return known
            try:
                result = part.compute()
                # Known before it is no longer under way: who comes between finds it.
                with self._lock:
                    self._results[part.key] = result
                    while len(self._results) > self._most:
                        self._results.popitem(last=False)
            finally:
                with self._lock:
                    self._under_way.pop(part.key, None)
            return result


RESULTS = SharedResults()


@dataclass(frozen=True, kw_only=True)
class Filled:
    """Results in the order of their parts, as far as there was time.

    Args:
        results: ``None`` where one is still to come.
    """

    results: tuple[Any, ...]

    @property
    def missing(self) -> int:
        """How many are still to come."""
        return sum(result is None for result in self.results)

    @property
    def progress(self) -> float | None:
        """The part that is there, from 0 to 1; ``None`` when it is all."""
        return 1.0 - self.missing / len(self.results) if self.missing else None


def fill_in(
    parts: Sequence[Part], *, only_known: bool = False, budget: float = _BUDGET_SECONDS
) -> Filled:
    """Return what is known, and compute the rest in order for as long as the budget lasts.

    At least one result is new, if any was missing and not only known ones are asked for.
    """
    began = perf_counter()
    results = [RESULTS.peek(part.key) for part in parts]
    for at, part in enumerate(parts):
        if results[at] is None and not only_known:
            results[at] = RESULTS.get(part)
            if perf_counter() - began > budget:
                break
    return Filled(results=tuple(results))


def go_on(filled: Filled) -> None:
    """Draw once more, with more results, if some are missing; ends this run of the page.

    What the visitor does meanwhile comes first: it takes the place of the run that would go on.
    """
    if filled.missing:
        sleep(_SECONDS_TO_SEND)
        draw_again()


def draw_again() -> None:
    """End this run of the page, and begin it once more."""
    try:
        st.rerun(scope="fragment")
    except StreamlitAPIException:  # the whole page is being drawn
        st.rerun()
