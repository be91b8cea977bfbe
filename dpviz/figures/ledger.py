"""The chart of a budget ledger: what each run gives away alone, and all of them together."""

from html import escape

from dpviz.figures import parts
from dpviz.figures.maps import MAP_PALETTE, ink_note
from dpviz.figures.parts import STYLES, Part, Spec
from dpviz.planning.ledger import Ledger, Total
from dpviz.wording.numbers import power_of_ten, rounded_up

_STYLES = dict(zip(("alone", "all", "next"), STYLES, strict=False))
_ALL, _WITH_NEXT = "all together", "with one more run"


def ledger_chart(found: Ledger, target_epsilon: float, with_next: Total | None = None) -> Spec:
    """Return the chart: bars of upper bounds, perhaps with one more run, and a line, the budget."""
    names = [_own_place(escape(row.name, quote=False)) for row in found.rows]
    alone = [row.alone.quoted for row in found.rows]
    total, more = found.upper.high, [] if with_next is None else [with_next.epsilon]
    shown = [one for one in (*alone, total, *more, target_epsilon) if one is not None]
    end = 1.15 * max(shown)
    scale = parts.tiers(0.0, end, is_log=False)
    bars = [
        _bars("alone", names, alone, "/"),
        _bars("all", [_ALL], [total]),
        *([_bars("next", [_WITH_NEXT], more)] if more else []),
    ]
    budget = parts.note("budget", target_epsilon, 1, ("center", "bottom"), yref="paper")
    return parts.figure(
        bars,
        "ε of each run alone, and of all together",
        "ledger",
        parts.axis(
            f"ε at δ = {power_of_ten(found.delta)} (upper bounds)",
            range=[0.0, end],
            zeroline=False,
        ),
        {
            "type": "category",
            "categoryorder": "array",
            # Plotly counts from below.
            "categoryarray": [*([_WITH_NEXT] if more else []), _ALL, *reversed(names)],
            "automargin": True,
        },
        palette=MAP_PALETTE,
        showlegend=False,
        barmode="overlay",
        bargap=0.35,
        shapes=[*scale["shapes"], parts.upright(target_epsilon, {"dash": "dash", "width": 2})],
        annotations=[*scale["annotations"], budget | parts.ABOVE_TIERS, *_ends(bars)],
    )


def _own_place(name: str) -> str:
    """Return a run's name, apart from a total's of the same letters by a space of no width."""
    return f"{name}\u200b" if name in (_ALL, _WITH_NEXT) else name


def _bars(uid: str, names: list[str], values: list[float | None], pattern: str = "") -> Part:
    texts = ["not finite" if value is None else f"≤ {rounded_up(value)}" for value in values]
    lengths = [0.0 if value is None else value for value in values]
    look = {"shape": pattern, "fgopacity": 1.0}
    return parts.bars(
        uid,
        lengths,
        names,
        texts,
        textposition="none",
        hovertemplate="%{y}: ε %{text}<extra></extra>",
        marker={"color": parts.color(_STYLES[uid].role), "pattern": look},
    )


def _ends(bars: list[Part]) -> list[Part]:
    """Return what bars come to, at their ends: on paper, so that no line runs through the words."""
    return [
        ink_note(text, x, y, ("left", "middle")) | {"xshift": 2}
        for one in bars
        for text, x, y in zip(one["text"], one["x"], one["y"], strict=True)
    ]
