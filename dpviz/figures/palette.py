"""Colours by role, for a light and a dark page.

Each has at least 4.5:1 contrast with its page and a second cue (dash and symbol) wherever it tells
series apart.
"""

from dataclasses import dataclass

_LIGHT = ("#0b6075", "#a8480a", "#7b3fa0", "#3a6b1e", "#b0256b", "#2456b8", "#5b5348")
_DARK = ("#5cc3d6", "#f2a35e", "#c9a0ec", "#9ccc65", "#f48fb1", "#8ab4f8", "#c8bfae")
PALETTE = {
    "light": {
        **{f"series-{at}": color for at, color in enumerate(_LIGHT)},
        "target": "#4d5a61",
        "secret": "#c2182b",
    },
    "dark": {
        **{f"series-{at}": color for at, color in enumerate(_DARK)},
        "target": "#a9b8bf",
        "secret": "#ff7a80",
    },
}


@dataclass(frozen=True, kw_only=True)
class Style:
    """How one series of a chart is told from the others: never by its colour alone."""

    role: str
    dash: str
    symbol: str


STYLES = tuple(
    Style(role=f"series-{at}", dash=dash, symbol=symbol)
    for at, (dash, symbol) in enumerate(
        (
            ("solid", "circle"),
            ("dash", "diamond"),
            ("dot", "square"),
            ("dashdot", "triangle-up"),
            ("longdash", "star"),
            ("longdashdot", "x"),
            ("2px,6px", "triangle-down"),
        )
    )
)

# What is drawn on several pages, and looks the same on each; also in browser/picture.css.
SECRET = Style(role="secret", dash="solid", symbol="circle")
CONTEXT, FORECAST = STYLES[0], STYLES[2]
# What a bound is: the lower line is thin, and of the same dash as the upper one.
UPPER_WIDTH, LOWER_WIDTH = 2.5, 1.0
OWN_RUN, PINNED_RUNS = STYLES[0], STYLES[1:]
# A pin among lines that stand for something else.
PIN = STYLES[-1]
