"""What a comparison of bags with series first says over window lengths."""

from collections.abc import Sequence

from dpviz.planning.proven import ProvenEpsilon, SweepPoint
from dpviz.wording.numbers import counted, listed, power_of_ten
from dpviz.wording.one_bag import loader_label


def length_name(length: int) -> str:
    """Return a window length in words, as in "with ...".

    >>> length_name(1), length_name(120)
    ('windows of 1 value', 'windows of 120 values')
    """
    return f"windows of {counted(length, 'value')}"


def lengths_title(
    bag: Sequence[SweepPoint], promise: ProvenEpsilon, *, is_complete: bool = True
) -> str:
    """Return at which lengths more is true than a stock accountant promises, as a title.

    A phone has room for two lines of it.

    Args:
        bag: the runs from one bag, one or more, in any order.
        promise: of such an accountant, at any length.
        is_complete: whether all lengths are there; before, none is claimed to be the only one.
    """
    delta = power_of_ten(bag[0].scenario.delta)
    if not is_complete:
        # Without a number: the browser draws a chart some moments after it shows a sentence.
        return f"At δ = {delta}: not all window lengths are computed so far"
    more = [point for point in bag if _above(point.proven.epsilon_lower, promise)]
    if not more:
        return f"At δ = {delta} nothing is proven against the promise at these window lengths"
    where = _lengths(more, bag)
    return f"Windows of {where}: more is true for one individual than promised, at δ = {delta}"


def lengths_finding(bag: Sequence[SweepPoint], first: Sequence[SweepPoint]) -> str:
    """Return at which lengths which way is proven to be the more private one, as Markdown.

    Args:
        bag: the runs from one bag.
        first: those that draw series first, of the same lengths; none where there are none.
    """
    if not first:
        return ""
    others = {point.x: point.proven for point in first}
    pairs = [(point, others[point.x]) for point in bag if point.x in others]
    wins = {
        "drawing series first": [
            point for point, other in pairs if _above(point.proven.epsilon_lower, other)
        ],
        loader_label(bag[0].scenario): [
            point for point, other in pairs if _above(other.epsilon_lower, point.proven)
        ],
    }
    parts = [
        f"{way} is **proven more private for one individual with windows of "
        f"{_lengths(points, bag)}**"
        for way, points in wins.items()
        if points
    ]
    delta = power_of_ten(bag[0].scenario.delta)
    if not parts:
        return (
            f"Neither way is proven more private for one individual at δ = {delta} with windows of "
            "any of these lengths: where one's lower bound lies under the other's upper bound, "
            "both orders are possible."
        )
    decided = sum(map(len, wins.values()))
    rest = "" if decided == len(bag) else " With the other lengths drawn no order is proven."
    return f"At δ = {delta} {'; '.join(parts)}.{rest}"


def _above(lower: float | None, proven: ProvenEpsilon) -> bool:
    """Return whether a lower bound lies above an upper one."""
    upper = proven.epsilon_upper
    return lower is not None and upper is not None and lower > upper


def _lengths(some: Sequence[SweepPoint], every: Sequence[SweepPoint]) -> str:
    """Return lengths as a range, if they are neighbours among all, or as a list."""
    found = sorted(int(point.x) for point in some)
    ordered = sorted(int(point.x) for point in every)
    first = ordered.index(found[0])
    if len(found) > 1 and ordered[first : first + len(found)] == found:
        return f"{found[0]:,} to {found[-1]:,} values"
    return f"{listed([f'{length:,}' for length in found])} value{'' if found == [1] else 's'}"
