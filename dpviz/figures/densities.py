"""Distributions: a step's outputs, the guessing game's, one noised value's, and of hits."""

from collections.abc import Sequence

import numpy as np

from dpviz.figures import parts
from dpviz.figures.parts import STYLES, Part, Spec, json_numbers
from dpviz.planning.hit_laws import HitLaw
from dpviz.planning.label_noise import NoisedValue
from dpviz.planning.membership_game import Game
from dpviz.planning.step_outputs import StepOutputs, densities, outcomes_to_draw
from dpviz.wording.batch_drawing import outputs_title
from dpviz.wording.hit_laws import hits_title, windows_label
from dpviz.wording.label_noise import overlap_title
from dpviz.wording.membership_game import seen_text
from dpviz.wording.numbers import counted, rounded

_FIRST, _SECOND = STYLES[0], STYLES[1]
_OUTPUT = "summed noisy gradient, in clipping norms C"
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
    x, lowest = json_numbers(_short(outcomes)), json_numbers(_short(np.minimum(*curves)))
    look: Part = {"fill": "tozeroy", "fillcolor": "var(--target@0.25)", "line": {"width": 0}}
    common = parts.scatter(
        "common", "lines", x, lowest, name="common part", hoverinfo="skip", **look
    )
    told = "output %{x:.3g} C: density %{y:.3g} / C<extra></extra>"
    lines = [
        parts.line(
            f"density-{at}", name, x, json_numbers(_short(curve)), style, 2, hovertemplate=told
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
    """Return the chart; ``answers`` has ``y`` or ``n`` for each round that was played."""
    outputs = [one.output for one in game.rounds]
    x = outcomes_to_draw(game.pair)
    x = np.union1d(x, [min(x[0], *outputs), max(x[-1], *outputs)])
    present, absent = densities(game.pair, x)
    top = float(max(present.max(), absent.max()))
    lines = []
    for uid, name, style, values in (
        ("present", "value in the data", _FIRST, present),
        ("absent", "value not in the data", _SECOND, absent),
    ):
        across, up = (json_numbers(np.round(one, _GAME_DIGITS)) for one in (x, values / top))
        told = f"%{{x:.2f}} C: {name}, %{{y:.3f}}<extra></extra>"
        lines.append(parts.line(uid, name, across, up, style, 2.5, hovertemplate=told))
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
        own.sort(key=lambda one: (one[2] == "y") != is_present)  # the legend shows the first one
        rights = [(said == "y") == is_present for _, _, said in own]
        symbols = [style.symbol + ("" if right else "-open") for right in rights]
        texts = (
            f"round {at}: {seen_text(one.output)} C, {truth}; you said "
            f"{'yes' if said == 'y' else 'no'}"
            for at, one, said in own
        )
        x, y = [round(one.output, _GAME_DIGITS) for _, one, _ in own], [row] * len(own)
        name = f"past rounds: {truth} (filled: you were right)"
        look = parts.marker(style, 9) | {"symbol": symbols}
        rows.append(parts.points(f"past-{is_present}", name, x, y, look, texts))
    return rows


def overlap(part: str, value: NoisedValue) -> Spec:
    """Return the drawing of one noised value before and after it changes, in units of v.

    Each bell is scaled to height 1. Without noise the bells are spikes. ``part`` is ``"context"``
    or ``"forecast"``.
    """
    shapes = _spikes(value) if value.sigma == 0.0 else _bells(value)
    *behind, before, after = shapes
    named = [
        shape | {"uid": f"{part}-{name}", "name": name}
        for shape, name in ((before, "before"), (after, "after"))
    ]
    return parts.figure(
        [*behind, *named],
        overlap_title(part, value),
        # Other noise is another picture, at another scale.
        f"{part}-{value.sigma!r}-{value.distance!r}",
        parts.axis(_VALUE_AXIS[part], zeroline=False),
        {"showticklabels": False, "ticks": "", "showgrid": False},
        hover=False,
        legend="normal",
    )


def _bells(value: NoisedValue) -> list[Part]:
    """Return the edges of what is shaded, and the two bells."""
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
    return shade + [
        parts.line("", "", json_numbers(x), json_numbers(bell), style, 2)
        for bell, style in ((before, _FIRST), (after, _SECOND))
    ]


def _spikes(value: NoisedValue) -> list[Part]:
    """Return what gives the axis room, and the two spikes."""
    room = _ROOM_BESIDE_SPIKES * value.distance
    places, invisible = [-room, value.distance + room], {"color": parts.color(_FIRST.role, 0)}
    ends = parts.scatter("ends", "lines", places, [0.0, 0.0], line=invisible, showlegend=False)
    spikes = [
        parts.line("", "", [place, place], [0.0, 1.0], style, 2, dots=1)
        for place, style in ((0.0, _FIRST), (value.distance, _SECOND))
    ]
    for spike in spikes:
        spike["marker"]["size"] = [0, 10]  # a head alone
    return [ends, *spikes]


# Rarer counts would only stretch the axes: they weigh less than the smallest delta told.
SMALLEST_WEIGHT = 1e-12
_MOST_TICKS = 16
# More lie too close together to be told apart, and would be sent with every move.
_MOST_COUNTS = 250


def hit_weights(laws: Sequence[HitLaw]) -> Spec:
    """Return the chart of one law for each number of windows per series; see below."""
    named = [(windows_label(law.windows), law) for law in laws]
    chart = hit_counts_chart(named, title=hits_title(laws), identity="hit-weights")
    # The same words on each line of the legend would leave a phone no room for the plot.
    chart["layout"]["legend"]["title"] = {"text": "Windows per series λ", "side": "top"}
    for trace, law in zip(chart["data"], laws, strict=True):
        trace["name"] = f"{law.windows:,}"
    return chart


def hit_counts_chart(named: Sequence[tuple[str, HitLaw]], *, title: str, identity: str) -> Spec:
    """Return the chart: the probability of 0, 1, 2, ... hits, with a style for each law.

    Points, not bars, as a logarithmic axis has no zero for bars to stand on. There are at most as
    many laws as styles, which they take in order.
    """
    styles = STYLES[: len(named)]
    traces = []
    for (label, law), style in zip(named, styles, strict=True):
        shown = np.flatnonzero(law.weights >= SMALLEST_WEIGHT)
        # From the first to the last count that is shown; rarer ones between them are gaps.
        counts = np.arange(shown[0], shown[-1] + 1)
        counts = counts[:: -(-len(counts) // _MOST_COUNTS)]
        weights = law.weights[counts]
        text = [
            f"{counted(hits, 'hit')}: probability {rounded(weight, 4)}"
            for hits, weight in zip(counts.tolist(), weights.tolist(), strict=True)
        ]
        chances = parts.numbers_from(SMALLEST_WEIGHT, weights)
        line = parts.line(f"{style.role}-hits", label, counts.tolist(), chances, style, 1, dots=9)
        told = {"text": text, "hovertemplate": f"%{{text}}, {label}<extra></extra>"}
        traces.append(line | told)
    most = max(trace["x"][-1] for trace in traces) - min(trace["x"][0] for trace in traces)
    place = "the step that uses the series" if named[0][1].in_its_step else "one batch"
    return parts.figure(
        traces,
        title,
        identity,
        parts.axis(
            f"hits in {place}",
            tickformat="d",
            zeroline=False,
            unifiedhovertitle={"text": "%{x} of the individual's windows"},
            **({"dtick": 1} if most <= _MOST_TICKS else {}),
        ),
        parts.log_axis("probability", dtick=2),
        hover="x unified",
        legend={"x": 0.99, "y": 0.98, "xanchor": "right", "yanchor": "top"},
        meta={},
    )
