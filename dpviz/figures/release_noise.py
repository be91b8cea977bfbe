"""The chart of every mechanism's noise, and how far its releases are off."""

from collections.abc import Sequence

from dpviz.figures.palette import PALETTE, STYLES
from dpviz.figures.spec import Spec
from dpviz.release.mechanisms import Row
from dpviz.wording.release import error_text, noise_text, short_name

_NOISE, _ERROR = STYLES[0], STYLES[1]


def release_noise_chart(rows: Sequence[Row], *, identity: str) -> Spec:
    """Return the chart: a bar of noise, and a point of error with its interval, each row a line.

    Args:
        rows: of the table, in its order.
        identity: a visitor's zoom lasts for as long as it stays the same.
    """
    ordered = list(reversed(rows))  # bars are drawn from the bottom
    names = [short_name(row.weighed.calibration) for row in ordered]
    known = [(name, row.error) for name, row in zip(names, ordered, strict=True) if row.error]
    return {
        "data": [
            {
                "type": "bar",
                "orientation": "h",
                "uid": "noise",
                "name": "noise on a released value (standard deviation)",
                "x": [row.weighed.calibration.noise for row in ordered],
                "y": names,
                "marker": {"color": f"var(--{_NOISE.role}@0.25)", "line": {
                    "color": f"var(--{_NOISE.role})", "width": 1}},
                "text": [noise_text(row.weighed.calibration) for row in ordered],
                "textposition": "inside",
                "insidetextanchor": "start",
                "insidetextfont": {"color": "var(--target)"},
                "hovertemplate": "%{y}: noise %{text} counts<extra></extra>",
            },
            {
                "type": "scatter",
                "mode": "markers",
                "uid": "error",
                "name": "mean absolute error, with its 95 % interval",
                "x": [error.mean for _, error in known],
                "y": [name for name, _ in known],
                "error_x": {
                    "type": "data",
                    "array": [error.half_width for _, error in known],
                    "color": f"var(--{_ERROR.role})",
                },
                "marker": {
                    "color": f"var(--{_ERROR.role})", "symbol": _ERROR.symbol, "size": 10
                },
                "text": [error_text(error) for _, error in known],
                "hovertemplate": "%{y}: off by %{text} counts<extra></extra>",
            },
        ],
        "layout": {
            "title": {"text": noise_title(rows)},
            "template": "none",
            "meta": {"palette": PALETTE, "legend": "under"},
            "uirevision": identity,
            "hovermode": "closest",
            "xaxis": {"title": {"text": "counts"}, "tickformat": ",", "rangemode": "tozero"},
            "yaxis": {"automargin": True, "fixedrange": True},
        },
    }  # fmt: skip


def noise_title(rows: Sequence[Row]) -> str:
    """Return the chart's finding."""
    calibrations = [row.weighed.calibration for row in rows]
    least, most = (end(calibrations, key=lambda one: one.noise) for end in (min, max))
    return (
        f"From {noise_text(least)} counts ({short_name(least)}) to {noise_text(most)} "
        f"({short_name(most)})"
    )
