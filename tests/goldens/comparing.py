"""What differs between what was recorded and what is seen now."""

from difflib import SequenceMatcher

from dpviz.wording.texts import without_formulas
from tests.goldens.numbers import are_equal, masked
from tests.goldens.store import Seen

_LONGEST_LINE = 400
_MOST_LINES = 60


# Of what is fitted while the page is open: an optimiser stops elsewhere on another processor, and a
# network that is trained far elsewhere.
_OF_FITTED = {
    "protected_forecasts: first": 5e-3,
    "protected_forecasts: more forecasters": 5e-3,
    "protected_forecasts: file series.csv": 5e-3,
    "private_inference: feedforward": 0.5,
}


def tolerance_of(state: str) -> float:
    """Return by how much of themselves the real numbers of a state may differ."""
    return _OF_FITTED.get(state, 0.0)


def difference(before: Seen, now: Seen, within: float = 0.0) -> str:
    """Return the lines that differ, those of before with a minus; nothing if all are equal.

    Lines are equal if they are but for late digits of long numbers, and for how symbols are set.
    """
    olds, news = (list(map(without_formulas, seen.lines())) for seen in (before, now))
    if olds == news:
        return ""
    matcher = SequenceMatcher(
        None, [masked(line) for line in olds], [masked(line) for line in news], autojunk=False
    )
    told = []
    for kind, start, end, first, last in matcher.get_opcodes():
        if kind == "equal":
            pairs = zip(olds[start:end], news[first:last], strict=True)
            unequal = [(old, new) for old, new in pairs if not are_equal(old, new, within)]
            told += [line for old, new in unequal for line in _told([old], [new])]
        else:
            told += _told(olds[start:end], news[first:last])
    left = len(told) - _MOST_LINES
    more = [f"... and {left} more lines"] if left > 0 else []
    return "\n".join([*told[:_MOST_LINES], *more])


def _told(olds: list[str], news: list[str]) -> list[str]:
    # Of two long lines, what stands around the first character that differs.
    start = 0
    if len(olds) == len(news) == 1:
        pairs = zip(olds[0], news[0], strict=False)
        same = next((at for at, (one, other) in enumerate(pairs) if one != other), 0)
        start = max(0, same - _LONGEST_LINE // 2)
    return [
        f"{mark} {'... ' if start else ''}{line[start : start + _LONGEST_LINE]}"
        for mark, lines in (("-", olds), ("+", news))
        for line in lines
    ]
