"""Charts in words, for those who cannot see them."""

from collections.abc import Iterable

from dpviz.wording.numbers import joined

DELTA_OVER_EPSILON = "Delta falls as epsilon grows, on logarithmic axes."
DELTA_OVER_STEPS = "Delta, on a logarithmic axis, grows with the steps."
PROBABILITIES = "Probabilities are on a logarithmic axis."


def chart_description(title: str, lines: Iterable[tuple[str, str]], *notes: str) -> str:
    """Return a chart of lines or bands in words.

    Empty notes are left out.

    >>> chart_description("Two runs", [("A", "at most 3"), ("B", "at most 2")], PROBABILITIES)
    'Two runs. A: at most 3. B: at most 2. Probabilities are on a logarithmic axis.'
    """
    return joined(f"{title}.", *(f"{label}: {says}." for label, says in lines), *notes)
