"""Delta of simulated attacks and of draws in stages against epsilon, and delta over steps."""

from collections.abc import Sequence

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.figures import parts
from dpviz.figures.parts import LOWER_WIDTH, STYLES, UPPER_WIDTH, Part, Spec, Style, json_numbers
from dpviz.planning.curves import EPSILON_GRID
from dpviz.planning.over_steps import DeltaOverSteps, DeltaSide
from dpviz.planning.simulated_attack import TESTED_EPSILONS, TheoryCheck, nearest_place
from dpviz.wording.multistage import LINE_NAMES, Lines
from dpviz.wording.numbers import counted, in_full, power_of_ten, rounded, rounded_down, rounded_up
from dpviz.wording.subsequences import epsilon_text, scenario_label
from dpviz.wording.theorems import bound_label, qualified_label
from dpviz.wording.theory_check import CONJECTURE, bound_names

_BOUND, _SEEN = STYLES[0], STYLES[1]
# Drawn before what is the last to be seen.
_DECADES = 3.0
_SHOWN = (-1, 1)  # powers of ten of epsilon that are drawn in any case
_SMALLEST_DELTA, _SMALLEST_EPSILON = 1e-12, 1e-4
# Style, dash, width, and what a line says its delta is.
_UPPER = (_BOUND, "solid", UPPER_WIDTH, "δ ≤")
_LOWER = (_BOUND, "solid", LOWER_WIDTH, "δ ≥")
_LOOKS = {
    "upper": _UPPER,
    "lower": _LOWER,
    "conjecture": (STYLES[2], STYLES[2].dash, LOWER_WIDTH + 0.5, "conjectured: δ ="),
    "printed": (STYLES[1], "longdashdot", 2.0, "claimed, not proven: δ ="),
}


def theory_check_chart(check: TheoryCheck, epsilon: float, *, identity: str) -> Spec:
    """Return the chart: the band of what was seen, the lines of what is proven or conjectured."""
    floor = 1.0 / check.runs  # below it so few runs show nothing
    window = _window(check, floor)
    marked = float(TESTED_EPSILONS[nearest_place(epsilon)])
    curves, names = check.curves, bound_names(check)
    known = [("upper", names[0], curves.epsilon, curves.upper.delta_high)]
    if curves.lower is not None:
        known.append(("lower", names[1], curves.epsilon, curves.lower.delta_low))
    if check.conjecture is not None:
        known.append(("conjecture", CONJECTURE, EPSILON_GRID, check.conjecture))
    lines = [_line(*one, window, floor) for one in known]
    for line in lines:  # of one line the upper bound's entry says both
        line["showlegend"] = line["uid"] != "lower" or not names[0].endswith(names[1])
    data = [
        one | {"meta": {"short": _on_a_phone(one)}}
        for one in (*_band(check, floor, window), *lines)
    ]
    title = "δ against ε: simulated attack and bounds"
    deltas = {"dtick": 1, "minallowed": float(np.log10(floor))}
    return _figure(data, title, identity, marked, window, deltas)


def _on_a_phone(trace: Part) -> str | None:
    """Return what a phone's legend calls a trace: five whole names leave its chart no room."""
    source, _, said = str(trace.get("name", "")).partition(": ")
    return (said if trace["uid"] == "estimate" else source) or None


def staged_chart(lines: Lines, episodes: int, epsilon: float, *, identity: str) -> Spec:
    """Return the chart of those lines that are known; delta is told at ``epsilon``."""
    seen = [
        float(np.max(one.epsilon, where=one.delta >= _SMALLEST_DELTA, initial=0.0))
        for one in lines.values()
    ]
    right = max(_SMALLEST_EPSILON, *seen)
    window = _whole_decades(max(_SMALLEST_EPSILON, min(right / 10.0**_DECADES, epsilon)), right)
    data = [
        _line(name, LINE_NAMES[name], one.epsilon, one.delta, window, _SMALLEST_DELTA)
        for name, one in lines.items()
    ]
    title = f"δ against ε after {counted(episodes, 'episode')}"
    return _figure(data, title, identity, epsilon, window)


def _figure(
    data: list[Part],
    title: str,
    identity: str,
    marked: float,
    window: tuple[float, float],
    deltas: Part | None = None,
) -> Spec:
    scale = parts.tiers(*window)
    mark = [parts.upright(marked)] if window[0] <= marked <= window[1] else []
    return parts.figure(
        data,
        title,
        identity,
        parts.log_axis("ε (privacy loss)", dtick=1, range=[float(np.log10(end)) for end in window]),
        parts.log_axis(parts.DELTA_AXIS, **(deltas or {})),
        legend="normal",
        shapes=[*scale["shapes"], *mark],
        annotations=scale["annotations"],
    )


def _whole_decades(left: float, right: float) -> tuple[float, float]:
    low, high = parts.decades((left, right), _SHOWN)
    return float(f"1e{low}"), float(f"1e{high}")


def _line(
    uid: str,
    name: str,
    epsilons: FloatArray,
    deltas: FloatArray,
    window: tuple[float, float],
    floor: float,
) -> Part:
    style, dash, width, sign = _LOOKS[uid]
    rounding = rounded_down if uid == "lower" else rounded_up
    drawn = (epsilons >= window[0]) & (epsilons <= window[1])
    epsilon, delta = epsilons[drawn], deltas[drawn]
    text = [
        f"ε = {rounding(at, 3)}: {sign} {rounding(value, 3)}"
        for at, value in zip(epsilon.tolist(), delta.tolist(), strict=True)
    ]
    x, y = json_numbers(epsilon), parts.numbers_from(floor, delta)
    told: Part = {"text": text, "hovertemplate": f"%{{text}}<br>{name}<extra></extra>"}
    return parts.line(uid, name, x, y, style, width, dash=dash, **told)


def _window(check: TheoryCheck, floor: float) -> tuple[float, float]:
    seen = [check.upper >= floor, check.band.low > 0.0]
    if check.lower is not None:
        seen.append(check.lower >= floor)
    drawn = TESTED_EPSILONS[np.logical_or.reduce(seen)]
    last = float(drawn[-1]) if len(drawn) else 0.0
    smallest = float(TESTED_EPSILONS[1])
    return _whole_decades(max(last / 10.0**_DECADES, smallest), last)


def _band(check: TheoryCheck, floor: float, window: tuple[float, float]) -> list[Part]:
    drawn = (window[0] <= TESTED_EPSILONS) & (window[1] >= TESTED_EPSILONS)
    tested, band = TESTED_EPSILONS[drawn], check.band
    low, high, estimate = band.low[drawn], band.high[drawn], band.estimate[drawn]
    x = json_numbers(tested)
    edge, fill = parts.stroke(_SEEN, 1), parts.filled_to(_SEEN.role, 0.22)
    name = "simulated attack: where its δ lies (95 %, all ε together)"
    # What reaches down to 0 has no end on this axis, and none is drawn: it leaves the chart.
    bottom, top = (json_numbers(np.maximum(side, floor / 10.0)) for side in (low, high))
    texts = (
        f"ε = {in_full(at)}: simulated δ from {rounded_down(below, 3)} to "
        f"{rounded_up(above, 3)}, counted {rounded(max(value, 0.0), 3)}"
        for at, below, above, value in np.stack([tested, low, high, estimate], axis=1).tolist()
    )
    area = parts.area(("band-low", "band-high"), name, x, bottom, top, edge, fill)
    counts, look = parts.numbers_from(floor, estimate), parts.marker(_SEEN, 6)
    return [*area, parts.points("estimate", "simulated attack: counted", x, counts, look, texts)]


# Bands of more runs cover each other: then only the first one has one.
_MOST_FILLED = 3


def over_steps(places: Sequence[DeltaOverSteps | None]) -> Spec:
    """Return the chart: for each run stairs of its upper and lower bound.

    Delta changes at whole steps only. Between steps that are not drawn the upper line takes the
    value of the later and the lower line that of the earlier one, so that both stay true there.
    The runs are of the same epsilon and steps; ``None`` stands for one that is still to come.
    """
    pairs = [
        (run, style)
        for run, style in zip(places, STYLES[: len(places)], strict=True)
        if run is not None
    ]
    runs = [run for run, _ in pairs]
    epsilon, excuse = epsilon_text(runs[0].epsilon), []
    if not any(np.any(run.upper.delta_high >= _SMALLEST_DELTA) for run in runs):
        told = f"δ is below {power_of_ten(_SMALLEST_DELTA)} after every one of these steps"
        excuse.append(parts.middle_note(told, y=0.6))
    traces = []
    for run, style in reversed(pairs):
        upper = _steps_line(run, run.upper, style, str(run.scenario.sampling.num_subsequences))
        if run.lower is not None:
            name = f"{scenario_label(run.scenario)}, lower bound"
            traces.append(_steps_line(run, run.lower, style, name) | {"showlegend": False})
            if len(places) <= _MOST_FILLED or run is runs[0]:
                upper |= parts.filled_to(style.role, 0.12)
        traces.append(upper)
    return parts.figure(
        traces,
        f"δ at ε = {epsilon} over training steps",
        "over-steps",
        parts.axis(
            "training steps",
            type="linear" if runs[0].are_consecutive else "log",
            tickformat=",d",
            unifiedhovertitle={"text": "After %{x} steps"},
        ),
        parts.log_axis(f"δ at ε = {epsilon} (failure probability)"),
        hover="x unified",
        legend=parts.titled_legend("Windows per series λ", traceorder="reversed"),
        meta={"leavesGhost": True, "legend": "under"},
        annotations=excuse,
    )


def _steps_line(run: DeltaOverSteps, side: DeltaSide, style: Style, name: str) -> Part:
    upper, label = side is run.upper, scenario_label(run.scenario)
    delta = side.delta_high if upper else side.delta_low
    sign, rounding = ("≤", rounded_up) if upper else ("≥", rounded_down)
    named, width, dots = ("upper", UPPER_WIDTH, 7) if upper else ("lower", LOWER_WIDTH, 4)
    steps, y = run.steps.tolist(), parts.numbers_from(_SMALLEST_DELTA, delta)
    texts = (
        f"after {counted(step, 'step')}: δ {sign} {rounding(value, 3)} with {label}<br>"
        f"{qualified_label(bound) if upper else bound_label(bound)}"
        for step, value, bound in zip(steps, delta.tolist(), side.bounds, strict=True)
    )
    line = parts.line(f"{style.role}-{named}", name, steps, y, style, width, texts, dots=dots)
    line["line"]["shape"] = "vh" if upper and not run.are_consecutive else "hv"
    return line | {"legendgroup": style.role}
