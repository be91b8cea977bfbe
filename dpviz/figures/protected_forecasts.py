"""The charts of protected data: errors, features, and one series with its forecasts."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

import numpy as np

from dpviz.figures import parts
from dpviz.figures.parts import STYLES, Part, Spec, json_numbers
from dpviz.protected_forecasts import FEATURES
from dpviz.protected_forecasts.data import FloatArray
from dpviz.protected_forecasts.study import ProtectedSeries
from dpviz.protected_forecasts.study_tables import PROTECTIONS
from dpviz.protected_forecasts.swapping import LastChoice
from dpviz.wording.numbers import capitalised
from dpviz.wording.protected_forecasts import (
    SHORT_FEATURES,
    SHORT_FORECASTERS,
    protection_words,
    series_called,
)

_NAMES = ("original", "protected")
# Between forecasts of one value, which stand side by side, in time steps.
_APART = 1.5
Pair = tuple[FloatArray, FloatArray]


def errors_chart(
    protection: str, names: Sequence[str], errors: Mapping[str, Pair], *, identity: str
) -> Spec:
    """Return boxes of absolute errors before and after, with every series as a point.

    ``errors`` by forecaster, before and after, have shape (series,) each.
    """
    groups = {SHORT_FORECASTERS[name]: pair for name, pair in errors.items()}
    title, what = f"Errors before and after {protection_words(protection)}", "absolute error"
    return _box_figure(groups, names, what, title, what, identity)


def features_chart(shown: ProtectedSeries, protection: str, *, identity: str) -> Spec:
    """Return boxes of the four features of all shown series, before and after."""
    before, after = shown.features
    groups = {
        SHORT_FEATURES[name]: (before[:, at], after[:, at]) for at, name in enumerate(FEATURES)
    }
    title = f"Features before and after {protection_words(protection)}"
    return _box_figure(groups, shown.names, "value", title, "value of the feature", identity)


def series_chart(
    shown: ProtectedSeries, at: int, forecasts: Mapping[str, Pair], *, identity: str
) -> Spec:
    """Return one series: original, protected, the forecasts of both, and what came.

    ``forecasts`` by forecaster, before and after, have shape (series,) each; ``at`` counts from 0.
    """
    length = len(shown.known[at])
    times = list(range(1, length + 1))
    traces: list[Part] = [
        parts.line(f"series-{name}", name, times, json_numbers(values[at]), style, 2)
        for name, values, style in zip(_NAMES, (shown.known, shown.released), STYLES, strict=False)
    ]
    names = [SHORT_FORECASTERS[name] for name in forecasts]
    places = [length + 1 + _APART * (place + 1) for place in range(len(names))]
    for side, (told, style) in enumerate(zip(_NAMES, STYLES, strict=False)):
        values = [json_numbers(pair[side][at : at + 1])[0] for pair in forecasts.values()]
        hover = f"%{{text}} of {told}: %{{y:.4g}}<extra></extra>"
        look, name = parts.marker(style, 9), f"forecasts of {told}"
        points = parts.points(f"forecast-{told}", name, places, values, look)
        traces.append(points | {"text": names, "hovertemplate": hover})
    look = {"color": "var(--target)", "symbol": "cross", "size": 11}
    actual = [float(shown.next_values[at])]
    traces.append(parts.points("came", "actual values", [length + 1], actual, look))
    name = capitalised(series_called(shown.names[at][:60]))
    return parts.figure(
        traces,
        f"{escape(name, quote=False)}, protected and forecast",
        identity,
        parts.axis("value number", range=[0, length + 2 + _APART * (len(names) + 1)]),
        parts.axis("value"),
        boxmode="group",
    )


def variances_chart(variances: Mapping[str, Sequence[float]]) -> Spec:
    """Return Figure 4: variances of errors, a column of points for each of Table 2's protections.

    ``variances`` are those of :func:`~dpviz.protected_forecasts.study_tables.relative_variances`.
    """
    traces = []
    for (name, values), style in zip(variances.items(), STYLES, strict=True):
        x, short = list(range(len(PROTECTIONS))), SHORT_FORECASTERS[name]
        line = parts.line(f"variance-{name}", short, x, list(values), style, 1.0, dots=9)
        traces.append(line | {"hovertemplate": f"{short}, %{{x}}: %{{y:.3f}}<extra></extra>"})
    (least,) = (name for name, values in variances.items() if values[0] == 1.0)
    title = f"Variance of absolute errors; 1 is that of {SHORT_FORECASTERS[least]}, original series"
    return _by_protection(title, traces, "relative variance")


def quartiles_chart(quartiles: Mapping[str, FloatArray]) -> Spec:
    """Return Figure 5: medians of the features with their quartiles, by protection.

    ``quartiles`` by protection have shape (3, features).
    """
    traces = []
    for at, (feature, style) in enumerate(zip(FEATURES, STYLES, strict=False)):
        low, middle, high = np.stack([quartiles[one][:, at] for one in PROTECTIONS], axis=1)
        name = SHORT_FEATURES[feature]
        told = [
            f"{name}, {protection_words(one)}: {m:.3g} (quartiles {a:.3g}, {b:.3g})"
            for one, a, m, b in zip(PROTECTIONS, low, middle, high, strict=True)
        ]
        x = [place + 0.15 * (at - 1.5) for place in range(len(PROTECTIONS))]
        y, look = json_numbers(middle), parts.marker(style, 9)
        points = parts.points(f"quartiles-{feature}", name, x, y, look, told)
        above, below = json_numbers(high - middle), json_numbers(middle - low)
        traces.append(points | {"error_y": parts.error_bars(style, above, below)})
    return _by_protection("Features of the series, before and after", traces, "median, quartiles")


def _by_protection(title: str, traces: list[Part], y_title: str) -> Spec:
    words = [protection_words(one).replace("no protection", "original") for one in PROTECTIONS]
    across = parts.axis("", range=[-0.5, len(words) - 0.5], **parts.ticks(words))
    return parts.figure(traces, title, title, across, parts.axis(y_title))


def swap_chart(
    nearest: LastChoice, within: LastChoice, radius: float, names: Sequence[str], identity: str
) -> Spec:
    """Return Figures 1 to 3: a series, those that may take its last value's place, and their means.

    ``nearest`` are the neighbours of a k-nTS swap by two values, ``within`` those in a radius,
    which is in the data's unit.
    """
    before, last = nearest.windows.T
    x, y = float(before[nearest.own]), float(last[nearest.own])
    edges = parts.gapped([(x, y), corner] for corner in nearest.windows[nearest.near].tolist())
    line = parts.stroke(STYLES[1], 1.5)
    traces = [
        parts.scatter("edges", "lines", *edges, name="k nearest", line=line, hoverinfo="skip"),
        _points("others", "other series", nearest, range(len(before)), names, "target", "circle"),
        _points("within", "within the radius", within, within.near, names, "series-2", "square"),
        _points("own", "this series", nearest, [nearest.own], names, "series-0", "diamond"),
    ]  # fmt: skip
    means = [
        ("hull", "mean of the hull's corners (k nearest)", nearest, "hull-centroid", 3),
        ("centroid", "mean of k nearest and itself", nearest, "centroid-with-own", 4),
        ("ball", "mean of those within and itself", within, "centroid-with-own", 5),
    ]
    for uid, name, choice, replacement, style in means:
        if len(choice.near):
            at = choice.centroid(replacement).tolist()
            look = parts.marker(STYLES[style], 11)
            traces.append(parts.points(uid, name, at[:1], at[1:], look))
    nearby = nearest.windows[nearest.near] - nearest.windows[nearest.own]
    reach = 1.2 * max(radius, float(np.abs(nearby).max()))
    ring = {
        "type": "circle", "x0": x - radius, "x1": x + radius, "y0": y - radius, "y1": y + radius,
        "line": {"color": parts.color("series-2"), "width": 1.5, "dash": "dot"},
    }  # fmt: skip
    return parts.figure(
        traces,
        "Which series may take a value's place",
        identity,
        parts.axis("value before the last", range=[x - reach, x + reach]),
        parts.axis("last value", range=[y - reach, y + reach], scaleanchor="x"),
        shapes=[ring],
    )


def _points(
    uid: str,
    name: str,
    choice: LastChoice,
    places: Iterable[int],
    names: Sequence[str],
    role: str,
    symbol: str,
) -> Part:
    chosen = [int(place) for place in places]
    before, last = map(json_numbers, choice.windows[chosen].T)
    look = {"color": parts.color(role), "symbol": symbol, "size": 6 if uid == "others" else 10}
    text = [escape(names[choice.places[place]][:60], quote=False) for place in chosen]
    told = {"text": text, "hovertemplate": "%{text}: %{x:,.4g}, then %{y:,.4g}<extra></extra>"}
    return parts.points(uid, name, before, last, look) | told


def _box_figure(
    groups: Mapping[str, Pair],
    names: Sequence[str],
    what: str,
    title: str,
    y_title: str,
    identity: str,
) -> Spec:
    traces = [
        {
            "type": "box",
            "uid": f"box-{name}",
            "name": name,
            "x": [group for group, pair in groups.items() for _ in pair[side]],
            "y": [number for pair in groups.values() for number in json_numbers(pair[side])],
            "text": [escape(own[:60], quote=False) for _ in groups for own in names],
            "boxpoints": "all",
            "jitter": 0.5,
            "pointpos": 0,
            "line": {"color": parts.color(style.role), "width": 1.5},
            "fillcolor": parts.color(style.role, 0.12),
            "marker": parts.marker(style, 5),
            "hovertemplate": f"%{{text}}, {name}: {what} %{{y:.4g}}<extra></extra>",
        }
        for side, (name, style) in enumerate(zip(_NAMES, STYLES, strict=False))
    ]
    return parts.figure(traces, title, identity, {}, parts.axis(y_title), boxmode="group")
