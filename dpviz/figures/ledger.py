"""The chart of a budget ledger: what each run gives away alone, and all of them together."""

from collections.abc import Sequence
from html import escape

from dpviz.figures import parts
from dpviz.figures.epsilon_scale import ABOVE_TIERS, tiers
from dpviz.figures.parts import STYLES, Part, Spec
from dpviz.planning.ledger import Ledger, Total
from dpviz.wording.numbers import power_of_ten, rounded_up

_STYLES = dict(zip(("alone", "all", "next"), STYLES, strict=False))
_ALL, _WITH_NEXT = "all together", "with the next run"


def ledger_chart(found: Ledger, target_epsilon: float, with_next: Total | None = None) -> Spec:
    """Return the chart; bars are upper bounds, a line is the budget.

    ``with_next`` is the total if one more run is trained.
    """
    alone = [row.alone.quoted for row in found.rows]
    total, more = found.upper.high, [] if with_next is None else [with_next.epsilon]
    # By places, which count from below: a run may be called as a total is, or as another run.
    runs = [escape(row.name, quote=False) for row in reversed(found.rows)]
    names = [*([_WITH_NEXT] if more else []), _ALL, *runs]
    shown = [one for one in (*alone, total, *more, target_epsilon) if one is not None]
    end = 1.15 * max(shown)
    scale = tiers(0.0, end, is_log=False)
    budget = parts.note("budget", target_epsilon, 1, ("center", "bottom"), yref="paper")
    return parts.figure(
        [
            _bars("alone", names, range(len(names) - 1, len(more), -1), alone, "/"),
            _bars("all", names, [len(more)], [total]),
            *([_bars("next", names, [0], more)] if more else []),
        ],
        "ε of each run alone, and of all together",
        "ledger",
        parts.axis(
            f"ε at δ = {power_of_ten(found.delta)} (upper bounds)",
            range=[0.0, end],
            zeroline=False,
        ),
        {**parts.ticks(names), "range": [-0.5, len(names) - 0.5], "automargin": True},
        showlegend=False,
        barmode="overlay",
        bargap=0.35,
        shapes=[*scale["shapes"], parts.upright(target_epsilon, {"dash": "dash", "width": 2})],
        annotations=[*scale["annotations"], budget | ABOVE_TIERS],
    )


def _bars(
    uid: str,
    names: list[str],
    places: Sequence[int],
    values: list[float | None],
    pattern: str = "",
) -> Part:
    texts = ["not finite" if value is None else f"≤ {rounded_up(value)}" for value in values]
    return {
        "type": "bar",
        "uid": uid,
        "orientation": "h",
        "y": list(places),
        "customdata": [names[place] for place in places],
        "x": [0.0 if value is None else value for value in values],
        "text": texts,
        "textposition": "outside",
        "cliponaxis": False,
        "hovertemplate": "%{customdata}: ε %{text}<extra></extra>",
        "marker": {
            "color": parts.color(_STYLES[uid].role),
            "pattern": {"shape": pattern, "fgopacity": 1.0},
        },
    }
