"""One run against the current one, in a sentence: its noise and epsilon, and why they differ."""

from collections.abc import Callable
from math import isclose

from dpviz.planning import Order, proven_order_at_delta
from dpviz.planning.comparison import (
    ComparedRun,
    are_alike,
    differences,
    in_the_same_terms,
    protect_the_same,
)
from dpviz.wording.comparison_table import hidden_by
from dpviz.wording.differences import pin_label
from dpviz.wording.labels import labelled
from dpviz.wording.numbers import capitalised, rounded, rounded_up
from dpviz.wording.plain import plain

_DIGITS = 4
_RATIO_DIGITS = 3
_MOST_DIGITS = 17  # any two floats differ in these
_ROUNDING = 1e-9
# From here on a ratio is told as "times", below as per cent.
_TIMES = 1.1


def run_sentence(now: ComparedRun, run: ComparedRun) -> str:
    """Return how a run compares with the current one and why, as Markdown.

    That one needs less noise because its batch is larger is arithmetic; what a smaller epsilon
    comes from is told only by naming all that differs.

    Args:
        now: the current run.
        run: another one, at the same delta.
    """
    there = in_the_same_terms(now.scenario, run.scenario)
    name = f"**{capitalised(run.name)}**"
    if not differences(now.scenario, there):
        return f"{name} is the same run as {now.name}."
    return (
        f"{name} ({pin_label(now.scenario, there)}): {_noise_compared(now, run)}; "
        f"{_epsilon_compared(now, run)}."
    )


def _noise_compared(now: ComparedRun, run: ComparedRun) -> str:
    before, after = now.noise_per_gradient, run.noise_per_gradient
    batch = run.scenario.sampling.batch_size / now.scenario.sampling.batch_size
    sigma = run.scenario.noise.noise_multiplier / now.scenario.noise.noise_multiplier
    changes = [
        # Words for what changed, and whether it makes the noise less.
        (f"its batch is {_size(batch)}", batch > 1.0) if batch != 1.0 else None,
        (f"its noise multiplier σ is {_size(sigma)}", sigma < 1.0) if sigma != 1.0 else None,
    ]
    told = [change for change in changes if change is not None]
    if isclose(before, after, rel_tol=_ROUNDING):
        because = f", as {' and '.join(words for words, _ in told)}" if told else ""
        return f"the same noise per averaged gradient as {now.name}{because}"
    is_less = after < before
    then, here = _apart(after, before, rounded_up)
    causes = " and ".join(words for words, lessens in told if lessens is is_less)
    against = "".join(f", although {words}" for words, lessens in told if lessens is not is_less)
    amount, than = _amount(after / before)
    return (
        f"{amount} noise per averaged gradient {than} {now.name} (σ/Λ = {then} instead of {here}) "
        f"because {causes}{against}"
    )


def _epsilon_compared(now: ComparedRun, run: ComparedRun) -> str:
    for one in (run, now):
        if one.refusal:
            return f"no bound covers {one.name} ({plain(labelled(one.refusal)).rstrip('.')})"
    here, there = now.curves, run.curves
    if here is None or there is None:
        return "its ε is being computed …"
    most = run.individuals_epsilon
    if most is None:
        return "no finite ε is proven for it"
    before = now.individuals_epsilon
    if before is None:
        return f"ε ≤ {rounded_up(most)}, where no finite one is proven for {now.name}"
    if not protect_the_same(here, there):
        one_is_limited = bool(here.upper.bound.condition) != bool(there.upper.bound.condition)
        if one_is_limited and here.scenario.relation == there.scenario.relation:
            return _conditions_compared(now, run)
        return (
            f"ε ≤ {rounded_up(most)} for {hidden_by(run)}, which is not what {now.name} "
            f"protects with ε ≤ {rounded_up(before)}: {hidden_by(now)}"
        )
    if most == before:
        return f"the same upper bound, ε ≤ {rounded_up(most)}"
    if are_alike(here, there):
        return (
            f"ε ≤ {rounded_up(most)} and ≤ {rounded_up(before)} for {now.name}, between which no "
            "difference is resolved"
        )
    after, earlier = _apart(most, before, rounded_up)
    verb = "it guarantees a smaller" if most < before else "it guarantees only a larger"
    return f"{verb} ε, ≤ {after} instead of ≤ {earlier}{_order(now, run)}"


def _conditions_compared(now: ComparedRun, run: ComparedRun) -> str:
    """Return how bounds compare of which one needs a condition that the other does not."""
    here, there = now.curves, run.curves
    assert here is not None  # the caller has looked, also at their bounds
    assert there is not None
    after = rounded_up(there.epsilon_upper or 0.0)
    before = rounded_up(here.epsilon_upper or 0.0)
    bounds = f"ε ≤ {after}" + (f", as {now.name}" if after == before else f" instead of ≤ {before}")
    if there.upper.bound.condition:
        return f"{bounds}, but only if {there.upper.bound.condition}"
    return f"{bounds}, without what {now.name} needs: that {here.upper.bound.condition}"


def _order(now: ComparedRun, run: ComparedRun) -> str:
    assert now.curves is not None  # the caller has looked
    assert run.curves is not None
    order = proven_order_at_delta(now.curves, run.curves)
    if order is Order.UNPROVEN:
        return ""
    private, other = (now, run) if order is Order.FIRST else (run, now)
    return f", and **{private.name} is proven more private than {other.name}**"


def _amount(ratio: float) -> tuple[str, str]:
    """Return how much there is, such as "3.2 times less", and the word that goes on."""
    if ratio >= _TIMES:
        return f"{rounded(ratio, _RATIO_DIGITS)} times as much", "as"
    if ratio <= 1.0 / _TIMES:
        return f"{rounded(1.0 / ratio, _RATIO_DIGITS)} times less", "than"
    part = rounded(100.0 * abs(ratio - 1.0), 2)
    return f"{part} % {'more' if ratio > 1.0 else 'less'}", "than"


def _size(ratio: float) -> str:
    if ratio >= _TIMES:
        return f"{rounded(ratio, _RATIO_DIGITS)} times as large"
    if ratio <= 1.0 / _TIMES:
        return f"{rounded(1.0 / ratio, _RATIO_DIGITS)} times smaller"
    return f"{rounded(100.0 * abs(ratio - 1.0), 2)} % {'larger' if ratio > 1.0 else 'smaller'}"


def _apart(
    one: float, other: float, as_text: Callable[[float, int], str] = rounded
) -> tuple[str, str]:
    """Return two different numbers with digits enough to tell them apart."""
    for digits in range(_DIGITS, _MOST_DIGITS):
        first, second = as_text(one, digits), as_text(other, digits)
        if first != second:
            break
    return first, second
