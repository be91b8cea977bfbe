"""Shades of a map that a page's text can be read on, and the ink of what is drawn over them."""

from dpviz.figures import parts
from dpviz.figures.palette import PALETTE
from dpviz.figures.parts import Part

# The deeper the larger the number is.
_SHADES = {
    "light": {"shade-least": "#f1f7f8", "shade-middle": "#b4d9e0", "shade-most": "#62a9b8"},
    "dark": {"shade-least": "#0a1113", "shade-middle": "#123f4a", "shade-most": "#1a6a7e"},
}
_INK = {
    "light": {"ink": "#0f181c", "paper": "#ffffff"},
    "dark": {"ink": "#dfe6ea", "paper": "#030508"},
}
MAP_PALETTE = {mode: PALETTE[mode] | _SHADES[mode] | _INK[mode] for mode in PALETTE}
COLOR_SCALE = [
    [0, "var(--shade-least)"],
    [0.5, "var(--shade-middle)"],
    [1, "var(--shade-most)"],
]
# Lines of a map are told apart by these, and by what is written on them.
LINE_DASHES = ("solid", "dash", "dot", "dashdot")


def now_mark(x: float, y: float, text: str = "now") -> Part:
    """Return the mark of the settings that the map is about, by default the visitor's own.

    >>> now_mark(2, 3)["x"], now_mark(2, 3)["text"]
    ([2], ['<b>now</b>'])
    """
    look = {
        "color": "var(--series-1)",
        "symbol": "diamond",
        "size": 13,
        "line": {"color": "var(--paper)", "width": 2},
    }
    mark = parts.mark("now", x, y, look, f"<b>{text}</b>", "top center")
    del mark["showlegend"]  # maps have no legend
    return mark | {"textfont": {"color": "var(--ink)"}}


def ink_note(text: str, x: float, y: float, anchor: tuple[str, str]) -> Part:
    """Return words on a map, on paper of their own."""
    look = {"bgcolor": "var(--paper@0.85)", "font": {"color": "var(--ink)"}, "borderpad": 1}
    return parts.note(text, x, y, anchor, **look)
