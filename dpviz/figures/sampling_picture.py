"""A drawing of how a batch is made: series, then windows, then context and forecast.

Three small SVGs in boxes that wrap on a narrow screen. The colours keep at least 3:1 contrast on
white and on black, and text takes the page's own colour, so one drawing serves both themes.
"""

from dataclasses import dataclass

import numpy as np

_TEAL, _ORANGE, _RED, _GREY = "#0f88a3", "#c4601c", "#d8343c", "#8a959b"
_WIDTH, _HEIGHT = 320, 168
_VALUES = 60
_SERIES = 5
_DRAWN = (1, 3)
_SENSITIVE_SERIES, _SENSITIVE_VALUE = 1, 33
_CONTEXT, _FORECAST = 12, 6
_WINDOW_STARTS = {1: 26, 3: 9}


@dataclass(frozen=True, kw_only=True)
class PicturePanel:
    """One step of the drawing: SVG markup of our own, and the words for it."""

    title: str
    svg: str
    caption: str


def sampling_panels() -> tuple[PicturePanel, ...]:
    """Return the drawing's three panels; the same at every call."""
    series = _series()
    return (
        PicturePanel(
            title="1 · Choose series",
            svg=_choose_series(series),
            caption="Each step draws some of the N series (top-level rate ρ). One value of one "
            "series is somebody's secret: the red dot.",
        ),
        PicturePanel(
            title="2 · Choose a window in each",
            svg=_choose_windows(series),
            caption="A window starts anywhere with equal chance. Only those that start under the "
            "red bar contain the secret (bottom-level rate r).",
        ),
        PicturePanel(
            title="3 · Split into context and forecast",
            svg=_split_window(series),
            caption="The model reads the context and predicts the forecast. Its gradient is "
            "clipped, summed and blurred by noise (σ).",
        ),
    )


def _series() -> np.ndarray:
    rng = np.random.default_rng(7)
    time = np.arange(_VALUES)
    phase = rng.uniform(0, 6, (_SERIES, 1))
    return np.asarray(
        np.sin(time / 4.2 + phase)
        + 0.5 * np.sin(time / 1.7 + 2 * phase)
        + 0.25 * rng.standard_normal((_SERIES, _VALUES))
    )


def _choose_series(series: np.ndarray) -> str:
    parts = []
    for row in range(_SERIES):
        drawn = row in _DRAWN
        parts.append(_line(series[row], row, _TEAL if drawn else _GREY, 2.2 if drawn else 1.2))
        if drawn:
            parts.append(_text(4, _y(0.0, row) + 4, "✓", _TEAL))
    parts.append(_secret(series, _SENSITIVE_SERIES))
    return _svg(parts, "Five series; two are chosen, and one of these holds a red value.")


def _choose_windows(series: np.ndarray) -> str:
    parts = []
    for row in _DRAWN:
        start = _WINDOW_STARTS[row]
        parts.append(_box(start, start + _CONTEXT + _FORECAST - 1, row, _TEAL))
        parts.append(_line(series[row], row, _TEAL, 2.0))
    first = _SENSITIVE_VALUE - _CONTEXT - _FORECAST + 1
    y = _y(0.0, _SENSITIVE_SERIES) - 26
    parts.append(
        f'<line x1="{_x(first):.1f}" x2="{_x(_SENSITIVE_VALUE):.1f}" y1="{y:.1f}" y2="{y:.1f}" '
        f'stroke="{_RED}" stroke-width="4"/>'
    )
    parts.append(_text(_x(first) - 4, y - 7, "starts of windows with the secret", "currentColor"))
    parts.append(_secret(series, _SENSITIVE_SERIES))
    return _svg(parts, "In each chosen series one window is boxed; a red bar marks the starts.")


def _split_window(series: np.ndarray) -> str:
    start = _WINDOW_STARTS[_SENSITIVE_SERIES]
    window = series[_SENSITIVE_SERIES, start : start + _CONTEXT + _FORECAST]
    step = (_WIDTH - 40) / (len(window) - 1)
    xs = 20 + step * np.arange(len(window))
    ys = 94 - 31 * window
    border = float(xs[_CONTEXT - 1] + step / 2)
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
    secret = _SENSITIVE_VALUE - start
    parts = [
        f'<rect x="10" y="32" width="{border - 10:.1f}" height="124" fill="{_TEAL}" '
        f'fill-opacity="0.16"/>',
        f'<rect x="{border:.1f}" y="32" width="{_WIDTH - 10 - border:.1f}" height="124" '
        f'fill="{_ORANGE}" fill-opacity="0.2"/>',
        _text(14, 24, "context, L_C values", "currentColor"),
        _text(border + 2, 24, "forecast, L_F", "currentColor"),
        f'<polyline points="{points}" fill="none" stroke="currentColor" stroke-width="1.6"/>',
        f'<circle cx="{xs[secret]:.1f}" cy="{ys[secret]:.1f}" r="6" fill="{_RED}"/>',
    ]
    return _svg(parts, "One window, its first part shaded as context, its last as forecast.")


def _x(value: float) -> float:
    return 22 + value * (_WIDTH - 34) / (_VALUES - 1)


def _y(height: float, row: int) -> float:
    return 24 + row * (_HEIGHT - 40) / (_SERIES - 1) - 9 * height


def _line(values: np.ndarray, row: int, color: str, width: float) -> str:
    points = " ".join(
        f"{_x(index):.1f},{_y(float(value), row):.1f}" for index, value in enumerate(values)
    )
    return f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="{width}"/>'


def _box(first: int, last: int, row: int, color: str) -> str:
    return (
        f'<rect x="{_x(first) - 2:.1f}" y="{_y(0.0, row) - 20:.1f}" '
        f'width="{_x(last) - _x(first) + 4:.1f}" height="40" rx="4" fill="{color}" '
        f'fill-opacity="0.16" stroke="{color}" stroke-width="1.5"/>'
    )


def _secret(series: np.ndarray, row: int) -> str:
    y = _y(float(series[row, _SENSITIVE_VALUE]), row)
    return f'<circle cx="{_x(_SENSITIVE_VALUE):.1f}" cy="{y:.1f}" r="5.5" fill="{_RED}"/>'


def _text(x: float, y: float, words: str, color: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="13" fill="{color}">{words}</text>'


def _svg(parts: list[str], description: str) -> str:
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="100%" role="img" '
        f'aria-label="{description}" font-family="inherit">' + "".join(parts) + "</svg>"
    )
