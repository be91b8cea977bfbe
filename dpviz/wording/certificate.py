"""What a number rests on: bound, direction, theorem, relation, unit, bracket, grid."""

from dpviz.guarantees import Kind
from dpviz.planning import ProvenCurve, ScenarioCurves
from dpviz.planning.curves import SecondEpsilon, second_look
from dpviz.wording.numbers import lies_between, power_of_ten, rounded, rounded_down, rounded_up
from dpviz.wording.scope import briefly_protected, caveat_sentences
from dpviz.wording.theorems import composed_units, theorem_link

# Both round up on the same grid; what is left is the library's own rounding, in per cent.
_AGREEMENT = 0.01
_TIGHTNESS = {
    Kind.UPPER: "",
    Kind.LOWER: "Some gradients attain it: no analysis can promise less.",
    Kind.TIGHT: "Tight: some gradients attain the bound's exact value.",
    Kind.UNPROVEN: "As in the paper's figures; proven neither way for more than one unit.",
}


def certificate(curves: ScenarioCurves) -> str:
    """Return what both numbers of a run rest on, as Markdown lists."""
    lower = "**Lower bound.** None is proven for these settings."
    if curves.lower is not None:
        lower = _of_bound("Lower bound", curves, curves.lower)
    protected = f"Protected: {briefly_protected(curves.scenario)}."
    return "\n\n".join([protected, _of_bound("Upper bound", curves, curves.upper), lower])


def second_sentence(curves: ScenarioCurves, side: str) -> str:
    """Return what dp-accounting says, after seconds, of the "upper" or "lower" bound."""
    try:
        return second_answer(curves, side, second_look(curves, side))
    except ValueError as problem:
        return f"dp-accounting cannot check the {side} bound: {problem}."


def second_answer(curves: ScenarioCurves, side: str, look: SecondEpsilon) -> str:
    """Return what dp-accounting says beside dpviz's own bracket, in a sentence."""
    curve = curves.upper if side == "upper" else curves.lower
    assert curve is not None  # there was something to compare with
    said = "no finite ε" if look.epsilon is None else f"ε = {rounded_up(look.epsilon, 6)}"
    sentence = (
        f"**{side.capitalize()} bound by dp-accounting:** {said} at δ = "
        f"{power_of_ten(curves.scenario.delta)} (grid {rounded(look.interval, 2)}, "
        f"{rounded(look.seconds, 2)} s), rounded up and without a bracket."
    )
    bracket = curve.bracket
    if look.epsilon is None or bracket.low is None or bracket.high is None or curve.only_quoted:
        return sentence  # of what is only quoted the other end claims nothing
    if bracket.low <= look.epsilon <= bracket.high:
        return f"{sentence} It lies inside dpviz's bracket."
    if look.epsilon < bracket.low:
        below = 100 * (1 - look.epsilon / bracket.low)
        where, why = f"{rounded(below, 2)} % below", "does not bound its own rounding errors"
    elif bracket.high == 0.0:
        return f"{sentence} dpviz finds 0: the library's grid is too coarse for this."
    elif (above := 100 * (look.epsilon / bracket.high - 1)) < _AGREEMENT:
        return f"{sentence} It agrees with the upper end of dpviz's bracket."
    else:
        where, why = f"{rounded(above, 2)} % above", "rounds up, on a grid that does not adapt"
    return f"{sentence} That is {where} dpviz's bracket: the library {why}."


def _of_bound(title: str, curves: ScenarioCurves, curve: ProvenCurve) -> str:
    bound, low, high = curve.bound, curve.bracket.low, curve.bracket.high
    grid = rounded(curve.interval, 2)
    of_one = f"{'tight ' if bound.kind is Kind.TIGHT else ''}for one {bound.unit.value}"
    if curve is curves.upper:
        quoted = "no finite ε" if high is None else f"ε ≤ {rounded_up(high)}"
    else:
        quoted = "beyond what is resolved" if low is None else f"ε ≥ {rounded_down(low)}"
    facts = [
        f"{theorem_link(bound.theorem)}, {of_one}, composed over {composed_units(bound)}. "
        f"{_TIGHTNESS[bound.kind_after_composition]}".rstrip(),
        f"{_bracket(curve)} (privacy loss grid of {grid} nat{'' if grid == '1' else 's'}).",
        *caveat_sentences(bound),
    ]
    heading = f"**{title}:** {quoted} at δ = {power_of_ten(curves.scenario.delta)}"
    return "\n".join([heading, "", *(f"- {fact}" for fact in facts)])


def _bracket(curve: ProvenCurve) -> str:
    low, high = curve.bracket.low, curve.bracket.high
    if low is None:
        return "No bracket: the value lies beyond what is resolved"
    if curve.only_quoted:
        return "How close this is to its exact value is not computed"
    its = "The computed attack's" if curve.bound.is_of_an_attack else "Its"
    if high is None:
        return f"{its} exact value is above {rounded_down(low, 7)}"
    return f"{its} exact value {lies_between(low, high, 7)}"
