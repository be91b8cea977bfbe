"""Bounds against epsilon, steps or something varied, as tables."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from dpviz.export import table
from dpviz.multistage import StagedDraw
from dpviz.planning import ProvenCurve, ScenarioCurves
from dpviz.planning.attack_rates import DRAWN_RATES, pair_hits
from dpviz.planning.budget import UsedUp, counts_alike
from dpviz.planning.over_steps import DeltaOverSteps
from dpviz.planning.proven import ProvenEpsilon, SweepPoint
from dpviz.risk import posterior_of_claim
from dpviz.scenario import Scenario
from dpviz.wording.attack_rates import Told
from dpviz.wording.budget import target_sentence
from dpviz.wording.multistage import NOT_A_BOUND, PROTECTED, Lines, draws_words
from dpviz.wording.numbers import counted
from dpviz.wording.scope import named_protected_unit
from dpviz.wording.theorems import bound_meaning, named_theorem, whole_meaning

_DELTA_UPPER = "delta is proven to be at most this"
_DELTA_LOWER = "some gradients attain at least this; empty where no lower bound is proven"
_EPSILON_LOWER = "some gradients attain at least this epsilon; empty where no lower bound is proven"


def curves_table(runs: Sequence[tuple[str, ScenarioCurves]]) -> table.Table:
    """Return delta against epsilon.

    Args:
        runs: for each curve its label, without a comma, and what is proven about it.
    """
    return table.Table(
        title="delta(epsilon) of training runs",
        about=[f"{label}: {line}" for label, curves in runs for line in _provenance(curves)],
        meanings={
            "curve": "which run, see above",
            "epsilon": "privacy loss in nats",
            **table.bracket_columns("delta", _DELTA_UPPER, _DELTA_LOWER),
        },
        cells=pd.concat([_curve(label, curves) for label, curves in runs], ignore_index=True),
    )


def _provenance(curves: ScenarioCurves) -> list[str]:
    scenario, upper, lower = curves.scenario, curves.upper, curves.lower
    lines = [
        table.scenario_line(scenario),
        table.training_line(scenario),
        f"protected: {named_protected_unit(curves)}",
        table.rates_line(scenario),
        f"delta_upper: {_grid_words(upper)}; composed mirrored",
    ]
    if lower is None:
        return [*lines, "delta_lower: none proven"]
    return [*lines, f"delta_lower: {_grid_words(lower)}; attained by a gradient"]


def _grid_words(curve: ProvenCurve) -> str:
    return f"{whole_meaning(curve.of_curve)}; privacy loss grid {curve.interval:.6g}"


def _curve(label: str, curves: ScenarioCurves) -> pd.DataFrame:
    # Beyond the smallest delta that is quoted the grid goes on for decades, and says nothing more.
    upper, lower = curves.upper, curves.lower
    last = int(np.sum(upper.delta_high >= curves.smallest_delta))
    if lower is not None:
        last = max(last, int(np.sum(lower.delta_low >= curves.smallest_delta)))
    rows = slice(0, last + 1)
    return pd.DataFrame(
        {
            "curve": label,
            "epsilon": curves.epsilon[rows],
            "delta_upper": upper.delta_high[rows],
            "delta_upper_bracket_low": upper.delta_low[rows],
            "delta_lower": np.nan if lower is None else lower.delta_low[rows],
            "delta_lower_bracket_high": np.nan if lower is None else lower.delta_high[rows],
        }
    )


def steps_table(runs: Sequence[DeltaOverSteps]) -> table.Table:
    """Return delta over training steps.

    Args:
        runs: at the same epsilon, with different numbers of windows per series.
    """
    first = runs[0]
    named = [(run.scenario.sampling.num_subsequences, run) for run in runs]
    return table.Table(
        title=f"delta at epsilon = {first.epsilon!r} over training steps",
        about=[
            f"protected: {table.whom(first.scenario)}",
            *(
                f"windows_per_series {name}: {table.scenario_line(run.scenario)}"
                for name, run in named
            ),
            *table.condition_lines([bound for run in runs for bound in run.upper.bounds]),
        ],
        meanings={
            "windows_per_series": "which run, see above",
            "steps": "training steps",
            **table.bracket_columns(
                "delta", _DELTA_UPPER, _DELTA_LOWER, ("delta_upper_meaning", "delta_lower_meaning")
            ),
        },
        cells=pd.concat([_steps(name, run) for name, run in named], ignore_index=True),
    )


def _steps(name: int, run: DeltaOverSteps) -> pd.DataFrame:
    upper, lower = run.upper, run.lower
    return pd.DataFrame(
        {
            "windows_per_series": name,
            "steps": run.steps,
            "delta_upper": upper.delta_high,
            "delta_upper_bracket_low": upper.delta_low,
            "delta_upper_meaning": [bound_meaning(bound) for bound in upper.bounds],
            "delta_lower": np.nan if lower is None else lower.delta_low,
            "delta_lower_bracket_high": np.nan if lower is None else lower.delta_high,
            "delta_lower_meaning": "" if lower is None else [*map(bound_meaning, lower.bounds)],
        }
    )


def budget_table(
    scenario: Scenario, points: Sequence[ProvenEpsilon], used_up: UsedUp | None = None
) -> table.Table:
    """Return epsilon over the course of training."""
    ordered = sorted(points, key=lambda point: point.count)
    unit = scenario.training.unit
    about = [
        table.scenario_line(scenario),
        table.training_line(scenario),
        f"protected: {table.whom(scenario)}",
        table.rates_line(scenario),
        f"delta: {scenario.delta!r}",
        *table.condition_lines([point.upper.bound for point in ordered]),
    ]
    if used_up is not None:
        about.append(f"target: {target_sentence(scenario, used_up, ordered).replace('**', '')}")
    meanings = {
        f"{unit}_from": f"from this many {unit} of training on",
        f"{unit}_to": "to this many the rest of the row holds",
        "composed": "how often the theorems are applied",
        "composed_unit": "to what: a step or an epoch",
        **table.bracket_columns(
            "epsilon",
            "epsilon is proven to be at most this, in nats, at the scenario's delta; empty where "
            "no finite epsilon is certified",
            _EPSILON_LOWER,
        ),
        "upper_theorem": "which bound is composed mirrored to epsilon_upper; the smallest counts",
        "upper_kind": "direction after composition; tight: exact",
        "lower_theorem": "whose attained pair is composed to epsilon_lower",
        "lower_kind": "direction after composition",
    }
    return table.Table(
        title=f"epsilon over the course of training, in {unit}",
        about=about,
        meanings=meanings,
        cells=table.cells_of([_budget_row(scenario, point) for point in ordered], meanings),
    )


def _budget_row(scenario: Scenario, point: ProvenEpsilon) -> list[Any]:
    upper, lower = point.upper, point.lower
    return [
        *counts_alike(scenario, point, from_below=True),
        upper.bound.count,
        upper.bound.unit.value,
        upper.bracket.high,
        upper.bracket.low,
        None if lower is None else lower.bracket.low,
        None if lower is None else lower.bracket.high,
        named_theorem(upper.bound.theorem),
        upper.bound.kind_after_composition.value,
        None if lower is None else named_theorem(lower.bound.theorem),
        None if lower is None else lower.bound.kind_after_composition.value,
    ]


def sweep_table(
    runs: Sequence[tuple[str, Sequence[SweepPoint]]],
    *,
    x_name: str,
    x_meaning: str,
    whom: Mapping[str, str] = {},
) -> table.Table:
    """Return epsilon against something that is varied.

    Args:
        runs: for each line its label and points, at least one point in all, of equal delta.
        x_name: the column of what is varied.
        x_meaning: what it is, and in which unit.
        whom: of lines by label, who is protected, where that is not the scenario's individual.
    """
    points = [point for _, line in runs for point in line]
    meanings = {
        "run": "which line",
        x_name: x_meaning,
        **table.bracket_columns(
            "epsilon",
            "epsilon is proven to be at most this, in nats, at the delta above; empty where no "
            "finite epsilon is certified",
            _EPSILON_LOWER,
            ("upper_meaning", "lower_meaning"),
        ),
        "individual": "whom both bounds are about",
        "scenario": "the whole training set-up, to be read by dpviz",
    }
    return table.Table(
        title=f"epsilon at delta = {points[0].scenario.delta!r} against {x_name}",
        about=table.condition_lines([point.proven.upper.bound for point in points]),
        meanings=meanings,
        cells=table.cells_of(
            [
                _sweep_row(label, point, whom.get(label) or table.whom(point.scenario))
                for label, line in runs
                for point in line
            ],
            meanings,
        ),
    )


def _sweep_row(label: str, point: SweepPoint, whom: str) -> list[object]:
    proven, lower = point.proven, point.proven.lower
    return [
        label,
        point.x,
        proven.upper.bracket.high,
        proven.upper.bracket.low,
        bound_meaning(proven.upper.bound),
        None if lower is None else lower.bracket.low,
        None if lower is None else lower.bracket.high,
        None if lower is None else bound_meaning(lower.bound),
        whom,
        table.json_in_csv(point.scenario),
    ]


def attack_rates_table(told: Told) -> table.Table:
    """Return an attacker's hits and false alarms."""
    rates, scenario = told.rates, told.rates.scenario
    upper, lower, epsilon = rates.upper, rates.lower, told.curves.epsilon_upper
    attained = "none proven"
    if lower is not None:
        attained = f"{bound_meaning(lower.bound)}; for {table.whom(scenario)}"
    hits = "true_positive_rate"
    return table.Table(
        title="true against false positive rates of attackers who tell two neighbouring data sets "
        "apart, after all of training",
        about=table.condition_lines([upper.bound]),
        meanings={
            "false_positive_rate": "share of false alarms",
            f"{hits}_upper": "no attacker has more hits; "
            f"{bound_meaning(upper.bound)}; for {table.whom(scenario)}",
            f"{hits}_lower": "some attacker has at least so many, perhaps another one at another "
            f"rate; {attained}",
            f"{hits}_pair": f"empty: there is no finite epsilon at delta = {scenario.delta!r}"
            if epsilon is None
            else f"what epsilon = {epsilon!r} at delta = {scenario.delta!r} alone allows; empty "
            "where there is no finite epsilon",
            "posterior_upper": "a claim is right with at most this probability, at prior "
            f"{told.prior!r}",
        },
        source=[
            f"advantage: at most {upper.advantage.share!r}"
            + ("" if lower is None else f", at least {lower.advantage.share!r}"),
            "largest_loss: none is certified that is exceeded with probability at most delta"
            if rates.largest_loss is None
            else f"largest_loss: {rates.largest_loss!r} nats, exceeded with probability at most "
            "delta",
            table.scenario_line(scenario),
        ],
        cells=pd.DataFrame(
            {
                "false_positive_rate": rates.rates,
                f"{hits}_upper": upper.hits,
                f"{hits}_lower": table.known(lower, "hits"),
                f"{hits}_pair": None
                if epsilon is None
                else pair_hits(epsilon, scenario.delta, rates.rates),
                "posterior_upper": [
                    # Its few roundings are made up for.
                    min(posterior_of_claim(told.prior, rate, one) * (1.0 + 2.0**-50), 1.0)
                    if rate > 0.0
                    else 1.0
                    for rate, one in zip(rates.rates.tolist(), upper.hits.tolist(), strict=True)
                ],
            }
        ),
    )


def pair_table(epsilon: float, delta: float) -> table.Table:
    """Return the hits that (epsilon, delta)-differential privacy alone allows."""
    return table.Table(
        title="true against false positive rates of attackers who tell two neighbouring data sets "
        f"apart, by epsilon = {epsilon!r} at delta = {delta!r} alone",
        meanings={
            "false_positive_rate": "share of false alarms",
            "true_positive_rate_upper": "no attacker has more hits; upper bound by the definition "
            "of (epsilon, delta)-differential privacy",
        },
        cells=pd.DataFrame(
            {
                "false_positive_rate": DRAWN_RATES,
                "true_positive_rate_upper": pair_hits(epsilon, delta, DRAWN_RATES),
            }
        ),
    )


_STAGED = {
    "upper": ("delta_upper", "upper bound, Proposition 1 of docs/multistage.md, composed"),
    "lower": (
        "delta_lower",
        "lower bound, Proposition 2 of docs/multistage.md, composed; attained with units of just "
        "these sizes",
    ),
    "printed": ("delta_printed_unsound", f"Theorem 3 of Tombs et al., composed: {NOT_A_BOUND}"),
}


def staged_table(
    draw: StagedDraw, noise_multiplier: float, episodes: int, lines: Lines
) -> table.Table:
    """Return delta of episodes that are drawn in stages."""
    epsilons = np.unique(np.concatenate([line.epsilon for line in lines.values()]))
    columns = {"epsilon": epsilons}
    for name, line in lines.items():
        # Each bound falls: at an epsilon that it lacks, a neighbour's value is on the sound side.
        if name == "lower":  # beyond its last one nothing is attained
            known = np.append(line.delta, 0.0)[np.searchsorted(line.epsilon, epsilons)]
        else:
            known = line.delta[np.searchsorted(line.epsilon, epsilons, side="right") - 1]
        columns[_STAGED[name][0]] = known
    return table.Table(
        title=f"{counted(episodes, 'episode')}, each drawn as {draws_words(draw)}; noise "
        f"multiplier {noise_multiplier!r}; eta = {draw.rate!r}",
        about=[f"protected: {PROTECTED}; all numbers of units are public"],
        meanings={"epsilon": "privacy loss in nats", **dict(map(_STAGED.__getitem__, lines))},
        cells=pd.DataFrame(columns),
    )
