"""A small picture of each lesson's idea, in colours that are seen on light and on dark."""

from collections.abc import Sequence
from urllib.parse import quote

from dpviz.settings.lessons import LESSONS
from dpviz.ui.page_style import browser_part

_INK, _TEAL, _RED, _VIOLET, _ORANGE = "#7c868d", "#1b8fa0", "#d5354b", "#9468c0", "#c5671b"
_WAVE = "q8 -18 16 -6 t16 2 t16 -4 t16 4 t16 -2 t16 4 t16 -6 t16 2 t16 4"
_FAR_BELL = "M36 52 C62 52 66 12 84 12 S106 52 132 52"


def _line(path: str, color: str, *, width: float = 2.5, dash: str = "none") -> str:
    return (
        f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{width}" '
        f'stroke-dasharray="{dash}" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def _dot(x: float, y: float, color: str, radius: float = 5.0) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{color}"/>'


def _box(x: float, y: float, width: float, color: str = _TEAL) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="8" rx="2" fill="{color}"/>'


def _window(x: float, y: float, context: float = 30.0, forecast: float = 12.0) -> str:
    return _box(x, y, context) + _box(x + context, y, forecast, _VIOLET)


def _series(y: float, color: str = _INK) -> str:
    return _line(f"M8 {y} {_WAVE}", color, width=2)


def _all(*parts: str | Sequence[str]) -> str:
    return "".join(part if isinstance(part, str) else "".join(part) for part in parts)


_PEOPLE = [(16 + 14 * x, 14 + 14 * y) for y in range(3) for x in range(10)]
_PICTURES = {
    # Two outcomes of a step, and the number that was seen.
    "guess": _all(
        _line("M12 52 C38 52 42 12 60 12 S82 52 108 52", _TEAL),
        _line(_FAR_BELL, _ORANGE, dash="6 5"),
        _line("M88 8 V56", _INK, width=3),
    ),
    "epsilon": _all([_dot(x, y, _RED if at < 4 else _INK) for at, (x, y) in enumerate(_PEOPLE)]),
    # Windows that touch the value, and one that does not.
    "leak": _all(
        _series(20), _dot(72, 19, _RED), _window(22, 34), _window(50, 44), _window(110, 34)
    ),
    "person": _all(
        _series(22),
        _dot(40, 22, _RED, 4),
        _line("M40 42 H40.1", _RED, width=6),
        _line("M24 50 H88", _RED, width=4),
        _line("M8 58 H152", _RED, width=4),
    ),
    # Which series, and which window of it.
    "rates": _all(
        [_series(y, _TEAL if y == 34 else _INK) for y in (14, 34, 54)],
        _box(64, 40, 34, _VIOLET),
    ),
    "windows": _all(
        [_window(10, y, 22, 10) for y in (10, 22, 34, 46)],
        _line("M80 8 V56", _INK, width=1, dash="3 4"),
        [_window(x, y, 22, 10) for x, y in ((90, 28), (96, 40), (118, 28), (122, 40))],
    ),
    "steps": _all(_line("M12 54 H36 V42 H60 V33 H84 V25 H108 V18 H132 V12 H150", _TEAL, width=3)),
    "labels": _all(
        _line("M10 34 q10 -24 22 -8 t22 4 t22 -6", _TEAL),
        _line("M76 24 l6 18 6 -28 6 32 6 -24 6 16 6 -26 6 34 6 -22 6 14 6 -20", _VIOLET),
        _line("M76 8 V56", _INK, width=1, dash="3 4"),
    ),
    # What the standard promise says, and what holds.
    "bag": _all(
        _line("M12 54 C50 52 96 46 148 40", _ORANGE, dash="6 5"),
        _line("M12 54 C50 46 96 28 148 10", _TEAL),
    ),
    "plan": _all(
        _line("M12 10 C30 40 70 50 148 54", _TEAL),
        _line("M12 36 H148", _INK, width=1.5, dash="4 4"),
        _dot(38, 36, _ORANGE, 6),
    ),
}


def lesson_pictures_style() -> str:
    """Return the style that gives each key that ends on ``_lesson_NAME`` the picture of a lesson.

    A picture says nothing that the words beside it do not: screen readers are not told of it.
    """
    rules = [browser_part("lesson_cards.css")]
    for name in LESSONS:
        picture = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 64">{_PICTURES[name]}'
        image = f"data:image/svg+xml,{quote(picture + '</svg>')}"
        rules.append(f'[class*="_lesson_{name}"] {{--picture: url("{image}");}}')
    return f"<style>{chr(10).join(rules)}</style>"
