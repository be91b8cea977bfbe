"""Two overlapping distributions: a step's outputs, the guessing game's, one noised value's."""

from typing import Any

import numpy as np

from dpviz.figures import parts
from dpviz.figures.parts import STYLES, Part, Spec, json_numbers
from dpviz.planning.label_noise import NoisedValue
from dpviz.planning.membership_game import Game
from dpviz.planning.step_outputs import StepOutputs, densities, outcomes_to_draw
from dpviz.wording.batch_drawing import outputs_title
from dpviz.wording.label_noise import overlap_title
from dpviz.wording.membership_game import seen_text

_FIRST, _SECOND = STYLES[0], STYLES[1]
_OUTPUT = "noisy sum of gradients, in clipping norms C"
_OUTPUT_NAMES = ("P: with the protected values", "Q: with others in their place")
_OUTPUT_DIGITS, _GAME_DIGITS = 6, 5
# Past rounds lie below the axis, as parts of the higher density's height.
_ROWS = {True: (_FIRST, -0.07, "in the data"), False: (_SECOND, -0.15, "not in the data")}
_VALUE_AXIS = {"context": "value in the context, in units of v", "forecast": "label, in units of v"}
_POINTS = 121
_TAILS = 3.5  # standard deviations to either side; beyond them nothing is left to see
_ROOM_BESIDE_SPIKES = 0.6  # of their distance


def step_outputs_chart(outputs: StepOutputs) -> Spec:
    """Return the chart: two densities along the worst direction, their common part shaded."""
    pair = outputs.drawn.bound.pair
    outcomes = outcomes_to_draw(pair)
    curves = densities(pair, outcomes)
    x = json_numbers(_short(outcomes))
    common = parts.scatter(
        "common",
        "lines",
        x,
        json_numbers(_short(np.minimum(*curves))),
        name="common part",
        fill="tozeroy",
        fillcolor="var(--target@0.25)",
        line={"width": 0},
        hoverinfo="skip",
    )
    lines = [
        parts.line(
            f"density-{at}",
            name,
            x,
            json_numbers(_short(curve)),
            style,
            2,
            hovertemplate="output %{x:.3g} C: density %{y:.3g} / C<extra></extra>",
        )
        for at, (name, curve, style) in enumerate(zip(_OUTPUT_NAMES, curves, STYLES, strict=False))
    ]
    return parts.figure(
        [common, *lines],
        outputs_title(outputs),
        f"outputs {x[0]!r} {x[-1]!r}",
        parts.axis(_OUTPUT),
        parts.axis("density", rangemode="tozero"),
        legend="normal",
    )


def _short(values: np.ndarray) -> np.ndarray:
    """Return values with the digits that a screen can show."""
    size = np.floor(np.log10(np.abs(values) + 1e-300))
    digits = np.where(values == 0.0, 0, _OUTPUT_DIGITS - size)
    scale = 10.0 ** np.clip(digits, 0, 300)
    return np.asarray(np.round(values * scale) / scale)


def membership_game_chart(game: Game, answers: str, title: str) -> Spec:
    """Return the chart; of rounds to come it shows nothing but the current number.

    ``answers`` has ``y`` or ``n`` for each round that was played.
    """
    outputs = [one.output for one in game.rounds]
    x = outcomes_to_draw(game.pair)
    x = np.union1d(x, [min(x[0], *outputs), max(x[-1], *outputs)])
    present, absent = densities(game.pair, x)
    top = float(max(present.max(), absent.max()))
    lines = [
        parts.line(
            uid,
            name,
            json_numbers(np.round(x, _GAME_DIGITS)),
            json_numbers(np.round(values / top, _GAME_DIGITS)),
            style,
            2.5,
            hovertemplate=f"%{{x:.2f}} C: {name}, %{{y:.3f}}<extra></extra>",
        )
        for uid, name, style, values in (
            ("present", "value in the data", _FIRST, present),
            ("absent", "value not in the data", _SECOND, absent),
        )
    ]
    current: Part = {}
    if len(answers) < len(game.rounds):
        output = outputs[len(answers)]
        words = f"round {len(answers) + 1}: {seen_text(output)} C"
        current = {
            "shapes": [parts.upright(output, {"width": 3})],
            # Above the plot, where no curve runs through it, and within its width.
            "annotations": [parts.quiet_note(words, output, 1, ("auto", "bottom"), yref="paper")],
        }
    return parts.figure(
        [*lines, *_past(game, answers)],
        title,
        f"game {game.code}",
        parts.axis(_OUTPUT),
        parts.axis("relative density", tickvals=[0.0, 0.5, 1.0], zeroline=True),
        legend="normal",
        **current,
    )


def _past(game: Game, answers: str) -> list[Part]:
    played = list(enumerate(zip(game.rounds, answers, strict=False), start=1))
    rows = []
    for is_present, (style, row, truth) in _ROWS.items():
        own = [(at, one, said) for at, (one, said) in played if one.is_present == is_present]
        if not own:
            continue
        rights = [(said == "y") == is_present for _, _, said in own]
        symbols = [style.symbol + ("" if right else "-open") for right in rights]
        rows.append(
            parts.points(
                f"past-{is_present}",
                f"past rounds: {truth} (filled: you were right)",
                [round(one.output, _GAME_DIGITS) for _, one, _ in own],
                [row] * len(own),
                parts.marker(style, 9) | {"symbol": symbols},
                (
                    f"round {at}: {seen_text(one.output)} C, {truth}; you said "
                    f"{'yes' if said == 'y' else 'no'}"
                    for at, one, said in own
                ),
            )
        )
    return rows


def overlap(part: str, value: NoisedValue) -> Spec:
    """Return the drawing of one noised value before and after it changes, in units of v.

    Each bell is scaled to height 1. Without noise the bells are spikes. ``part`` is ``"context"``
    or ``"forecast"``.
    """
    behind, curves = _spikes(value) if value.sigma == 0.0 else _bells(value)
    bells = [
        parts.line(f"{part}-{name}", name, x, y, style, 2)
        | more
        for (x, y, more), style, name in zip(
            curves, (_FIRST, _SECOND), ("before", "after"), strict=True
        )
    ]  # fmt: skip
    return parts.figure(
        [*behind, *bells],
        overlap_title(part, value),
        # Other noise is another picture, at another scale.
        f"{part}-{value.sigma!r}-{value.distance!r}",
        parts.axis(_VALUE_AXIS[part], zeroline=False),
        {"showticklabels": False, "ticks": "", "showgrid": False},
        hover=False,
        legend="normal",
    )


_Curves = list[tuple[list[Any], list[Any], Part]]


def _bells(value: NoisedValue) -> tuple[list[Part], _Curves]:
    sigma, distance = value.sigma, value.distance
    x = np.linspace(-_TAILS * sigma, distance + _TAILS * sigma, _POINTS)
    # The bells cross here: a point of its own, for the shaded part to end at.
    x = np.union1d(x, [distance / 2.0])
    with np.errstate(over="ignore"):  # the other bell of a tiny noise is infinitely far away
        before = np.exp(-0.5 * (x / sigma) ** 2)
        after = np.exp(-0.5 * ((x - distance) / sigma) ** 2)
    beyond = x >= distance / 2.0
    right, low, high = (json_numbers(one[beyond]) for one in (x, before, after))
    fill = parts.filled_to(_SECOND.role, 0.35)
    shade = parts.area(("shade-from", "shade-to"), "", right, low, high, {"width": 0}, fill)
    return shade, [(json_numbers(x), json_numbers(bell), {}) for bell in (before, after)]


def _spikes(value: NoisedValue) -> tuple[list[Part], _Curves]:
    room = _ROOM_BESIDE_SPIKES * value.distance
    places = [-room, value.distance + room]
    invisible = {"color": parts.color(_FIRST.role, 0)}
    ends = parts.scatter(
        "ends", "lines", places, [0.0, 0.0], line=invisible, showlegend=False
    )  # fmt: skip
    heads = [
        {"mode": "lines+markers", "marker": parts.marker(style, 0) | {"size": [0, 10]}}
        for style in (_FIRST, _SECOND)
    ]
    return [ends], [
        ([place, place], [0.0, 1.0], head)
        for place, head in zip((0.0, value.distance), heads, strict=True)
    ]
