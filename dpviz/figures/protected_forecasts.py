"""The charts of protected data: errors, features, and one series with its forecasts."""

from collections.abc import Mapping, Sequence

from dpviz.figures import parts
from dpviz.figures.palette import STYLES
from dpviz.figures.parts import Part, Spec, json_numbers
from dpviz.protected_forecasts import FEATURES
from dpviz.protected_forecasts.data import FloatArray
from dpviz.protected_forecasts.study import ProtectedSeries
from dpviz.wording.protected_forecasts import SHORT_FORECASTERS, protection_words

_NAMES = ("original", "protected")
# Between forecasts of one value, which stand side by side, in time steps.
_APART = 1.5
_TICKS = {
    "spectral_entropy": "entropy",
    "first_autocorrelation": "ACF1",
    "trend_strength": "trend",
    "seasonal_strength": "season",
}
Pair = tuple[FloatArray, FloatArray]


def errors_chart(
    protection: str, names: Sequence[str], errors: Mapping[str, Pair], *, identity: str
) -> Spec:
    """Return boxes of absolute errors before and after, with every series as a point.

    Args:
        protection: as on the command line.
        names: of the series.
        errors: by forecaster, before and after, shape (series,) each.
        identity: a visitor's zoom lasts for as long as it stays the same.
    """
    groups = {SHORT_FORECASTERS[name]: pair for name, pair in errors.items()}
    return {
        "data": _boxes(groups, names, "absolute error"),
        "layout": _layout(
            f"Errors before and after {protection_words(protection)}", "absolute error", identity
        ),
    }


def features_chart(shown: ProtectedSeries, protection: str, *, identity: str) -> Spec:
    """Return boxes of the four features of all shown series, before and after."""
    before, after = shown.features
    groups = {_TICKS[name]: (before[:, at], after[:, at]) for at, name in enumerate(FEATURES)}
    return {
        "data": _boxes(groups, shown.names, "value"),
        "layout": _layout(
            f"Features before and after {protection_words(protection)}",
            "value of the feature",
            identity,
        ),
    }


def series_chart(
    shown: ProtectedSeries, at: int, forecasts: Mapping[str, Pair], *, identity: str
) -> Spec:
    """Return one series: original, protected, the forecasts of both, and what came.

    Args:
        shown: the series.
        at: which of them, from 0.
        forecasts: by forecaster, before and after, shape (series,) each.
        identity: a visitor's zoom lasts for as long as it stays the same.
    """
    length = len(shown.known[at])
    times = list(range(1, length + 1))
    traces: list[Part] = [
        _line("original", times, json_numbers(shown.known[at]), 0),
        _line("protected", times, json_numbers(shown.released[at]), 1),
    ]
    names = [SHORT_FORECASTERS[name] for name in forecasts]
    places = [length + 1 + _APART * (place + 1) for place in range(len(names))]
    for side, told in enumerate(_NAMES):
        values = [json_numbers(pair[side][at : at + 1])[0] for pair in forecasts.values()]
        traces.append(
            parts.scatter(
                f"forecast-{told}",
                "markers",
                places,
                values,
                name=f"forecasts of {told}",
                text=names,
                hovertemplate=f"%{{text}} of {told}: %{{y:.4g}}<extra></extra>",
                marker=parts.marker(STYLES[side], 9),
            )
        )
    look = {"color": "var(--target)", "symbol": "cross", "size": 11}
    actual = [float(shown.next_values[at])]
    traces.append(
        parts.scatter("came", "markers", [length + 1], actual, name="actual values", marker=look)
    )
    layout = _layout(f"Series {shown.names[at][:60]}, protected and forecast", "value", identity)
    layout["xaxis"] = parts.axis("value number", range=[0, length + 2 + _APART * (len(names) + 1)])
    return {"data": traces, "layout": layout}


def _boxes(groups: Mapping[str, Pair], names: Sequence[str], what: str) -> list[Part]:
    traces = []
    for side, name in enumerate(_NAMES):
        color = f"var(--{STYLES[side].role})"
        x = [group for group, pair in groups.items() for _ in pair[side]]
        y = [number for pair in groups.values() for number in json_numbers(pair[side])]
        traces.append(
            {
                "type": "box",
                "uid": f"box-{name}",
                "name": name,
                "x": x,
                "y": y,
                "text": [own[:60] for _ in groups for own in names],
                "boxpoints": "all",
                "jitter": 0.5,
                "pointpos": 0,
                "line": {"color": color, "width": 1.5},
                "fillcolor": f"var(--{STYLES[side].role}@0.12)",
                "marker": parts.marker(STYLES[side], 5),
                "hovertemplate": f"%{{text}}, {name}: {what} %{{y:.4g}}<extra></extra>",
            }
        )
    return traces


def _line(name: str, x: list[int], y: list[float | None], style: int) -> Part:
    line = parts.stroke(STYLES[style], 2)
    return parts.scatter(f"series-{name}", "lines", x, y, name=name, line=line)


def _layout(title: str, y_title: str, identity: str) -> Part:
    return parts.layout(title, identity, {}, parts.axis(y_title), boxmode="group")
