"""Runs side by side: what stands in the table, and what its columns mean."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.guarantees import Kind
from dpviz.planning.comparison import ComparedRun, best_epsilon, best_noise, in_the_same_terms
from dpviz.settings import SETTINGS
from dpviz.wording.differences import pin_label
from dpviz.wording.numbers import number_rounded_down, number_rounded_up, power_of_ten
from dpviz.wording.scope import named_protected_unit, protected_in
from dpviz.wording.theorems import brief_source, condition_clause

Cell = str | float | int | None
MARK = "★"
_A_SETTING = "A setting: no value of it is the best."
_DIGITS = 4


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column of the table.

    Args:
        explanation: what stands in it, and which direction is the better one, if any.
        is_number: whether it is sorted by size.
    """

    key: str
    label: str
    explanation: str
    is_number: bool = True


def columns(delta: float) -> tuple[Column, ...]:
    """Return the table's columns from left to right.

    >>> [column.label for column in columns(1e-7)][:3]
    ['Run', 'ε at most', 'Kind of this bound']
    """
    at = f"at δ = {power_of_ten(delta)} after all of training"
    return (
        Column(
            key="run",
            label="Run",
            explanation="The current run and the pinned ones.",
            is_number=False,
        ),
        # The number's meaning stands next to it also on a phone, where little else fits.
        Column(
            key="epsilon_upper",
            label="ε at most",
            explanation=f"Upper bound on ε {at}, rounded up; smaller is better; Infinity: none is "
            "proven. The next column says what it is about.",
        ),
        Column(
            key="kind",
            label="Kind of this bound",
            explanation="upper: the truth may be smaller. tight: some model attains it.",
            is_number=False,
        ),
        Column(
            key="best",
            label="Best in",
            explanation=f"{MARK} ε: the smallest upper bound on an individual's ε, for at least "
            f"what the other runs protect. {MARK} noise: the least noise per averaged gradient. "
            "Runs that tie share a mark.",
            is_number=False,
        ),
        Column(
            key="epsilon_lower",
            label="ε at least",
            explanation=f"Lower bound on an individual's ε {at}, rounded down: some model attains "
            "it. Neither a small nor a large one is better.",
        ),
        Column(
            key="noise_per_gradient",
            label="Noise per gradient σ/Λ",
            explanation="Standard deviation of the noise on an averaged gradient, in clipping "
            "norms, rounded up; smaller is better. Noise on context and labels is not in it.",
        ),
        *(
            Column(key=name, label=SETTINGS[name].title, explanation=_A_SETTING)
            for name in ("noise_multiplier", "batch_size", "num_subsequences")
        ),
        Column(key="steps", label="Steps", explanation=f"Training steps in all. {_A_SETTING}"),
        Column(
            key="epochs",
            label="Epochs",
            explanation=f"Epochs that have begun when training ends. {_A_SETTING}",
        ),
        Column(
            key="top_rate",
            label=SETTINGS["top_rate"].title,
            explanation="Share of the series (of one bag: of the windows) in a batch. "
            f"{_A_SETTING}",
        ),
        Column(
            key="bottom_rate",
            label=SETTINGS["bottom_rate"].title,
            explanation=f"Share of a series' windows that one individual touches. {_A_SETTING}",
        ),
        Column(
            key="upper_theorem",
            label="Upper bound by",
            explanation="The theorem, and how often it is composed.",
            is_number=False,
        ),
        Column(
            key="lower_theorem",
            label="Lower bound by",
            explanation="The theorem, and how often it is composed.",
            is_number=False,
        ),
        Column(
            key="protected",
            label="Protected by the upper bound",
            explanation="Which change of the data the upper bound hides, and on what condition.",
            is_number=False,
        ),
        Column(
            key="differs",
            label="Unlike now",
            explanation="In which settings the run differs from the current one.",
            is_number=False,
        ),
    )


def table_rows(runs: Sequence[ComparedRun]) -> list[dict[str, Cell]]:
    """Return the cells of each run, by the keys of :func:`columns`; ``None`` where there is none.

    Numbers are rounded to the side on which the heading is true, and are shown as they are. The
    current run comes first; all are at the same delta.
    """
    epsilon, noise = best_epsilon(runs).names, best_noise(runs).names
    rows: list[dict[str, Cell]] = []
    for run in runs:
        scenario, curves = run.scenario, run.curves
        lower = None if curves is None else curves.lower
        best = [name for name, found in (("ε", epsilon), ("noise", noise)) if run.name in found]
        rows.append(
            {
                "run": run.name,
                "epsilon_upper": _upper_bound(run),
                "kind": kind_name(run),
                "best": f"{MARK} {' and '.join(best)}" if best else "",
                "epsilon_lower": _down(None if curves is None else curves.epsilon_lower),
                "noise_per_gradient": number_rounded_up(run.noise_per_gradient, _DIGITS),
                "noise_multiplier": scenario.noise.noise_multiplier,
                "batch_size": scenario.sampling.batch_size,
                "num_subsequences": scenario.sampling.num_subsequences,
                "steps": scenario.num_steps,
                "epochs": scenario.num_epochs,
                "top_rate": _nearest(scenario.top_rate),
                "bottom_rate": _nearest(scenario.bottom_rate),
                "upper_theorem": "" if curves is None else brief_source(curves.upper.bound),
                "lower_theorem": _lower_theorem(run)
                if lower is None
                else brief_source(lower.bound),
                "protected": protected_by(run),
                "differs": _difference(runs[0], run),
            }
        )
    return rows


def kind_name(run: ComparedRun) -> str:
    """Return what the upper bound of a run is, or why there is none."""
    if run.refusal:
        return "no bound covers it"
    if run.curves is None:
        return "being computed …"
    if run.curves.epsilon_upper is None:
        return "no finite ε proven"
    is_tight = run.curves.upper.bound.kind_after_composition is Kind.TIGHT
    refining = "" if run.is_exact else ", being refined …"
    return ("tight" if is_tight else "upper") + refining


def protected_by(run: ComparedRun) -> str:
    """Return which change the upper bound hides, and on what condition; empty without a bound."""
    if run.curves is None:
        return ""
    return named_protected_unit(run.curves) + condition_clause(run.curves.upper.bound)


def hidden_by(run: ComparedRun) -> str:
    """Return the same without the relation's name, for sentences."""
    if run.curves is None:
        return ""
    return protected_in(run.scenario) + condition_clause(run.curves.upper.bound)


def _lower_theorem(run: ComparedRun) -> str:
    return "" if run.curves is None else "none proven"


def _difference(now: ComparedRun, run: ComparedRun) -> str:
    if run is now:
        return ""
    return pin_label(now.scenario, in_the_same_terms(now.scenario, run.scenario))


def _upper_bound(run: ComparedRun) -> float | None:
    epsilon = None if run.curves is None else run.curves.epsilon_upper
    if epsilon is None:
        return math.inf if run.is_settled else None
    return number_rounded_up(epsilon, _DIGITS)


def _down(value: float | None) -> float | None:
    return None if value is None else number_rounded_down(value, _DIGITS)


def _nearest(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")
