"""Runs side by side: what stands in the table, and what its columns mean."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from dpviz.guarantees import Kind
from dpviz.planning.comparison import ComparedRun, best_epsilon, best_noise, in_the_same_terms
from dpviz.scenario import Scenario
from dpviz.settings import SETTINGS
from dpviz.wording.differences import pin_label
from dpviz.wording.numbers import (
    joined,
    number_rounded_down,
    number_rounded_up,
    power_of_ten,
)
from dpviz.wording.scope import named_protected_unit, protected_in
from dpviz.wording.theorems import brief_source, condition_clause
from dpviz.wording.training_length import COSTS_TOO_MUCH

Cell = str | float | int | None
MARK = "★"
_A_SETTING = "A setting: no value of it is the best."
_KINDS = "upper: the truth may be smaller. tight: some model attains it."


@dataclass(frozen=True)
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
    """Return the table's columns from left to right."""
    words = partial(Column, is_number=False)
    at = f"at δ = {power_of_ten(delta)} after all of training"

    def of_setting(name: str, says: str = "") -> Column:
        return Column(name, SETTINGS[name].title, joined(says, _A_SETTING))

    return (
        words("run", "Run", "The current run and the pinned ones."),
        # The number's meaning stands next to it also on a phone, where little else fits.
        Column(
            "epsilon_upper",
            "ε at most",
            f"Upper bound on ε {at}, rounded up; smaller is better; Infinity: none is "
            "proven, as *Kind of bound* says.",
        ),
        Column(
            "epsilon_lower",
            "ε at least",
            f"Lower bound on an individual's ε {at}, rounded down: some model attains "
            "it. Neither a small nor a large one is better.",
        ),
        # What runs differ in most often, in sight beside what it costs.
        Column(
            "noise_multiplier", "Noise σ", f"{SETTINGS['noise_multiplier'].title}. {_A_SETTING}"
        ),
        words(
            "best",
            "Best in",
            f"{MARK} ε: the smallest upper bound on an individual's ε, for at least "
            f"what the other runs protect. {MARK} noise: the least noise per averaged gradient. "
            "Runs that tie share a mark.",
        ),
        Column(
            "noise_per_gradient",
            "Noise per gradient",
            "Standard deviation of the noise on an averaged gradient, in clipping norms, rounded "
            "up: σ / Λ, of bins σ K / (N λ); smaller is better. Noise on context and labels is not "
            "in it.",
        ),
        of_setting("batch_size"),
        of_setting("num_subsequences"),
        Column("steps", "Steps", f"Training steps in all. {_A_SETTING}"),
        Column("epochs", "Epochs", f"Epochs that have begun when training ends. {_A_SETTING}"),
        of_setting("top_rate", "Share of the series (of one bag: of the windows) in a batch."),
        of_setting("bottom_rate", "Share of a series' windows that one individual touches."),
        words("kind", "Kind of bound", _KINDS),
        words("upper_theorem", "Upper bound by", "The theorem, and how often it is composed."),
        words("lower_theorem", "Lower bound by", "The theorem, and how often it is composed."),
        words(
            "protected",
            "Protected by the upper bound",
            "Which change of the data the upper bound hides, and on what condition.",
        ),
        words("differs", "Unlike now", "In which settings the run differs from the current one."),
    )


def table_rows(runs: Sequence[ComparedRun]) -> list[dict[str, Cell]]:
    """Return the cells of each run, by the keys of :func:`columns`; ``None`` where there is none.

    Numbers are rounded to the side on which the heading is true, and are shown as they are. The
    current run comes first; all are at the same delta.
    """
    epsilon, noise = best_epsilon(runs).names, best_noise(runs).names
    now = runs[0].scenario
    rows: list[dict[str, Cell]] = []
    for run in runs:
        scenario, curves = run.scenario, run.curves
        sampling, least, by_upper, by_lower = scenario.sampling, None, "", ""
        if curves is not None:
            least, by_upper = curves.epsilon_lower, brief_source(curves.upper.bound)
            by_lower = brief_source(curves.lower.bound) if curves.lower else "none proven"
        best = [name for name, found in (("ε", epsilon), ("noise", noise)) if run.name in found]
        differs = "" if run is runs[0] else pin_label(now, in_the_same_terms(now, scenario))
        rows.append(
            {
                "run": run.name,
                "epsilon_upper": _upper_bound(run),
                "epsilon_lower": None if least is None else number_rounded_down(least),
                "noise_multiplier": scenario.noise.noise_multiplier,
                "best": f"{MARK} {' and '.join(best)}" if best else "",
                "noise_per_gradient": number_rounded_up(run.noise_per_gradient),
                "batch_size": sampling.batch_size,
                "num_subsequences": None if sampling.is_bag else sampling.num_subsequences,
                "steps": scenario.num_steps,
                "epochs": scenario.num_epochs,
                "top_rate": _rate(scenario, scenario.top_rate),
                "bottom_rate": _rate(scenario, scenario.bottom_rate),
                "kind": kind_name(run),
                "upper_theorem": by_upper,
                "lower_theorem": by_lower,
                "protected": protected_by(run),
                "differs": differs,
            }
        )
    return rows


def kind_name(run: ComparedRun) -> str:
    """Return what the upper bound of a run is, or why there is none."""
    if run.refusal:
        return "no bound covers it"
    if run.curves is None:
        return COSTS_TOO_MUCH if run.is_left_out else "being computed"
    if run.curves.epsilon_upper is None:
        return "no finite ε proven"
    is_tight = run.curves.upper.bound.kind_after_composition is Kind.TIGHT
    coarse = "" if run.is_exact else ", coarse"
    return ("tight" if is_tight else "upper") + coarse


def protected_by(run: ComparedRun) -> str:
    """Return which change the upper bound hides, and on what condition; empty without a bound."""
    if run.curves is None:
        return ""
    return named_protected_unit(run.curves) + condition_of(run)


def hidden_by(run: ComparedRun) -> str:
    """Return the same without the relation's name, for sentences."""
    if run.curves is None:
        return ""
    return protected_in(run.scenario) + condition_of(run)


def condition_of(run: ComparedRun) -> str:
    """Return what has to hold for the upper bound, as the end of a clause."""
    return "" if run.curves is None else condition_clause(run.curves.upper.bound)


def _upper_bound(run: ComparedRun) -> float | None:
    epsilon = None if run.curves is None else run.curves.epsilon_upper
    if epsilon is None:
        return math.inf if run.is_settled else None
    return number_rounded_up(epsilon)


def _rate(scenario: Scenario, rate: float) -> float:
    """Return a rate to the nearest, unless it is a setting."""
    return float(f"{rate:.4g}") if scenario.shape is not None else float(rate)
