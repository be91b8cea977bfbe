"""The chart of the guessing game: two densities, the number that is seen, and past rounds."""

from typing import Any

import numpy as np

from dpviz.figures.palette import PALETTE, STYLES
from dpviz.figures.spec import Spec, json_numbers
from dpviz.planning.membership_game import Game
from dpviz.planning.step_outputs import densities, outcomes_to_draw
from dpviz.wording.membership_game import game_title, seen_text

_PRESENT, _ABSENT = STYLES[0], STYLES[1]
# Past rounds lie below the axis, as parts of the higher density's height.
_ROW_PRESENT, _ROW_ABSENT = -0.07, -0.15
_DIGITS = 5


def membership_game_chart(game: Game, answers: str) -> Spec:
    """Return the chart; of rounds to come it shows nothing but the current number.

    Args:
        game: which is played.
        answers: ``y`` or ``n`` for each round that is.
    """
    outputs = [one.output for one in game.rounds]
    x = outcomes_to_draw(game.pair)
    x = np.union1d(x, [min(x[0], *outputs), max(x[-1], *outputs)])
    present, absent = densities(game.pair, x)
    top = float(max(present.max(), absent.max()))
    shown = json_numbers(np.round(x, _DIGITS))
    current = len(answers) if len(answers) < len(game.rounds) else None
    return {
        "data": [
            _density("present", "value in the data", shown, present, top),
            _density("absent", "value not in the data", shown, absent, top),
            *_past(game, answers),
        ],
        "layout": {
            "title": {"text": game_title(game, len(answers))},
            "template": "none",
            "meta": {"palette": PALETTE, "legend": "under"},
            "uirevision": f"game {game.code}",
            "hovermode": "closest",
            "legend": {"traceorder": "normal"},
            "xaxis": {"title": {"text": "noisy sum of gradients, in clipping norms C"}},
            "yaxis": {
                "title": {"text": "density"},
                "tickvals": [0.0, 0.5, 1.0],
                "zeroline": True,
            },
            **({} if current is None else _marked(outputs[current], current)),
        },
    }


def _density(
    uid: str, name: str, x: list[float | None], values: np.ndarray, top: float
) -> dict[str, Any]:
    style = _PRESENT if uid == "present" else _ABSENT
    return {
        "type": "scatter",
        "mode": "lines",
        "uid": uid,
        "name": name,
        "x": x,
        "y": json_numbers(np.round(values / top, _DIGITS)),
        "line": {"color": f"var(--{style.role})", "width": 2.5, "dash": style.dash},
        "hovertemplate": f"%{{x:.2f}} C: {name}, %{{y:.3f}}<extra></extra>",
    }


def _past(game: Game, answers: str) -> list[dict[str, Any]]:
    played = list(enumerate(zip(game.rounds, answers, strict=False), start=1))
    rows = []
    for is_present, style, row in (
        (True, _PRESENT, _ROW_PRESENT),
        (False, _ABSENT, _ROW_ABSENT),
    ):
        own = [(at, one, said) for at, (one, said) in played if one.is_present == is_present]
        if not own:
            continue
        truth = "in the data" if is_present else "not in the data"
        rights = [(said == "y") == is_present for _, _, said in own]
        rows.append(
            {
                "type": "scatter",
                "mode": "markers",
                "uid": f"past-{is_present}",
                "name": f"past rounds: {truth} (filled: you were right)",
                "x": [round(one.output, _DIGITS) for _, one, _ in own],
                "y": [row] * len(own),
                "marker": {
                    "color": f"var(--{style.role})",
                    "symbol": [style.symbol + ("" if right else "-open") for right in rights],
                    "size": 9,
                },
                "text": [
                    f"round {at}: {seen_text(one.output)} C, {truth}; you said "
                    f"{'yes' if said == 'y' else 'no'}"
                    for at, one, said in own
                ],
                "hovertemplate": "%{text}<extra></extra>",
            }
        )
    return rows


def _marked(output: float, at: int) -> dict[str, Any]:
    return {
        "shapes": [
            {
                "type": "line",
                "yref": "paper",
                "y0": 0,
                "y1": 1,
                "x0": output,
                "x1": output,
                "line": {"color": "var(--target)", "width": 3},
            }
        ],
        "annotations": [
            {
                "x": output,
                "yref": "paper",
                "y": 1,
                "text": f"round {at + 1}: {seen_text(output)} C",
                "showarrow": False,
                # Above the plot, where no curve runs through it, and within its width.
                "xanchor": "auto",
                "yanchor": "bottom",
                "font": {"color": "var(--target)"},
            }
        ],
    }
