"""Runs side by side, in sentences: which is the best in what, and what the numbers are about."""

from collections.abc import Sequence

from dpviz.planning import ScenarioCurves
from dpviz.planning.comparison import Best, ComparedRun, WhyNone, best_epsilon, best_noise
from dpviz.wording.comparison_table import hidden_by
from dpviz.wording.numbers import capitalised, counted, listed, power_of_ten, rounded_up
from dpviz.wording.protection import conditions, individual
from dpviz.wording.theorems import composed_source

_NO_BEST_EPSILON = {
    WhyNone.ONE_RUN: "there is nothing to compare with.",
    WhyNone.COMPUTING: "not all bounds on ε are computed so far.",
    WhyNone.NO_BOUND: "**none has a finite upper bound on an individual's ε**.",
    WhyNone.ALL_ALIKE: "**no difference in the upper bounds on ε is resolved**.",
}


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
    verdicts = [_epsilon_verdict(runs), _noise_verdict(runs)]
    told = " ".join(verdict for verdict in verdicts if verdict)
    return f"Of these {count}, at δ = {delta} {told}"


def comparison_notes(runs: Sequence[ComparedRun]) -> str:
    """Return what the numbers are about and how they are rounded, as Markdown."""
    known = [(run.name, run.curves) for run in runs if run.curves is not None]
    notes = [
        "Upper bounds are rounded up, lower bounds down.",
        "\"Proven\" means that the one run's upper bound lies below the other's lower bound; "
        "where it is not said, only the upper bounds differ.",
    ]
    if known:
        notes.append(_protection(known))
        notes.append(conditions([curves.upper.bound for _, curves in known]))
    noisy = [run.name for run in runs if _has_noise_on_windows(run)]
    if noisy:
        verb = "has" if len(noisy) == 1 else "have"
        notes.append(
            f"The noise per gradient leaves out the noise on context and labels that "
            f"{listed(noisy)} {verb} besides."
        )
    return " ".join(note for note in notes if note)


def _protection(known: Sequence[tuple[str, ScenarioCurves]]) -> str:
    """Return who is protected in which runs; those with the same are told together."""
    names: dict[str, list[str]] = {}
    for name, curves in known:
        names.setdefault(individual(curves), []).append(name)
    if len(names) == 1:
        return f"Protected is {next(iter(names))}."
    told = [f"{capitalised(listed(of))}: {words}." for words, of in names.items()]
    return f"The runs differ in who is protected. {' '.join(told)}"


def _epsilon_verdict(runs: Sequence[ComparedRun]) -> str:
    best = best_epsilon(runs)
    if not best.names:
        assert best.why_none is not None
        if best.why_none is WhyNone.OTHER_PROTECTION:
            return _less_protected(runs)
        return _NO_BEST_EPSILON[best.why_none]
    winners = [run for run in runs if run.name in best.names]
    # What holds for all that tie: the largest of their bounds.
    most = rounded_up(max(run.individuals_epsilon or 0.0 for run in winners))
    sources = dict.fromkeys(_source(run) for run in winners)
    has = "has" if len(winners) == 1 else "tie for"
    rivals = _that_protect_less(runs, best)
    smallest = f"the {'best' if rivals else 'smallest'} upper bound on ε"
    but = f" Those of {listed(rivals)} are about as large, but protect less." if rivals else ""
    return (
        f"**{listed(best.names)} {has} {smallest}: ε ≤ {most}** "
        f"({' and '.join(sources)}; for {hidden_by(winners[0])}).{but}"
    )


def _that_protect_less(runs: Sequence[ComparedRun], best: Best) -> list[str]:
    """Return whose bounds are no larger than the best, within what is resolved, for less."""
    bounds = {run.name: run.individuals_epsilon for run in runs}
    most = max(bounds[name] or 0.0 for name in best.names)
    return [
        name
        for name, epsilon in bounds.items()
        if name not in best.names and epsilon is not None and epsilon <= most
    ]


def _source(run: ComparedRun) -> str:
    assert run.curves is not None  # it has a bound
    bound = run.curves.upper.bound
    return composed_source(bound)


def _less_protected(runs: Sequence[ComparedRun]) -> str:
    bounds = {run: run.individuals_epsilon for run in runs}
    finite = {run: epsilon for run, epsilon in bounds.items() if epsilon is not None}
    run = min(finite, key=finite.__getitem__)
    return (
        f"**no ε is marked as the best**: that of {run.name} is the smallest, ε ≤ "
        f"{rounded_up(finite[run])} for {hidden_by(run)}, which is not all that the others protect."
    )


def _noise_verdict(runs: Sequence[ComparedRun]) -> str:
    best = best_noise(runs)
    if best.why_none is WhyNone.ALL_ALIKE:
        return "All have the same noise per averaged gradient."
    if not best.names:
        return ""
    least = next(run.noise_per_gradient for run in runs if run.name == best.names[0])
    verb = "has" if len(best.names) == 1 else "have"
    return (
        f"**{capitalised(listed(best.names))} {verb} the least noise per averaged gradient: "
        f"σ/Λ = {rounded_up(least)}** clipping norms{_but_unprotected(runs, best)}."
    )


def _but_unprotected(runs: Sequence[ComparedRun], best: Best) -> str:
    """Return whom among the least noisy nothing finite is proven for."""
    names = [
        run.name
        for run in runs
        if run.name in best.names and run.is_settled and run.individuals_epsilon is None
    ]
    return f"; for {listed(names)} no finite ε of an individual is proven" if names else ""


def _has_noise_on_windows(run: ComparedRun) -> bool:
    noise = run.scenario.noise
    return noise.context_noise > 0.0 or noise.forecast_noise > 0.0
