"""Epsilon as more values are protected: names, ticks and the finding of its chart."""

import math
from collections.abc import Sequence

from dpviz.planning.proven import SweepPoint
from dpviz.scenario import Relation, TimeStep, Units
from dpviz.wording.numbers import counted, epsilon_at_most, power_of_ten

RUN_NAMES = {"event": "in a row (event)", "user": "anywhere (user)"}
VARIED = "the number w of protected values of one series"
# Labels nearer than this part of a decade would lie on each other on a phone.
_TICK_ROOM = 0.75
_SPOKEN = ("1 day", "1 week", "4 weeks", "1 year")

# How to read the chart of epsilon against w.
WIDTHS_NOTE = (
    "Lines: upper bounds. Bands: down to lower bounds, attained by some model. Where all windows "
    "hold a protected value, more values change nothing. Click a point to protect that many."
)


def width_name(relation: Relation, units: Units) -> str:
    """Return how many values are protected, and how long they last where they are in a row.

    >>> width_name(Relation(width=336), Units(time_step=TimeStep(1, "hour")))
    '336 values (2 weeks)'
    """
    name = counted(relation.width, "value")
    if relation.level == "user" or units.time_step is None:
        return name
    return f"{name} ({units.time_step.duration(relation.width)})"


def width_ticks(widths: Sequence[int], step: TimeStep | None) -> list[tuple[float, str]]:
    """Return places on the axis of w with their words: spoken durations, and powers of ten.

    The widths are increasing.

    >>> width_ticks((1, 2, 5, 10, 24, 168, 672, 17544), TimeStep(1, "hour"))
    [(1, '1'), (24, '1 day'), (168, '1 week'), (1000, '1,000'), (17544, '17,544')]
    """
    spoken = {} if step is None else {width: step.duration(width) for width in widths[1:]}
    wanted = {width: words for width, words in spoken.items() if words in _SPOKEN}
    wanted |= {10**power: f"{10**power:,}" for power in range(1, len(str(widths[-1])))}
    places = {1: "1"}
    for width, words in {widths[-1]: f"{widths[-1]:,}", **wanted}.items():
        if all(abs(math.log10(width / place)) >= _TICK_ROOM for place in places):
            places[width] = words
    return sorted(places.items())


def widths_title(own: SweepPoint, points: Sequence[SweepPoint]) -> str:
    """Return what epsilon is for the protected values, for one value, and for the most, shortly.

    Points are of the same kind of relation, as far as they are known.

    >>> from dpviz.planning.proven import proven_epsilon
    >>> from dpviz.scenario import PRESETS
    >>> toy = PRESETS["toy"].scenario
    >>> own = SweepPoint(x=1, name="1 value", proven=proven_epsilon(toy))
    >>> widths_title(own, [own])
    'At δ = 10⁻⁷, ε ≤ 19.03 for 1 value'
    """
    at_delta = f"At δ = {power_of_ten(own.scenario.delta)}"
    place = "in a row" if own.scenario.relation.level == "event" else "anywhere"
    values = f"{own.name} {place}" if own.x > 1 else own.name
    ordered = sorted(points, key=lambda point: point.x)
    ends = [point for point in (*ordered[:1], *ordered[-1:]) if point.x != own.x]
    told = [f"{_epsilon(end)} for {counted(end.scenario.relation.width, 'value')}" for end in ends]
    return f"{at_delta}, {', '.join([f'{_epsilon(own)} for {values}', *told])}"


def _epsilon(point: SweepPoint) -> str:
    return epsilon_at_most(point.proven.epsilon_upper)
