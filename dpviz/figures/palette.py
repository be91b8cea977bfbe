"""Colours by role, for a light and a dark page.

Each has at least 4.5:1 contrast with its page and a second cue (dash or fill) wherever it tells
series apart. Teal and orange stay distinct in the common colour vision deficiencies.
"""

PALETTE = {
    "light": {"without-replacement": "#0b6075", "deterministic": "#a8480a", "target": "#4d5a61"},
    "dark": {"without-replacement": "#5cc3d6", "deterministic": "#f2a35e", "target": "#a9b8bf"},
}
DASHES = {"without-replacement": "solid", "deterministic": "dash"}
SYMBOLS = {"without-replacement": "circle", "deterministic": "diamond"}
