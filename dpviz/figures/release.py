"""Releases of one series: every mechanism's noise and error, and one release drawn."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.figures import parts
from dpviz.figures.parts import STYLES, Part, Spec, Style, json_numbers
from dpviz.release.mechanisms import ErrorSummary, Row
from dpviz.release.published import FAILURE_RATES, FREQUENCIES, WAYS, failure_chances
from dpviz.wording.numbers import rounded_up
from dpviz.wording.release import SHORT_NAMES, error_text, frequency_text, noise_text, short_name

_NOISE, _ERROR = STYLES[0], STYLES[1]
_ABOVE, _BELOW = [0.36, 1.0], [0.0, 0.26]
# More points than a wide screen has columns would only make the page heavy.
MOST_POINTS = 1500
_MOST_MARKED = 150


def release_noise_chart(rows: Sequence[Row], *, identity: str) -> Spec:
    """Return the chart: a bar of noise, and a point of error with its interval, each row a line."""
    ordered = list(reversed(rows))  # bars are drawn from the bottom
    names = [short_name(row.calibration) for row in ordered]
    known = [(name, row.error) for name, row in zip(names, ordered, strict=True) if row.error]
    bars = {
        "type": "bar",
        "orientation": "h",
        "uid": "noise",
        "name": "noise drawn for a step (standard deviation)",
        "x": [row.calibration.noise for row in ordered],
        "y": names,
        "text": [noise_text(row.calibration) for row in ordered],
        "textposition": "inside",
        "insidetextanchor": "start",
        "insidetextfont": {"color": "var(--target)"},
        "hovertemplate": "%{y}: noise %{text} counts<extra></extra>",
        **parts.bar_look(_NOISE, 0.25),
    }
    half_widths = [error.half_width for _, error in known]
    errors = parts.points(
        "error",
        "mean absolute error, with its 95 % interval",
        [error.mean for _, error in known],
        [name for name, _ in known],
        parts.marker(_ERROR, 10),
        error_x={"type": "data", "array": half_widths, "color": parts.color(_ERROR.role)},
        text=[error_text(error) for _, error in known],
        hovertemplate="%{y}: off by %{text} counts<extra></extra>",
    )
    return parts.figure(
        [bars, errors],
        noise_title(rows),
        identity,
        parts.axis("counts", tickformat=",", rangemode="tozero"),
        {"automargin": True, "fixedrange": True},
    )


def noise_title(rows: Sequence[Row]) -> str:
    """Return the chart's finding."""
    calibrations = [row.calibration for row in rows]
    least, most = (end(calibrations, key=lambda one: one.noise) for end in (min, max))
    return (
        f"From {noise_text(least)} counts ({short_name(least)}) to {noise_text(most)} "
        f"({short_name(most)})"
    )


def released_series_chart(
    truth: FloatArray, released: FloatArray, kept: np.ndarray, *, title: str, identity: str
) -> Spec:
    """Return the chart of the original, one release of it, and their difference.

    ``truth`` and ``released`` have shape (length,), in counts; ``kept`` steps, from 0, are marked
    where they are few.
    """
    difference = released - truth
    data = [
        _line("truth", "original", truth, STYLES[0], 2.0, "y"),
        _line("released", "one release", released, STYLES[1], 1.8, "y"),
        _line("difference", "release minus original", difference, STYLES[2], 1.0, "y2"),
    ]
    if 0 < len(kept) <= _MOST_MARKED:
        x, y = (kept + 1).tolist(), json_numbers(np.round(released[kept], 3))
        told: Part = {"hovertemplate": "kept step %{x:,}: %{y:.4g}<extra></extra>"}
        data.insert(2, parts.points("kept", "kept steps", x, y, parts.marker(STYLES[1], 6), **told))
    return parts.figure(
        data,
        title,
        identity,
        parts.axis("time step", tickformat=",d", anchor="y2"),
        parts.axis("counts", tickformat=",", domain=_ABOVE),
        yaxis2=parts.axis("difference", tickformat=",", domain=_BELOW),
    )


def releases_chart(truth: FloatArray, releases: Mapping[str, FloatArray], identity: str) -> Spec:
    """Return one release by each of several mechanisms, one above the other, with the original.

    Each has shape (length,), in counts.
    """
    data: list[Part] = []
    notes: list[Part] = []
    axes: dict[str, Any] = {}
    height = 1.0 / len(releases)
    for at, (name, values) in enumerate(releases.items()):
        axis, top = f"y{at + 1}" if at else "y", 1.0 - at * height
        released = _line(f"release-{at}", name, values, STYLES[1], 1.2, axis)
        original = _line(f"truth-{at}", "original", truth, STYLES[0], 1.5, axis)
        data += [released | {"showlegend": False}, original | {"showlegend": at == 0}]
        domain = [top - 0.82 * height, top - 0.06 * height]
        axes[f"yaxis{at + 1}" if at else "yaxis"] = parts.axis("", tickformat=",", domain=domain)
        place = {"xref": "paper", "yref": "paper"}
        notes.append(parts.note(name, 0.0, top - 0.06 * height, ("left", "bottom"), **place))
    last = {"anchor": f"y{len(releases)}", "tickformat": ",d"}
    return parts.figure(
        data,
        "The same series, released by each mechanism",
        identity,
        parts.axis("time step", **last),
        axes.pop("yaxis"),
        annotations=notes,
        **axes,
    )


def frequencies_chart(errors: Mapping[float, Sequence[ErrorSummary]], noise: float) -> Spec:
    """Return Figure 2 of Koga et al.: errors by sampling frequency, with their spread.

    ``errors`` are of :data:`dpviz.release.published.WAYS`; ``noise`` of the observation is a
    standard deviation in counts.
    """
    known = [one for one in FREQUENCIES if one in errors]
    traces = []
    for at, (way, style) in enumerate(zip(WAYS, STYLES, strict=False)):
        found, name = [errors[one][at] for one in known], SHORT_NAMES[way]
        means = [one.mean for one in found]
        texts = [f"{name}: off by {error_text(one)}" for one in found]
        line = parts.line(f"frequency-{at}", name, known, means, style, 2.0, texts, dots=7)
        traces.append(line | {"error_y": parts.error_bars(style, [one.spread for one in found])})
    seen = f"observation noise {noise:g}" if noise else "no observation noise"
    title = f"Mean absolute error on Synth, {seen}; bars: from release to release"
    ticks = {"tickvals": list(FREQUENCIES), "ticktext": [*map(frequency_text, FREQUENCIES)]}
    across = parts.axis("relative sampling frequency f", type="log", **ticks)
    down = parts.axis("counts", rangemode="tozero")
    return parts.figure(traces, title, title, across, down)


def failure_chart() -> Spec:
    """Return Figure 2 of the appendix of Koga et al.: delta' of Theorem 4 against alpha."""
    traces = []
    for rate, style in zip(FAILURE_RATES, STYLES, strict=False):
        alphas, chances = failure_chances(rate, 1e-12)
        told = (
            f"p = {rate:g}: more than {rounded_up(alpha, 3)} √I with a chance of at most "
            f"{rounded_up(one, 2)}"
            for alpha, one in zip(alphas, chances, strict=True)
        )
        name = f"p = {rate:g}"
        traces.append(parts.line(f"failure-{rate}", name, alphas, chances, style, 2.0, told))
    title = "Chance of a larger sensitivity than α√I (upper bound, Theorem 4 with its condition)"
    across = parts.axis("α", range=[0.0, 1.0])
    down = parts.log_axis("δ'")
    return parts.figure(traces, title, title, across, down)


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
    return parts.line(
        uid,
        name,
        (steps + 1).tolist(),
        json_numbers(np.round(values[steps], 3)),
        style,
        width,
        dash=dash,
        yaxis=axis,
        hovertemplate=f"{name}, step %{{x:,}}: %{{y:.4g}}<extra></extra>",
    )
