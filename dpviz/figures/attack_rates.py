"""What an attacker gains: hits against false alarms, and beliefs before and after."""

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.figures import parts
from dpviz.figures.parts import LOWER_WIDTH, STYLES, UPPER_WIDTH, Part, Spec, Style
from dpviz.planning.attack_rates import DRAWN_RATES, BoundedRates, pair_hits
from dpviz.wording.attack_rates import (
    Told,
    claim_at_most,
    outcome_at_most,
    percent,
    posterior_title,
)
from dpviz.wording.numbers import percent_down, percent_up, power_of_ten, rounded_up
from dpviz.wording.people import PEOPLE, Odds, accused, people_keys
from dpviz.wording.scope import run_length
from dpviz.wording.theorems import qualified_label

_CURVE, _PAIR = STYLES[0], STYLES[1]
_NO_ATTACK = Style(role="target", dash="dot", symbol="circle")
# The same places serve beliefs: dense near 0; and mirrored, near 1.
_BELIEFS = np.unique([*DRAWN_RATES, *(1.0 - DRAWN_RATES)])
_PRIORS: list[float] = _BELIEFS[(_BELIEFS > 0.0) & (_BELIEFS < 1.0)].tolist()
# The last label, 100 %, makes room for itself.
_SHARE = {"tickformat": ".0%", "hoverformat": ".4~%", "ticklabeloverflow": "allow"}


def trade_off_chart(told: Told, *, is_log: bool) -> Spec:
    """Return the chart: at most, at least, what one pair allows, and what guessing achieves."""
    upper, lower, rates = told.rates.upper, told.rates.lower, told.rates.rates
    drawn = rates > 0.0 if is_log else rates >= 0.0

    def line(uid: str, name: str, style: Style, hits: FloatArray, texts: list[str]) -> Part:
        kept = [text for text, keep in zip(texts, drawn, strict=True) if keep]
        return parts.line(uid, name, rates[drawn].tolist(), hits[drawn].tolist(), style, 2, kept)

    def bound_line(name: str, side: BoundedRates, *, is_upper: bool) -> Part:
        shown, words = (percent_up, "at most") if is_upper else (percent_down, "at least")
        texts = [f"{words} {shown(one)} ({qualified_label(side.bound)})" for one in side.hits]
        uid = f"{_CURVE.role}-{'upper' if is_upper else 'lower'}"
        drawing = line(uid, name, _CURVE, side.hits, texts)
        drawing["line"] |= {"width": UPPER_WIDTH if is_upper else LOWER_WIDTH}
        return drawing

    guesses = line("target-upper", "guessing", _NO_ATTACK, rates, ["guessing"] * len(rates))
    lines = [guesses | {"hoverinfo": "skip"}]
    if (epsilon := told.curves.epsilon_upper) is not None:
        delta = told.rates.scenario.delta
        hits = pair_hits(epsilon, delta, rates)
        name = f"ε = {rounded_up(epsilon)}, δ = {power_of_ten(delta)} alone"
        texts = [f"this pair alone allows {percent_up(one)}" for one in hits]
        lines.append(line(f"{_PAIR.role}-upper", name, _PAIR, hits, texts))
    if lower is not None:
        lines.append(bound_line("some attacker, at least", lower, is_upper=False))
    top = bound_line("any attacker, at most", upper, is_upper=True)
    lines.append(top if lower is None else top | parts.filled_to(_CURVE.role))
    most, _ = told.hits
    axis: Part = _SHARE
    if is_log:
        power = {"type": "log", "exponentformat": "power", "dtick": 1}
        axis = power | {"hoverformat": _SHARE["hoverformat"]}
    return _figure(
        [*lines, _mark(told.rate, most, is_left=told.rate < 0.3)],
        f"Hits against false alarms after {run_length(told.rates.scenario)}",
        f"trade-off-{'log' if is_log else 'linear'}",
        "False alarms (false positive rate)",
        "Hits (true positive rate)",
        "At %{x} false alarms",
        axis,
    )


def beliefs_chart(told: Told) -> Spec:
    """Return the chart of beliefs: after a claim, after any outcome, and without an attack."""

    def line(name: str, style: Style, beliefs: list[float], words: str) -> Part:
        texts = [f"{words} {percent_up(belief)}" for belief in beliefs]
        return parts.line(style.role, name, _PRIORS, beliefs, style, 2, texts)

    unchanged = {"hoverinfo": "skip", "hovertemplate": None}
    lines = [line("no attack", _NO_ATTACK, _PRIORS, "") | unchanged]
    anything = [outcome_at_most(told, prior) for prior in _PRIORS]
    known = [belief for belief in anything if belief is not None]
    if len(known) == len(_PRIORS):
        name = f"any outcome, except with probability δ = {power_of_ten(told.rates.scenario.delta)}"
        lines.append(line(name, _PAIR, known, "after any outcome at most"))
    claims = [claim_at_most(told, prior) for prior in _PRIORS]
    name = f"after a claim, at {percent(told.rate)} false alarms"
    lines.append(line(name, _CURVE, claims, "after a claim at most"))
    belief = claim_at_most(told, told.prior)
    return _figure(
        [*lines, _mark(told.prior, belief, is_left=told.prior < 0.5)],
        posterior_title(told),
        "beliefs",
        "Belief beforehand",
        "Belief afterwards",
        "%{x} beforehand",
        {**_SHARE, "range": [0.0, 1.0]},
    )


def _mark(x: float, y: float, *, is_left: bool) -> Part:
    place = "bottom right" if is_left else "bottom left"
    return parts.mark("told", x, y, parts.marker(_CURVE, 10), f"≤ {percent_up(y)}", place)


def _figure(
    data: list[Part], title: str, identity: str, x_title: str, y_title: str, hover: str, axis: Part
) -> Spec:
    across = parts.axis(x_title, unifiedhovertitle={"text": hover}, **axis)
    up, mode = parts.axis(y_title, **axis), "x unified"
    return parts.figure(data, title, identity, across, up, hover=mode, legend="reversed")


_SIDE = 10
_GAP = 3
_KEYS_TOP = -_SIDE - 1.0  # what the marks stand for: under the people
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
        f"{PEOPLE} in the data: at most {odds.told_at_most} found",
        f"{PEOPLE} others: {accused(odds.rate)} accused",
    )
    notes = [
        parts.note(title, _SIDE / 2 - 0.5 + at * (_SIDE + _GAP), 0.4, ("center", "bottom"))
        for at, title in enumerate(titles)
    ]
    drawn = {one["uid"]: one for one in marks if one["x"]}
    keys, words = [], people_keys(odds)
    # One more mark of each kind that is drawn, under its crowd, and what it stands for.
    for uids, left in ((("found", "perhaps"), 0), (("accused",), _SIDE + _GAP)):
        for row, uid in enumerate(uid for uid in uids if uid in drawn):
            y = _KEYS_TOP - row
            keys.append(parts.mark(f"key-{uid}", left, y, drawn[uid]["marker"]))
            notes.append(parts.note(words[uid], left + 0.6, y, ("left", "middle")))
    hidden = {"visible": False, "fixedrange": True}
    return parts.figure(
        [*drawn.values(), *keys],
        "",
        "people",
        parts.axis("", range=[-1.5, 2 * _SIDE + _GAP + 0.5], **hidden),
        parts.axis("", range=[_KEYS_TOP - 1.6, 1.6], **hidden),
        annotations=notes,
        showlegend=False,
        meta={},
        margin={"t": 28, "b": 4, "l": 4, "r": 4},
    )


def _people(
    uid: str, name: str, which: range, column: int, style: Style, density: float | None = None
) -> Part:
    x = [at % _SIDE + column * (_SIDE + _GAP) for at in which]
    y = [-(at // _SIDE) - 0.5 for at in which]
    look = {"color": parts.color(style.role, density), "symbol": style.symbol, "size": 11}
    if density is not None:
        look["line"] = {"color": parts.color(style.role), "width": 1.5}
    return parts.points(uid, name, x, y, look, [name] * len(x))
