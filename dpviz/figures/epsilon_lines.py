"""Epsilon against something: over the course of training, or over what is varied."""

import math
from collections.abc import Iterable, Sequence

from dpviz.figures import parts
from dpviz.figures.parts import LOWER_WIDTH, STYLES, UPPER_WIDTH, Part, Spec, Style
from dpviz.planning.budget import UsedUp, counts_alike
from dpviz.planning.proven import ProvenEpsilon, SweepPoint
from dpviz.scenario import Scenario
from dpviz.wording.budget import nothing_drawn, target_label, where_told
from dpviz.wording.numbers import power_of_ten, rounded_up
from dpviz.wording.proven_epsilon import lower_hover, upper_hover
from dpviz.wording.scope import scheme_name

_STYLE = STYLES[0]
_UP_TO = {"steps": "training steps", "epochs": "training epochs"}
# Of more, the legend names the band, and a caption what its lower end is.
_FEW_RUNS = 2
_EPSILON = "ε (smaller is more private)"
_FEW_DECADES = 3  # of more, 2 and 5 of each would be crowded
# Each text tells its own place in words, which may be a range.
_PROVEN = {"text": "Proven"}


# A place on the axis, what is proven there, and of what, as the hover says it.
_Place = tuple[float, ProvenEpsilon, str]


def _band(
    identity: str,
    style: Style,
    places: Sequence[_Place],
    names: tuple[str, str],
    *,
    below: Sequence[_Place] | None = None,
    lists_lower: bool = True,
) -> list[Part]:
    """Return the filled band, the lower and the upper line of one run, as far as there are any.

    ``names`` are of the upper and of the lower line, whose places are ``below`` where they are
    others.
    """
    uppers = [
        (x, epsilon, upper_hover(proven, where))
        for x, proven, where in places
        if (epsilon := proven.epsilon_upper)
    ]
    lowers = [
        (x, epsilon, lower_hover(proven, where))
        for x, proven, where in (places if below is None else below)
        if (epsilon := proven.epsilon_lower)
    ]
    traces: list[Part] = []
    both = {x for x, *_ in uppers} & {x for x, *_ in lowers}
    if len(both) > 1:
        # One outline over the places at which both sides are drawn: a fill from one line to the
        # next would join the ends of lines of different lengths by slopes that bound nothing.
        outline = [corner for corner in (*uppers, *reversed(lowers)) if corner[0] in both]
        x, y = [x for x, *_ in outline], [epsilon for _, epsilon, _ in outline]
        ink, fill = parts.color(style.role), parts.color(style.role, parts.BAND_SHADE)
        look: Part = {"fill": "toself", "fillcolor": fill, "line": {"width": 0, "color": ink}}
        silent: Part = {"hoverinfo": "skip", "showlegend": False, "legendgroup": identity}
        traces.append(parts.scatter(f"{identity}-band", "lines", x, y, **look, **silent))
    # A dot at each computed point: between them the line is only drawn.
    for side, name, corners, width, dots, listed in (
        ("lower", names[1], lowers, LOWER_WIDTH, 3, {"showlegend": lists_lower}),
        ("upper", names[0], uppers, UPPER_WIDTH, 5, {}),
    ):
        if corners:
            x, y, texts = map(list, zip(*corners, strict=True))
            line = parts.line(f"{identity}-{side}", name, x, y, style, width, texts, dots=dots)
            traces.append(line | listed | {"legendgroup": identity})
    return traces


def _epsilon_axis(drawn: Iterable[float | None]) -> tuple[Part, Part]:
    """Return the axis of epsilon, whole decades with 1, 2 and 5 of each, and its tiers."""
    epsilons = [epsilon for epsilon in drawn if epsilon]
    if not epsilons:
        return parts.log_axis(_EPSILON), {"shapes": [], "annotations": []}
    low, high = parts.decades(epsilons)
    steps = {"dtick": "D2" if high - low <= _FEW_DECADES else 1}
    axis = parts.log_axis(_EPSILON, range=[low, high], **steps)
    return axis, parts.tiers(float(f"1e{low}"), float(f"1e{high}"), along="y")


def _own_mark(
    identity: str,
    style: Style,
    proven: Iterable[tuple[float, ProvenEpsilon]],
    own_x: float | None,
    at_first: tuple[float, str],
) -> list[Part]:
    """Return a mark at the visitor's own value, on the upper bound.

    A rising line leaves the side above to the left free, but where the axis begins: up to a place
    another side is taken.
    """
    return [
        parts.mark(
            f"{identity}-own",
            x,
            epsilon,
            parts.marker(style, 11),
            f"ε ≤ {rounded_up(epsilon)}",
            "top left" if x > at_first[0] else at_first[1],
        )
        for x, one in proven
        if x == own_x and (epsilon := one.epsilon_upper)
    ][:1]


def budget_chart(
    scenario: Scenario,
    points: Sequence[ProvenEpsilon],
    *,
    target_epsilon: float | None = None,
    used_up: UsedUp | None = None,
    label: str | None = None,
) -> Spec:
    """Return the chart: a band from lower to upper bound against steps or epochs.

    Both axes are logarithmic: where epsilon grows with the square root of training, the line has
    half a decade of epsilon for each decade of training. What is 0 or not known has no place there.

    Args:
        points: what is known so far, in any order.
        target_epsilon: a horizontal line; that of ``used_up`` if absent.
        used_up: where the target is used up, once it is known.
        label: the run's name in the legend; how series are chosen if absent.
    """
    ordered = sorted(points, key=lambda point: point.count)
    name, unit = label or scheme_name(scenario.sampling), scenario.training.unit
    own = scenario.training.count
    if used_up is not None and target_epsilon is None:
        target_epsilon = used_up.target.epsilon
    shapes, notes = [], []
    if target_epsilon is not None:
        shapes.append(parts.level(target_epsilon))
        notes.append(_target_words(ordered, target_epsilon, used_up))
    if words := nothing_drawn(scenario, ordered):
        notes.append(parts.middle_note(words))
    sides = (side for point in ordered for side in (point.epsilon_upper, point.epsilon_lower))
    axis, scale = _epsilon_axis([target_epsilon, *sides])
    corner = {"x": 0.99, "y": 0.02, "xanchor": "right", "yanchor": "bottom"}
    band = _band(
        "budget",
        _STYLE,
        _budget_places(scenario, ordered),
        (f"{name}, upper bound", f"{name}, lower bound"),
        below=_budget_places(scenario, ordered, from_below=True),
    )
    counts = ((point.count, point) for point in ordered)
    marks = _own_mark("budget", _STYLE, counts, own, (1, "bottom right"))
    return parts.figure(
        [*band, *marks, *_used_up_mark(scenario, ordered, used_up)],
        f"ε over training, at δ = {power_of_ten(scenario.delta)}",
        # Another unit is another axis: there an old zoom would show nothing.
        f"budget-{unit}",
        parts.log_axis(_UP_TO[unit], unifiedhovertitle=_PROVEN),
        axis,
        hover="x unified",
        # A rising line leaves this corner free.
        legend=corner | {"traceorder": "reversed"},
        meta={"leavesGhost": True},
        shapes=[*scale["shapes"], *shapes],
        annotations=[*scale["annotations"], *notes],
    )


def _budget_places(
    scenario: Scenario, points: Sequence[ProvenEpsilon], *, from_below: bool = False
) -> list[_Place]:
    # Within an epoch that counts whole, the line is level.
    ranges = [(point, counts_alike(scenario, point, from_below=from_below)) for point in points]
    return [
        (count, point, where_told(scenario, counts))
        for point, counts in ranges
        for count in sorted(set(counts))
    ]


def _used_up_mark(
    scenario: Scenario, points: Sequence[ProvenEpsilon], used_up: UsedUp | None
) -> list[Part]:
    if used_up is None or used_up.is_endless or not used_up.count or not points:
        return []
    if used_up.count > max(count for point in points for count in counts_alike(scenario, point)):
        return []  # it would stretch the chart beyond its line; the label tells it
    look = {"color": "var(--target)", "symbol": "x", "size": 11}
    return [parts.mark("budget-used-up", used_up.count, used_up.target.epsilon, look)]


def _target_words(
    points: Sequence[ProvenEpsilon], target_epsilon: float, used_up: UsedUp | None
) -> Part:
    # Left of where the target is used up the line runs below it, and the words find room above.
    starts_above = bool(points) and (points[0].epsilon_upper or math.inf) > target_epsilon
    # Where the axis ends with the target there is no room above it.
    highest = max((point.epsilon_upper or 0.0 for point in points), default=0.0)
    is_at_end = highest <= target_epsilon and math.log10(target_epsilon).is_integer()
    lines = list(target_label(target_epsilon, used_up))
    if used_up is not None and used_up.count and not used_up.is_endless:
        lines[-1] = f"× {lines[-1]}"
    anchor = ("left", "top" if starts_above or is_at_end else "bottom")
    place = math.log10(target_epsilon)
    return parts.quiet_note("<br>".join(lines), 0, place, anchor, xref="paper", align="left")


def sweep_chart(
    lines: Sequence[tuple[str, Sequence[SweepPoint]]],
    *,
    title: str,
    identity: str,
    x_title: str,
    own_x: float | None = None,
    marked: int | None = None,
    x_ticks: Sequence[tuple[float, str]] = (),
) -> Spec:
    """Return the chart, both axes logarithmic; the first line is in the foreground.

    Args:
        lines: of each run its name and its points, as far as they are known, in any order, and of
            equal delta.
        own_x: the visitor's own value, which is marked on the ``marked`` first lines, or on all.
        x_ticks: places and words on the axis; Plotly's own powers of ten if absent.
    """
    points = [point for _, line in lines for point in line]
    proven = [point.proven for point in points]
    drawn = [end for one in proven for end in (one.epsilon_upper, one.epsilon_lower) if end]
    axis, scale = _epsilon_axis(drawn)
    excuse = ""
    if points and not drawn:
        at = power_of_ten(points[0].scenario.delta)
        excuse = f"ε is 0 at δ = {at} everywhere here"
        if any(one.epsilon_upper is None for one in proven):
            excuse = f"No finite ε is proven at δ = {at}"
    places: Part = {}
    if x_ticks:
        values, words = ([*column] for column in zip(*x_ticks, strict=True))
        places = {"tickmode": "array", "tickvals": values, "ticktext": words}
    styled = [(label, line, style) for (label, line), style in zip(lines, STYLES, strict=False)]
    traces = [
        trace
        for label, line, style in reversed(styled)
        for trace in _band(
            style.role,
            style,
            [
                (point.x, point.proven, f"{label}, {point.name}")
                for point in sorted(line, key=lambda point: point.x)
            ],
            (label, f"{label}, lower bound"),
            lists_lower=len(lines) <= _FEW_RUNS,
        )
    ]
    marks = []
    for _, line, style in styled[:marked]:
        first = min((point.x for point in line), default=0.0)
        places_of = ((point.x, point.proven) for point in line)
        marks += _own_mark(style.role, style, places_of, own_x, (first, "top right"))
    last = max((point.x for point in points), default=None)
    return parts.figure(
        [*traces, *_kept_apart(marks, last)],
        title,
        identity,
        parts.log_axis(x_title, unifiedhovertitle=_PROVEN, **places),
        axis,
        hover="x unified",
        legend="reversed",
        meta={"leavesGhost": True, "legend": "under"},
        shapes=scale["shapes"],
        annotations=[*scale["annotations"], *([] if drawn else [parts.middle_note(excuse)])],
    )


def _kept_apart(marks: list[Part], last: float | None) -> list[Part]:
    """Return marks of several runs with texts at the highest and the lowest one alone.

    The lowest one's stands below it; others would be printed over each other.
    """
    if len(marks) < 2:
        return marks
    by_height = sorted(marks, key=lambda own: float(own["y"][0]))
    place = "bottom center" if by_height[0]["x"][0] == last else "bottom right"
    between = [own | {"mode": "markers"} for own in by_height[1:-1]]
    return [by_height[0] | {"textposition": place}, *between, by_height[-1]]
