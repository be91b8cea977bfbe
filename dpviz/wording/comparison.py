"""Runs side by side, in sentences: which is the best in what, and why one differs from another."""

from collections.abc import Callable, Sequence
from math import isclose

from dpviz.planning import Order, ScenarioCurves, proven_order_at_delta
from dpviz.planning.comparison import (
    ComparedRun,
    WhyNone,
    are_alike,
    best_epsilon,
    best_noise,
    protect_the_same,
)
from dpviz.planning.differences import differences, in_the_same_terms
from dpviz.wording.comparison_table import hidden_by
from dpviz.wording.differences import pin_label
from dpviz.wording.labels import labelled
from dpviz.wording.numbers import counted, power_of_ten, rounded, rounded_down, rounded_up
from dpviz.wording.plain import plain
from dpviz.wording.protection import conditions, protection_sentence
from dpviz.wording.scope import composed_units, named_theorem

_DIGITS = 4
_RATIO_DIGITS = 3
_MOST_DIGITS = 17  # any two floats differ in these
_ROUNDING = 1e-9
# From here on a ratio is told as "times", below as per cent.
_TIMES = 1.1


def comparison_headline(runs: Sequence[ComparedRun]) -> str:
    """Return which runs have the smallest upper bound on epsilon and the least noise, as Markdown.

    Args:
        runs: the current one first, all at the same delta.

    >>> from dataclasses import replace
    >>> from dpviz.planning import curves_of
    >>> from dpviz.scenario import PRESETS, Noise
    >>> toy = PRESETS["toy"].scenario
    >>> quiet = replace(toy, noise=Noise(noise_multiplier=2.0))
    >>> runs = [ComparedRun(name=name, scenario=run, curves=curves_of(run))
    ...         for name, run in (("now", toy), ("pin A", quiet))]
    >>> comparison_headline(runs).partition(" (")[0]
    'Of these 2 runs, at δ = 10⁻⁷ **pin A has the smallest upper bound on ε: ε ≤ 2.811**'
    """
    delta = power_of_ten(runs[0].scenario.delta)
    count = counted(len(runs), "run")
    verdicts = [_epsilon_verdict(runs), _bags(runs), _noise_verdict(runs)]
    told = " ".join(verdict for verdict in verdicts if verdict)
    return f"Of these {count}, at δ = {delta} {told}"


def run_sentence(now: ComparedRun, run: ComparedRun) -> str:
    """Return how a run compares with the current one and why, as Markdown.

    That one needs less noise because its batch is larger is arithmetic; what a smaller epsilon
    comes from is told only by naming all that differs.

    Args:
        now: the current run.
        run: another one, at the same delta.
    """
    there = in_the_same_terms(now.scenario, run.scenario)
    name = f"**{run.name[:1].upper()}{run.name[1:]}**"
    if not differences(now.scenario, there):
        return f"{name} is the same run as {now.name}."
    return (
        f"{name} ({pin_label(now.scenario, there)}): {_noise_compared(now, run)}; "
        f"{_epsilon_compared(now, run)}."
    )


def comparison_notes(runs: Sequence[ComparedRun]) -> str:
    """Return what the numbers are about and how they are rounded, as Markdown."""
    known = [(run.name, run.curves) for run in runs if run.curves is not None]
    notes = [
        "Upper bounds are rounded up, lower bounds down.",
        "\"Proven\" means that the one run's upper bound lies below the other's lower bound; "
        "where it is not said, only the upper bounds differ.",
    ]
    if known:
        notes.append(protection_sentence(known))
        notes.append(conditions([curves.upper.bound for _, curves in known]))
    noisy = [run.name for run in runs if _has_noise_on_windows(run)]
    if noisy:
        verb = "has" if len(noisy) == 1 else "have"
        notes.append(
            f"The noise per gradient leaves out the noise on context and labels that "
            f"{_listed(noisy)} {verb} besides."
        )
    return " ".join(note for note in notes if note)


def _epsilon_verdict(runs: Sequence[ComparedRun]) -> str:
    best = best_epsilon(runs)
    if not best.names:
        assert best.why_none is not None
        return _NO_BEST_EPSILON[best.why_none]
    first = next(run for run in runs if run.name == best.names[0])
    curves = first.curves
    assert curves is not None  # it has a bound
    winners = [run.curves for run in runs if run.name in best.names and run.curves is not None]
    # Of several that tie, what holds for all.
    most = rounded_up(max(one.epsilon_upper or 0.0 for one in winners))
    bound = curves.upper.bound
    source = f"{named_theorem(bound.theorem)} composed over {composed_units(bound)}"
    if len(winners) > 1:
        return f"**{_listed(best.names)} tie for the smallest upper bound on ε: ε ≤ {most}**."
    return (
        f"**{first.name} has the smallest upper bound on ε: ε ≤ {most}** ({source}; for "
        f"{hidden_by(first)})."
    )


_NO_BEST_EPSILON = {
    WhyNone.ONE_RUN: "there is nothing to compare with.",
    WhyNone.COMPUTING: "bounds on ε are still being computed.",
    WhyNone.NO_BOUND: "**none has a finite upper bound on an individual's ε**.",
    WhyNone.ALL_ALIKE: "**no difference in the upper bounds on ε is resolved**.",
    WhyNone.OTHER_PROTECTION: "**no ε is marked as the best**: the smallest one is for a run "
    "that protects less than another, or on a condition that another does not need.",
}


def _bags(runs: Sequence[ComparedRun]) -> str:
    bags = [run.name for run in runs if run.protects_less]
    if not bags:
        return ""
    return f"The ε of {_listed(bags)} is for one window of a bag only and takes no part in this."


def _noise_verdict(runs: Sequence[ComparedRun]) -> str:
    best = best_noise(runs)
    if best.why_none is WhyNone.ALL_ALIKE:
        return "All have the same noise per averaged gradient."
    if not best.names:
        return ""
    least = next(run.noise_per_gradient for run in runs if run.name == best.names[0])
    verb = "has" if len(best.names) == 1 else "have"
    names = _listed(best.names)
    return (
        f"**{names[:1].upper()}{names[1:]} {verb} the least noise per averaged gradient: "
        f"σ/Λ = {rounded(least)}** clipping norms."
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
    then, here = _apart(after, before)
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
    if run.protects_less:
        return _bag_compared(now, run)
    most = run.individuals_epsilon
    if most is None:
        return "no finite ε is proven for it"
    if now.protects_less:
        proven = _is_proven(there, here)
        than = f", **proven more private for an individual than {now.name}**" if proven else ""
        return (
            f"ε ≤ {rounded_up(most)} for {hidden_by(run)}, where the bound of {now.name} is "
            f"for one window only{than}"
        )
    before = now.individuals_epsilon
    if before is None:
        return f"ε ≤ {rounded_up(most)}, where no finite one is proven for {now.name}"
    if not protect_the_same(here, there):
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


def _bag_compared(now: ComparedRun, run: ComparedRun) -> str:
    bag, here = run.curves, now.curves
    assert bag is not None  # the caller has looked
    assert here is not None
    most, least = bag.epsilon_upper, bag.epsilon_lower
    told = "no finite ε is proven" if most is None else f"ε ≤ {rounded_up(most)}"
    said = f"{told} for one window only, which says nothing about an individual"
    if least:
        said += f": for one at least ε = {rounded_down(least)} is true of some model"
    if _is_proven(here, bag):
        said += f", so that **{now.name} is proven more private for an individual**"
    return said


def _is_proven(first: ScenarioCurves, second: ScenarioCurves) -> bool:
    same = protect_the_same(first, second)
    return same and proven_order_at_delta(first, second) is Order.FIRST


def _order(now: ComparedRun, run: ComparedRun) -> str:
    assert now.curves is not None  # the caller has looked
    assert run.curves is not None
    order = proven_order_at_delta(now.curves, run.curves)
    if order is Order.UNPROVEN:
        return ""
    private, other = (now, run) if order is Order.FIRST else (run, now)
    return f", and **{private.name} is proven more private than {other.name}**"


def _has_noise_on_windows(run: ComparedRun) -> bool:
    noise = run.scenario.noise
    return noise.context_noise > 0.0 or noise.forecast_noise > 0.0


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


def _listed(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
