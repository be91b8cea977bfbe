"""What is proven about episodes drawn in stages, and what is printed, as sentences."""

from collections.abc import Callable, Mapping
from math import inf, isinf

from dpviz.guarantees import Kind
from dpviz.multistage import Comparison, StagedDraw, amplified, printed_amplified
from dpviz.multistage.counterexample import WHOLE
from dpviz.multistage.guarantee import PROPOSITIONS, moments_epsilon
from dpviz.planning.curves import SMALLEST_DELTA, ProvenCurve
from dpviz.planning.multistage import STAGED_DELTA, delta_at
from dpviz.wording.markup import markdown_table
from dpviz.wording.numbers import (
    capitalised,
    counted,
    in_full,
    lies_between,
    power_of_ten,
    rounded,
    rounded_down,
    rounded_up,
)

_DELTA = power_of_ten(STAGED_DELTA)
NOT_A_BOUND = "not a bound: the printed theorem is false for fixed numbers of units"
PROTECTED = "one record that another one replaces"
PRESET_NAMES = {"episodes": "5-way 1-shot episodes", "schools": "Schools, classes, pupils"}
PRESET_MEANINGS = {
    "episodes": "5 of 64 classes, then 1 of the 20 examples of each.",
    "schools": "4 of 50 schools, 2 of the 10 classes of each, 3 of the 25 pupils of each class.",
}
_THEOREMS = {
    **PROPOSITIONS,
    "printed": "Theorem 3 of Tombs et al., for one that is inserted or removed",
}
# What the legend calls the lines.
LINE_NAMES = {
    "upper": f"upper bound, all gradients ({PROPOSITIONS['upper']})",
    "lower": f"lower bound, attained ({PROPOSITIONS['lower']})",
    "printed": "UNSOUND, as printed: no bound",
}
# Claims that differ by less are the same but for rounding.
_SAME = 1e-9
_MANY_TIMES = 1_000_000
Lines = Mapping[str, ProvenCurve]


def draws_words(draw: StagedDraw) -> str:
    """Return the levels in words."""
    first, *others = [f"{level.drawn:,} of {level.size:,}" for level in draw.levels]
    return ", then ".join([first, *(f"{other} in each" for other in others)])


def staged_title(lines: Lines, episodes: int, epsilon: float) -> str:
    """Return what the chart shows, as a finding."""
    deltas = {name: delta_at(line, epsilon) for name, line in lines.items()}
    said = (
        f"After {counted(episodes, 'episode')}: δ ≤ {rounded_up(deltas['upper'], 3)} at ε = "
        f"{in_full(epsilon)}"
    )
    is_below = deltas.get("printed", inf) < deltas.get("lower", 0.0)
    return said + ("; the printed theorem claims less than the lower bound" if is_below else "")


def staged_headline(lines: Lines, draw: StagedDraw, episodes: int, epsilon: float) -> str:
    """Return the answer with its scope, as Markdown."""
    upper, attained, printed = delta_at(lines["upper"], epsilon), "", ""
    most = rounded_up(upper)
    nothing = ", which promises nothing," if most == "1" else ""
    if "lower" in lines and (least := delta_at(lines["lower"], epsilon)) >= SMALLEST_DELTA:
        attained = f"; some gradients attain **δ ≥ {rounded_down(least)}** (Proposition 2 there)"
    if "printed" in lines and upper >= SMALLEST_DELTA:  # else both are too small to matter
        claim = _or_below("= ", delta_at(lines["printed"], epsilon), rounded_up)
        if claim != f"= {most}":  # else it claims nothing else
            printed = f" **Not a bound**: δ {claim}, which the printed theorem claims."
    return (
        f"**δ ≤ {most}**{nothing} at ε = {in_full(epsilon)} after "
        f"{counted(episodes, 'episode')} of {draws_words(draw)} (upper bound, "
        f"{PROPOSITIONS['upper']}, composed), for {PROTECTED}{attained}.{printed}"
    )


def staged_description(lines: Lines, draw: StagedDraw, episodes: int, epsilon: float) -> str:
    """Return the chart in words."""
    return (
        f"δ against ε on logarithmic axes, after {counted(episodes, 'episode')} of "
        f"{draws_words(draw)}. {staged_title(lines, episodes, epsilon)}. Lines: "
        f"{'; '.join(LINE_NAMES[name] for name in lines)}."
    )


def staged_finding(draw: StagedDraw, noise_multiplier: float, epsilon: float) -> str:
    """Return rates and the amplified pair of one episode in both readings, as Markdown."""
    sound = amplified(draw, noise_multiplier, epsilon)
    printed = printed_amplified(draw, noise_multiplier, epsilon)
    rates = (
        f"A record is in an episode with probability **η = {rounded(draw.rate, 6)}**; an episode "
        f"has {counted(draw.records, 'record')}."
    )
    if not draw.hides_units:
        below = f"those below, with q = {rounded(draw.inner_rate, 6)}, amplify ε, too"
        if draw.inner_rate == 1.0:
            below = "below it all are drawn (q = 1), which amplifies nothing"
        rates += (
            f" A drawn unit of level {draw.hidden_from} gives several records: the levels down to "
            f"it, drawn with p = {rounded(draw.outer_rate, 6)}, amplify δ alone; {below}."
        )
    proven, claimed = f"≤ {rounded_up(sound.delta)}", _claims(printed.delta, rounded_up)
    rows = [
        ("**proven** (a record is replaced, sensitivity 2 C)", rounded_up(sound.epsilon), proven),
        ("*as printed: unsound* (sensitivity C)", rounded_up(printed.epsilon), claimed),
    ]
    heads = [f"one episode (ε = {in_full(epsilon)} without a draw)", "ε'", "δ'"]
    return f"{rates}\n\n{markdown_table(heads, rows)}"


def comparison_words(draw: StagedDraw, noise_multiplier: float, found: Comparison) -> str:
    """Return one episode's claims beside the truth, as Markdown."""
    attained, corrected = found.attained, found.corrected_distance
    mark, claim, holds = "", f"≤ {rounded_up(corrected)}", "tight"
    if not draw.hides_units:
        mark, claim = " (unsound here)", _claims(corrected)
        holds = "holds for all gradients"
    least, printed = _or_below("≥ ", attained.delta, rounded_down), _claims(found.printed)
    table = [
        ("as printed (unsound)", printed, _verdict(found.printed, attained.delta)),
        (f"the printed formula with 2 C for C{mark}", claim, _verdict(corrected, attained.delta)),
        ("**lower bound, attained**", f"**{least}**", "exact for these gradients"),
        ("**upper bound, proven**", f"**≤ {rounded_up(found.proven)}**", holds),
    ]
    # That of an example follows from others, with all the digits of a double.
    at, sign = rounded(found.epsilon), "≈"
    if at == in_full(found.epsilon):
        sign = "="
    return (
        f"Draw {draws_words(draw)}, σ = {in_full(noise_multiplier)}, at ε {sign} {at}. "
        f"{_gradients(attained.crowd)}\n\n"
        f"{markdown_table(['one episode', 'δ', ''], table)}"
    )


def staged_certificate(lines: Lines) -> str:
    """Return what each line rests on, as a Markdown list."""
    episodes = counted(next(iter(lines.values())).bound.count, "episode")
    said = (
        f"At δ = {_DELTA}, composed over {episodes}, for {PROTECTED} (the printed formula: that is "
        "inserted or removed):"
    )
    return "\n".join([f"{said}\n", *(f"- {_rests_on(*line)}" for line in lines.items())])


def moments_text(draw: StagedDraw, noise_multiplier: float, upper: ProvenCurve) -> str:
    """Return what the moments accountant gives beside our composition, as a Markdown list."""
    count, bracket = upper.bound.count, upper.bracket
    epsilon = moments_epsilon(draw, noise_multiplier, count, STAGED_DELTA)
    if isinf(epsilon) or bracket.high is None:
        return ""
    return (
        "\n- **Moments accountant**, which the paper names, of the same upper bound: "
        f"ε ≤ {rounded_up(epsilon)}, a looser upper bound."
    )


def _claims(delta: float, rounding: Callable[[float], str] = rounded) -> str:
    return f"claims {_or_below('', delta, rounding)}"


def _or_below(sign: str, delta: float, rounding: Callable[[float], str]) -> str:
    """Return a delta, or that it is too small to matter."""
    small = delta < SMALLEST_DELTA
    return f"below {power_of_ten(SMALLEST_DELTA)}" if small else f"{sign}{rounding(delta)}"


_KINDS = {
    Kind.TIGHT: "A bound, tight for one episode",
    Kind.UPPER: "Upper bound",
    Kind.LOWER: "Lower bound, attained",
    Kind.UNPROVEN: capitalised(NOT_A_BOUND),
}


def _rests_on(name: str, line: ProvenCurve) -> str:
    low, high, between = line.bracket.low, line.bracket.high, "no finite ε is certified"
    if line.only_quoted and high is not None:
        between = f"ε ≤ {rounded_up(high, 6)}"
    elif low is not None and high is not None:
        which = "the claimed ε" if name == "printed" else "the exact value of this bound"
        between = f"{which} {lies_between(low, high, 6)}"
    return f"**{_KINDS[line.bound.kind_after_composition]}.** {_THEOREMS[name]}: {between}."


def _verdict(claim: float, attained: float) -> str:
    if attained < SMALLEST_DELTA or claim >= attained * (1.0 - _SAME):
        return "not contradicted by these gradients"
    if claim * _MANY_TIMES < attained:
        return f"**false**: more than {_MANY_TIMES:,} times too small"
    times = rounded_down(attained / claim, 3)
    return f"**false**: {'' if times == '1' else f'{times} times '}too small"


def _gradients(crowd: int) -> str:
    if crowd == WHOLE:
        return (
            "The record's gradient is +C; it is replaced by one of −C, and all other records "
            "have −C, too."
        )
    unit = "primary unit" if crowd == 0 else f"unit of level {crowd + 1}"
    return (
        f"The record's gradient is +C; it is replaced by one of −C, as have the others of its "
        f"{unit}. All other records have +C, so the sum reveals whether it was drawn."
    )
