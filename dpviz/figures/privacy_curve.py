"""The chart of delta against epsilon: for each run a band from lower to upper bound."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.figures import parts
from dpviz.figures.parts import LOWER_WIDTH, STYLES, UPPER_WIDTH, Part, Spec, Style, json_numbers
from dpviz.planning import ScenarioCurves
from dpviz.planning.curves import EPSILON_DIGITS
from dpviz.planning.order import Stretch
from dpviz.scenario import Scenario
from dpviz.wording.numbers import counted, power_of_ten, rounded_down, rounded_up
from dpviz.wording.scope import run_length
from dpviz.wording.theorems import bound_label, qualified_label

# Powers of ten of epsilon that every chart shows, so that a curve is seen to move, not its axis.
_SHOWN = (-1, 2)
_ROOM = 0.2  # decades beside the first and the last delta, so that a line there is seen whole
# More numbers beside the points would lie on top of each other; the hover has them all.
_MOST_LABELLED_POINTS, _MOST_NAMED_POINTS = 2, 5
_MOST_IN_CORNER = 3
_BESIDE_WIDTH = 1.6
_CLOSE = 4.0  # beside the epsilon that is quoted, how many times as much or less is shown
_SHORT = 100.0  # an axis with so many times its first epsilon has powers of ten enough
_ROOM_FOR_CHARACTER = _ROOM_FOR_MARK = 0.02  # of a phone's axis


@dataclass(frozen=True, kw_only=True, eq=False)
class Band:
    """One run of the chart.

    Args:
        short: its name in the legend, where that has a title; the label if empty.
        mark: its name beside its point; the epsilon stands there alone if empty.
        key: tells it from others of the same style; the style's role if empty.
        is_beside: it is there to compare with: its upper bound alone, by a thinner line.
    """

    curves: ScenarioCurves
    label: str
    style: Style
    short: str = ""
    mark: str = ""
    key: str = ""
    is_beside: bool = False

    @property
    def identity(self) -> str:
        """What its traces are known by over all changes of the chart."""
        return self.key or self.style.role


def styled_bands(named: Iterable[tuple[str, ScenarioCurves]]) -> list[Band]:
    """Return runs, by name, with the styles in their order."""
    return [
        Band(curves=curves, label=name, style=style)
        for (name, curves), style in zip(named, STYLES, strict=False)
    ]


@dataclass(frozen=True, kw_only=True)
class _Window:
    """The epsilons that are drawn, and the smallest delta."""

    left: float
    right: float
    smallest_delta: float
    is_empty: bool


def bands_chart(
    bands: Sequence[Band],
    *,
    identity: str,
    awaited: Sequence[tuple[str, Style]] = (),
    shaded: Sequence[tuple[Stretch, str]] = (),
    legend_title: str = "",
    is_close: bool = False,
    reach: float = 0.0,
) -> Spec:
    """Return the chart; the first band is in the foreground.

    All are at the same delta; ``awaited`` runs, by name and style, have their place in the legend,
    and room on the axis up to the epsilon that is their ``reach``. ``shaded`` stretches of epsilon
    are marked with what they are. A close chart shows little more than what is drawn: for bands
    among which the visitor's own one moves.
    """
    window = _window([band.curves for band in bands], reach, is_close=is_close)
    delta = bands[0].curves.scenario.delta
    scale = parts.tiers(window.left, window.right)
    shapes = [*scale["shapes"], parts.level(delta, 1)]
    words, height = f"δ = {power_of_ten(delta)}", float(np.log10(delta))
    quoted = parts.quiet_note(words, 0, height, ("left", "bottom"), xref="paper")
    notes = [*scale["annotations"], quoted]
    if window.is_empty:
        smallest, first = power_of_ten(window.smallest_delta), power_of_ten(window.left)
        notes.append(parts.middle_note(f"δ is below {smallest} at every ε from {first} on"))
    for stretch, label in shaded:
        left, right = max(stretch.start, window.left), min(stretch.end, window.right)
        if left < right:
            shapes.append(shade_box(left, right))
            notes.append(shade_label(left, right, label) | parts.ABOVE_TIERS)
    to_come = [
        parts.line(f"{style.role}-upper", label, [None], [None], style, UPPER_WIDTH)
        | {"legendgroup": style.role}
        for label, style in reversed(awaited)
    ]
    lines = [trace for band in reversed(bands) for trace in _lines(band, window)]
    # The curves leave this corner free: small epsilon with small delta.
    legend: Part = {"x": 0.01, "y": 0.02, "xanchor": "left", "yanchor": "bottom"}
    meta: Part = {"leavesGhost": True}
    if legend_title or len(bands) > _MOST_IN_CORNER:
        legend = parts.titled_legend(legend_title) if legend_title else {}
        meta |= {"legend": "under"}
    return parts.figure(
        [*to_come, *lines, *_target_points(bands, window)],
        _title([band.curves.scenario for band in bands]),
        identity,
        # Near a line's end its last point is shown beside other points of other lines, so
        # each line tells its own epsilon.
        parts.log_axis(
            parts.EPSILON_AXIS,
            **_epsilon_ticks(window),
            range=[float(np.log10(end)) for end in (window.left, window.right)],
            unifiedhovertitle={"text": "Proven"},
        ),
        parts.log_axis(
            parts.DELTA_AXIS,
            dtick=2,
            range=[float(np.floor(np.log10(window.smallest_delta))) - _ROOM, _ROOM],
        ),
        hover="x unified",
        legend=legend | {"traceorder": "reversed"},
        meta=meta,
        shapes=shapes,
        annotations=notes,
    )


def _title(runs: Sequence[Scenario]) -> str:
    """Return what is drawn, with the length of training as far as it is the same."""
    for length in (run_length, lambda run: counted(run.num_steps, "step")):
        if len(told := {length(run) for run in runs}) == 1:
            return f"δ against ε after {told.pop()}"
    return "δ against ε"


def _window(drawn: Sequence[ScenarioCurves], reach: float, *, is_close: bool) -> _Window:
    """Return which epsilons are drawn: the same decades, and those of a quoted epsilon beyond.

    The axes do not follow the curves: only so a curve that moves is seen to, and a visitor's zoom
    lasts.
    """
    smallest = min(curves.smallest_delta for curves in drawn)
    quoted = [curves.epsilon_upper for curves in drawn]
    first, last = parts.decades([*quoted, reach or None], _SHOWN)
    left, right = float(f"1e{first}"), float(f"1e{last}")
    ends = [
        float(np.max(curves.epsilon, where=curves.upper.delta_high >= smallest, initial=0.0))
        for curves in drawn
    ]
    if is_close and (known := [epsilon for epsilon in quoted if epsilon]):
        least = min(min(known), max(known) / _CLOSE)
        # Of lines that go on far beyond what is quoted, a part.
        most = min(max(*ends, *known), _CLOSE * max(known))
        left = max(one for one in _ends_near(least) if one <= least)
        right = min(one for one in _ends_near(most) if one >= most)
    is_empty = all(end < left for end in ends)
    return _Window(left=left, right=right, smallest_delta=smallest, is_empty=is_empty)


def _ends_near(epsilon: float) -> list[float]:
    """Return where a close axis may end.

    >>> _ends_near(3.1)
    [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0]
    """
    power = int(np.floor(np.log10(epsilon)))
    return [float(f"{digit}e{power + at}") for at in (-1, 0, 1) for digit in (1, 2, 5)]


def _epsilon_ticks(window: _Window) -> Part:
    """Return the powers of ten, or of a short axis 1, 2 and 5 times these."""
    if window.right > _SHORT * window.left:
        return {"dtick": 1}
    places = _ends_near(window.left) + _ends_near(window.right)
    shown = sorted({one for one in places if window.left <= one <= window.right})
    return {"tickvals": shown, "ticktext": [f"{one:g}" for one in shown]}


def _lines(band: Band, window: _Window) -> list[Part]:
    curves, style = band.curves, band.style
    drawn = (curves.epsilon >= window.left) & (curves.epsilon <= window.right)
    epsilons = json_numbers(curves.epsilon[drawn])

    def line(side: str, name: str, delta: FloatArray, width: float, meaning: str) -> Part:
        sign, rounding = ("≤", rounded_up) if side == "upper" else ("≥", rounded_down)
        # All digits that the epsilons have: a rounded one would not belong to its delta.
        text = [
            f"ε = {x:.{EPSILON_DIGITS}g}: δ {sign} {rounding(value, 3)}"
            for x, value in zip(epsilons, delta[drawn], strict=True)
        ]
        # A line that went on to zero would mean nothing.
        deltas = parts.numbers_from(window.smallest_delta, delta[drawn])
        told = f"%{{text}} {band.label}<br>{meaning}<extra></extra>"
        more: Part = {"legendgroup": band.identity, "text": text, "hovertemplate": told}
        return parts.line(f"{band.identity}-{side}", name, epsilons, deltas, style, width, **more)

    name, width = band.short or band.label, _BESIDE_WIDTH if band.is_beside else UPPER_WIDTH
    bound = curves.upper.bound
    upper = line("upper", name, curves.upper.delta_high, width, qualified_label(bound))
    if curves.lower is None or band.is_beside:
        return [upper]
    name, bound = f"{band.label}, lower bound", curves.lower.of_curve
    lower = line("lower", name, curves.lower.delta_low, LOWER_WIDTH, bound_label(bound))
    # A band's lower line comes and goes with it.
    return [lower | {"showlegend": False}, upper | parts.filled_to(style.role)]


def shade_box(left: float, right: float) -> Part:
    """Return the shape that marks a stretch of epsilon."""
    return parts.stretch(left, right, {"color": "var(--target)", "width": 1, "dash": "dot"})


def shade_label(left: float, right: float, text: str) -> Part:
    """Return the annotation that says above a stretch of epsilon what it is."""
    middle = float(np.log10(left * right) / 2)
    return parts.quiet_note(text, middle, 1, ("center", "bottom"), yref="paper")


def _target_points(bands: Sequence[Band], window: _Window) -> list[Part]:
    points = sorted(
        (epsilon, at) for at, band in enumerate(bands) if (epsilon := band.curves.epsilon_upper)
    )
    is_named = any(band.mark for band in bands)
    labelled = len(points) <= (_MOST_NAMED_POINTS if is_named else _MOST_LABELLED_POINTS)
    words = [
        f"{bands[at].mark}: ε ≤ {rounded_up(epsilon)}".removeprefix(": ") for epsilon, at in points
    ]
    rooms = [_ROOM_FOR_CHARACTER * len(label) for label in words]
    places = _label_places([epsilon for epsilon, _ in points], window, rooms)
    traces, near = [], _ROOM_FOR_MARK * np.log10(window.right / window.left)
    marked = [epsilon for epsilon, at in points if not bands[at].is_beside]
    for (epsilon, at), label, (place, line) in zip(points, words, places, strict=True):
        band, style = bands[at], bands[at].style
        if band.is_beside:  # its mark is to lie on no other one
            if any(abs(np.log10(epsilon / other)) < near for other in marked):
                continue
            marked.append(epsilon)
        # Empty lines keep a label away from the one beside it.
        apart = line * "<br>"
        text = f"{label}{apart}" if place.startswith("top") else f"{apart}{label}"
        look, delta = parts.marker(style, 7 if band.is_beside else 10), band.curves.scenario.delta
        point = parts.mark(f"{band.identity}-target", epsilon, delta, look, text, place)
        mode = "markers+text" if labelled else "markers"
        # Beside a name the colour tells whose it is where several stand over each other.
        ink = {"textfont": {"color": parts.color(style.role)}} if band.mark else {}
        traces.append(point | ink | {"mode": mode, "legendgroup": band.identity})
    return traces


def _label_places(
    epsilons: list[float], window: _Window, rooms: list[float]
) -> list[tuple[str, int]]:
    """Return where the labels of points of increasing epsilon stand, and how many lines away.

    The first one's is below its point, to the left, the others' above, to the right: away from
    curves, which fall to the right. Near the axis' end all are to the left.
    """
    first, last = np.log10(window.left), np.log10(window.right)
    across = [float((np.log10(epsilon) - first) / (last - first)) for epsilon in epsilons]
    found: list[tuple[str, int]] = []
    taken: dict[int, float] = {}  # by line, from where on it is
    for at, x in reversed(list(enumerate(across))):
        room = rooms[at]
        is_near_end = x + room > 1.0
        if at == 0 and (is_near_end or len(epsilons) > 1) and x > room:
            found.append(("bottom left", 0))
            continue
        start, end = (x - room, x) if is_near_end else (x, x + room)
        line = next(line for line in range(len(epsilons)) if taken.get(line, 2.0) >= end)
        taken[line] = start
        found.append(("top left" if is_near_end else "top right", line))
    return found[::-1]
