"""Releases of one series: every mechanism's noise and error, and one release drawn."""

from collections.abc import Sequence

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.figures import parts
from dpviz.figures.palette import STYLES, Style
from dpviz.figures.parts import Part, Spec, json_numbers
from dpviz.release.mechanisms import Row
from dpviz.wording.release import error_text, noise_text, short_name

_NOISE, _ERROR = STYLES[0], STYLES[1]
_ABOVE, _BELOW = [0.36, 1.0], [0.0, 0.26]
# More points than a wide screen has columns would only make the page heavy.
MOST_POINTS = 1500
_MOST_MARKED = 150


def release_noise_chart(rows: Sequence[Row], *, identity: str) -> Spec:
    """Return the chart: a bar of noise, and a point of error with its interval, each row a line.

    Args:
        rows: of the table, in its order.
        identity: a visitor's zoom lasts for as long as it stays the same.
    """
    ordered = list(reversed(rows))  # bars are drawn from the bottom
    names = [short_name(row.weighed.calibration) for row in ordered]
    known = [(name, row.error) for name, row in zip(names, ordered, strict=True) if row.error]
    edge = {"color": parts.color(_NOISE.role), "width": 1}
    bars = {
        "type": "bar",
        "orientation": "h",
        "uid": "noise",
        "name": "noise on a released value (standard deviation)",
        "x": [row.weighed.calibration.noise for row in ordered],
        "y": names,
        "marker": {"color": parts.color(_NOISE.role, 0.25), "line": edge},
        "text": [noise_text(row.weighed.calibration) for row in ordered],
        "textposition": "inside",
        "insidetextanchor": "start",
        "insidetextfont": {"color": "var(--target)"},
        "hovertemplate": "%{y}: noise %{text} counts<extra></extra>",
    }
    half_widths = [error.half_width for _, error in known]
    errors = parts.scatter(
        "error",
        "markers",
        [error.mean for _, error in known],
        [name for name, _ in known],
        name="mean absolute error, with its 95 % interval",
        error_x={"type": "data", "array": half_widths, "color": parts.color(_ERROR.role)},
        marker=parts.marker(_ERROR, 10),
        text=[error_text(error) for _, error in known],
        hovertemplate="%{y}: off by %{text} counts<extra></extra>",
    )
    return {
        "data": [bars, errors],
        "layout": parts.layout(
            noise_title(rows),
            identity,
            parts.axis("counts", tickformat=",", rangemode="tozero"),
            {"automargin": True, "fixedrange": True},
        ),
    }


def noise_title(rows: Sequence[Row]) -> str:
    """Return the chart's finding."""
    calibrations = [row.weighed.calibration for row in rows]
    least, most = (end(calibrations, key=lambda one: one.noise) for end in (min, max))
    return (
        f"From {noise_text(least)} counts ({short_name(least)}) to {noise_text(most)} "
        f"({short_name(most)})"
    )


def released_series_chart(
    truth: FloatArray, released: FloatArray, kept: np.ndarray, *, title: str, identity: str
) -> Spec:
    """Return the chart of the original, one release of it, and their difference.

    Args:
        truth: what the release is compared with, of shape (length,), in counts.
        released: likewise.
        kept: steps that were kept, from 0; marked where they are few.
        title: the finding.
        identity: a visitor's zoom lasts for as long as it stays the same.
    """
    difference = released - truth
    data = [
        _line("truth", "original", truth, STYLES[0], 2.0, "y"),
        _line("released", "one release", released, STYLES[1], 1.8, "y"),
        _line("difference", "release minus original", difference, STYLES[2], 1.0, "y2"),
    ]
    if 0 < len(kept) <= _MOST_MARKED:
        points = parts.scatter(
            "kept",
            "markers",
            (kept + 1).tolist(),
            json_numbers(np.round(released[kept], 3)),
            name="kept steps",
            marker=parts.marker(STYLES[1], 6),
            hovertemplate="kept step %{x:,}: %{y:.4g}<extra></extra>",
        )
        data.insert(2, points)
    return {
        "data": data,
        "layout": parts.layout(
            title,
            identity,
            parts.axis("time step", tickformat=",d", anchor="y2"),
            parts.axis("counts", tickformat=",", domain=_ABOVE),
            yaxis2=parts.axis("difference", tickformat=",", domain=_BELOW),
        ),
    }


def is_drawn_thin(length: int) -> bool:
    """Return whether a series of so many steps is drawn by the ends of stretches only."""
    return length > MOST_POINTS


def ends_of_stretches(values: FloatArray) -> np.ndarray:
    """Return the steps that are drawn: all, or the lowest and highest of each stretch.

    >>> len(ends_of_stretches(np.arange(10_000.0))) <= MOST_POINTS + 2
    True
    """
    if not is_drawn_thin(len(values)):
        return np.arange(len(values))
    ends = {0, len(values) - 1}
    for stretch in np.array_split(np.arange(len(values)), MOST_POINTS // 2):
        ends |= {int(stretch[values[stretch].argmin()]), int(stretch[values[stretch].argmax()])}
    return np.array(sorted(ends))


def _line(uid: str, name: str, values: FloatArray, style: Style, width: float, axis: str) -> Part:
    steps = ends_of_stretches(values)
    # Dashes would be lost in a line that goes up and down at every step.
    dash = "dot" if uid == "released" else "solid"
    return parts.scatter(
        uid,
        "lines",
        (steps + 1).tolist(),
        json_numbers(np.round(values[steps], 3)),
        name=name,
        yaxis=axis,
        line=parts.stroke(style, width, dash=dash),
        hovertemplate=f"{name}, step %{{x:,}}: %{{y:.4g}}<extra></extra>",
    )
