"""100 people in the data and 100 others: who is found, and who is accused falsely."""

from dpviz.figures import parts
from dpviz.figures.palette import STYLES, Style
from dpviz.figures.parts import Part
from dpviz.figures.spec import Spec
from dpviz.wording.people import PEOPLE, Odds, accused

_SIDE = 10
_GAP = 3
_FOUND, _ACCUSED = STYLES[0], STYLES[1]
_NOBODY = Style(role="target", dash="solid", symbol="circle-open")


def people_chart(odds: Odds) -> Spec:
    """Return the drawing: each person a mark, the attacker's claims filled."""
    least, most = odds.found_at_least or 0, odds.found_at_most
    falsely = min(PEOPLE, round(PEOPLE * odds.rate))
    marks = [
        _people("found", "found by some attacker", range(least), 0, _FOUND),
        _people("perhaps", "found at most", range(least, most), 0, _FOUND, density=0.45),
        _people("unseen", "not found", range(most, PEOPLE), 0, _NOBODY),
        _people("accused", "accused falsely", range(falsely), 1, _ACCUSED),
        _people("others", "not accused", range(falsely, PEOPLE), 1, _NOBODY),
    ]
    titles = (
        f"{PEOPLE} in the data: at most {most} found",
        f"{PEOPLE} others: {accused(odds.rate)} accused",
    )
    notes = [
        parts.note(title, _SIDE / 2 - 0.5 + at * (_SIDE + _GAP), 0.4, ("center", "bottom"))
        for at, title in enumerate(titles)
    ]
    hidden = {"visible": False, "fixedrange": True}
    return {
        "data": [one for one in marks if one["x"]],
        "layout": parts.layout(
            "",
            "people",
            parts.axis("", range=[-1.5, 2 * _SIDE + _GAP + 0.5], **hidden),
            parts.axis("", range=[-_SIDE - 0.2, 1.6], **hidden),
            hover="closest",
            annotations=notes,
            showlegend=False,
            meta={},
            margin={"t": 28, "b": 4, "l": 4, "r": 4},
        ),
    }


def _people(
    uid: str, name: str, which: range, column: int, style: Style, density: float | None = None
) -> Part:
    x = [at % _SIDE + column * (_SIDE + _GAP) for at in which]
    y = [-(at // _SIDE) - 0.5 for at in which]
    look = {"color": parts.color(style.role, density), "symbol": style.symbol, "size": 11}
    if density is not None:
        look["line"] = {"color": parts.color(style.role), "width": 1.5}
    return parts.scatter(
        uid, "markers", x, y, name=name, marker=look, **parts.told([name] * len(x))
    )
