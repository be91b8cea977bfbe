"""Runs side by side, in sentences: which is the best in what, and how each differs from now."""

from collections.abc import Sequence
from dataclasses import replace
from math import isclose

from dpviz.planning import Order, proven_order_at_delta
from dpviz.planning.comparison import (
    ComparedRun,
    WhyNone,
    are_about_as_large,
    are_alike,
    best_epsilon,
    best_noise,
    covers,
    differences,
    in_the_same_terms,
)
from dpviz.wording.comparison_table import condition_of, hidden_by
from dpviz.wording.differences import pin_label
from dpviz.wording.markup import plain
from dpviz.wording.numbers import (
    capitalised,
    counted,
    digits_that_tell_apart,
    joined,
    listed,
    number_rounded_up,
    power_of_ten,
    rounded,
    rounded_up,
    times_as,
)
from dpviz.wording.scope import conditions, protection_sentence
from dpviz.wording.setting_values import labelled
from dpviz.wording.theorems import composed_source

_ROUNDING = 1e-9
# From here on a ratio is told as "times", below as per cent.
_TIMES = 1.1


def run_sentence(now: ComparedRun, run: ComparedRun) -> str:
    """Return how a run compares with the current one and why, as Markdown.

    That one needs less noise because its batch is larger is arithmetic; what a smaller epsilon
    comes from is told only by naming all that differs.
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
    batch = run.scenario.mean_batch_size / now.scenario.mean_batch_size
    sigma = run.scenario.noise.noise_multiplier / now.scenario.noise.noise_multiplier
    # Words for what changed, and whether it makes the noise less.
    sizes = "large", "larger", "smaller"
    told = []
    if not isclose(batch, 1.0, rel_tol=_ROUNDING):
        mean = run.scenario.mean_batch_size
        many = f", {rounded(mean)} windows on average," if run.scenario.sampling.has_bins else ""
        told.append((f"its batch{many} is {_in_words(batch, *sizes)}", batch > 1.0))
    if sigma != 1.0:
        told.append((f"its noise multiplier σ is {_in_words(sigma, *sizes)}", sigma < 1.0))
    then, here = rounded_up(after), rounded_up(before)
    if then == here:  # to the digits that are told
        because = f", as {' and '.join(words for words, _ in told)}" if told else ""
        return f"the same noise per averaged gradient as {now.name}{because}"
    is_less, ratio = after < before, after / before
    causes = " and ".join(words for words, lessens in told if lessens is is_less)
    against = "".join(f", although {words}" for words, lessens in told if lessens is not is_less)
    amount = _in_words(ratio, "much", "more", "less")
    than = "than" if amount.endswith(("more", "less")) else "as"
    return (
        f"{amount} noise per averaged gradient {than} {now.name} ({then} instead of {here}) "
        f"because {causes}{against}"
    )


def _epsilon_compared(now: ComparedRun, run: ComparedRun) -> str:
    for one in (run, now):
        if one.refusal:
            return f"no bound covers {one.name} ({plain(labelled(one.refusal)).rstrip('.')})"
    here, there = now.curves, run.curves
    if here is None or there is None:
        lacking = run if there is None else now
        why = "costs too much to compute here" if lacking.is_left_out else "is being computed"
        return f"ε of {lacking.name} {why}"
    most, before = run.individuals_epsilon, now.individuals_epsilon
    if most is None:
        return "no finite ε is proven for it"
    if before is None:
        return f"ε ≤ {rounded_up(most)}, where no finite one is proven for {now.name}"
    if not (covers(here, there) and covers(there, here)):
        one_is_limited = bool(here.upper.bound.condition) != bool(there.upper.bound.condition)
        # v and channels are of effect for the limited one alone.
        relations = {
            replace(one.scenario.relation, max_change=None, num_channels=1) for one in (here, there)
        }
        if one_is_limited and len(relations) == 1:
            return _conditions_compared(now, run)
        return (
            f"ε ≤ {rounded_up(most)} for {hidden_by(run)}, which is not what {now.name} "
            f"protects with ε ≤ {rounded_up(before)}: {hidden_by(now)}"
        )
    needed = condition_of(run)  # now needs the same
    if most == before:
        return f"the same upper bound, ε ≤ {rounded_up(most)}{needed}"
    if are_alike(here, there):
        return (
            f"ε ≤ {rounded_up(most)} and ≤ {rounded_up(before)} for {now.name}{needed}, between "
            "which no difference is resolved"
        )
    after, earlier = _apart(most, before)
    verb = "it guarantees a smaller" if most < before else "it guarantees only a larger"
    if are_about_as_large(here, there):
        verb = "it guarantees about as large an"
    told = f"{verb} ε, ≤ {after} instead of ≤ {earlier}{needed}"
    order = proven_order_at_delta(here, there)
    if order is Order.UNPROVEN:
        return told
    private, other = (now, run) if order is Order.FIRST else (run, now)
    return f"{told}, and **{private.name} is provably more private than {other.name}**"


def _conditions_compared(now: ComparedRun, run: ComparedRun) -> str:
    """Return how bounds compare of which one needs a condition that the other does not."""
    after = rounded_up(run.individuals_epsilon or 0.0)
    before = rounded_up(now.individuals_epsilon or 0.0)
    bounds = f"ε ≤ {after}" + (f", as {now.name}" if after == before else f" instead of ≤ {before}")
    if of_now := condition_of(now):
        return f"{bounds}, without what {now.name} needs: that{of_now.removeprefix(', if')}"
    return f"{bounds}, but only{condition_of(run).removeprefix(',')}"


def _in_words(ratio: float, much: str, more: str, less: str) -> str:
    """Return a ratio in words of a quantity, such as "3.2 times as much" or "5 % less"."""
    if not 1.0 / _TIMES < ratio < _TIMES:
        return times_as(ratio, much)
    return f"{rounded(100.0 * abs(ratio - 1.0), 2)} % {more if ratio > 1.0 else less}"


def _apart(one: float, other: float) -> tuple[str, str]:
    """Return two different numbers, rounded up, with digits enough to tell them apart."""
    digits = digits_that_tell_apart((one, other), rounded_up)
    return rounded_up(one, digits), rounded_up(other, digits)


_NO_BEST_EPSILON = {
    WhyNone.ONE_RUN: "there is nothing to compare with.",
    WhyNone.COMPUTING: "some bounds on ε are still being computed.",
    WhyNone.LEFT_OUT: "some bounds on ε are coarse or lacking: they cost too much here.",
    WhyNone.NO_BOUND: "**none has a finite upper bound on an individual's ε**.",
    # Some of them may be resolved from each other: those that are told with the same digits.
    WhyNone.ALL_ALIKE: "**no upper bound on ε is resolved as the smallest**: they differ by at "
    "most 1 %.",
}


def comparison_headline(runs: Sequence[ComparedRun]) -> str:
    """Return which runs have the smallest upper bound on epsilon and the least noise, as Markdown.

    The current run comes first; all are at the same delta.
    """
    start = f"Of these {counted(len(runs), 'run')}, at δ = {power_of_ten(runs[0].scenario.delta)}"
    return joined(start, _epsilon_verdict(runs), _noise_verdict(runs))


def comparison_notes(runs: Sequence[ComparedRun]) -> str:
    """Return what the numbers are about and how they are rounded, as Markdown."""
    known = [(run.name, run.curves) for run in runs if run.curves is not None]
    noisy = [run.name for run in runs if run.scenario.noise.is_on_windows]
    left_out = (
        f"The noise per gradient leaves out the noise on context and labels that {listed(noisy)} "
        f"{'has' if len(noisy) == 1 else 'have'} besides."
    )
    return joined(
        'Upper bounds are rounded up, lower bounds down. "Proven" means that the one run\'s upper '
        "bound lies below the other's lower bound; where it is not said, only the upper bounds "
        "differ.",
        protection_sentence(known) if known else "",
        conditions([curves.upper.bound for _, curves in known], [label for label, _ in known]),
        left_out if noisy else "",
    )


def _epsilon_verdict(runs: Sequence[ComparedRun]) -> str:
    best = best_epsilon(runs)
    if not best.names:
        assert best.why_none is not None
        if best.why_none is WhyNone.OTHER_PROTECTION:
            return _less_protected(runs)
        if best.why_none is WhyNone.ALL_ALIKE and (most := _same_digits(runs)):
            return f"**all have the upper bound ε ≤ {most}**, to the digits told."
        return _NO_BEST_EPSILON[best.why_none]
    winners = [run for run in runs if run.name in best.names]
    most = rounded_up(winners[0].individuals_epsilon or 0.0)  # all that tie are told with it
    sources = dict.fromkeys(
        composed_source(run.curves.upper.bound) for run in winners if run.curves
    )
    hidden = dict.fromkeys(map(hidden_by, winners))
    has = "has" if len(winners) == 1 else "tie for"
    rivals = _that_protect_less(runs, winners)
    smallest = f"the {'best' if rivals else 'smallest'} upper bound on ε"
    but = f" Those of {listed(rivals)} are about as large, but protect less." if rivals else ""
    if len(rivals) == 1:
        but = f" That of {rivals[0]} is about as large, but protects less."
    return (
        f"**{listed(best.names)} {has} {smallest}: ε ≤ {most}** "
        f"({' and '.join(sources)}; for {' and '.join(hidden)}).{but}"
    )


def _same_digits(runs: Sequence[ComparedRun]) -> str:
    """Return what all bounds are told as, resolved or not; empty where they are told apart."""
    told = {rounded_up(run.individuals_epsilon or 0.0) for run in runs}
    return told.pop() if len(told) == 1 else ""


def _that_protect_less(runs: Sequence[ComparedRun], winners: Sequence[ComparedRun]) -> list[str]:
    """Return whose bounds are told with no larger a number than the best, for less."""
    best = winners[0].curves
    assert best is not None  # it has a bound
    most = number_rounded_up(winners[0].individuals_epsilon or 0.0)
    return [
        run.name
        for run in runs
        if run not in winners
        and run.curves is not None
        and run.individuals_epsilon is not None
        and number_rounded_up(run.individuals_epsilon) <= most
        and not covers(run.curves, best)
    ]


def _less_protected(runs: Sequence[ComparedRun]) -> str:
    bounds = [(run.individuals_epsilon, run) for run in runs]
    finite = [(epsilon, run) for epsilon, run in bounds if epsilon is not None]
    epsilon, run = min(finite, key=lambda one: one[0])
    return (
        f"**no ε is marked as the best**: that of {run.name} is the smallest, ε ≤ "
        f"{rounded_up(epsilon)} for {hidden_by(run)}, which is not all that the others protect."
    )


def _noise_verdict(runs: Sequence[ComparedRun]) -> str:
    best = best_noise(runs)
    least = rounded_up(min(run.noise_per_gradient for run in runs))
    if best.why_none is WhyNone.ALL_ALIKE:
        return f"All have noise of {least} clipping norms per averaged gradient."
    if not best.names:
        return ""
    winners = [run for run in runs if run.name in best.names]
    bare = [run.name for run in winners if run.is_settled and run.individuals_epsilon is None]
    but = f"; for {listed(bare)} no finite ε of an individual is proven" if bare else ""
    verb = "has" if len(best.names) == 1 else "have"
    return (
        f"**{capitalised(listed(best.names))} {verb} the least noise per averaged gradient: "
        f"{least}** clipping norms{but}."
    )
