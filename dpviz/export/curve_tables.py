"""Bounds against epsilon, steps or something varied, as tables."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from dpviz.export import table
from dpviz.multistage import StagedDraw
from dpviz.multistage.guarantee import PROPOSITIONS
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
    """Return delta against epsilon; ``runs`` are each curve's label, without a comma, and curve."""
    about, cells, answers = list[str](), list[pd.DataFrame](), list[int]()
    for label, curves in runs:
        scenario, upper, lower = curves.scenario, curves.upper, curves.lower
        lines = [
            table.scenario_line(scenario),
            table.training_line(scenario),
            f"protected: {named_protected_unit(curves)}",
            table.rates_line(scenario),
            f"delta_upper: {_grid_words(upper)}; composed mirrored",
            "delta_lower: none proven"
            if lower is None
            else f"delta_lower: {_grid_words(lower)}; attained by a gradient",
        ]
        about += [f"{label}: {line}" for line in lines]
        # Beyond the smallest delta that is quoted the grid goes on for decades, and says no more.
        quoted = [upper.delta_high] if lower is None else [upper.delta_high, lower.delta_low]
        last = max(int(np.sum(deltas >= curves.smallest_delta)) for deltas in quoted)
        columns = {"curve": label, "epsilon": curves.epsilon, **table.deltas_of(upper, lower)}
        rows = pd.DataFrame(columns).iloc[: last + 1]
        if (first := int(np.sum(rows["delta_upper"] > scenario.delta))) < len(rows):
            answers.append(sum(len(one) for one in cells) + first)
        cells.append(rows)
    return table.Table(
        title="delta(epsilon) of training runs",
        about=about,
        meanings={
            "curve": "which run, see above",
            "epsilon": "privacy loss in nats",
            **table.bracket_columns("delta", _DELTA_UPPER, _DELTA_LOWER),
        },
        cells=pd.concat(cells, ignore_index=True),
        answers=answers,
    )


def _grid_words(curve: ProvenCurve) -> str:
    return f"{whole_meaning(curve.of_curve)}; privacy loss grid {curve.interval:.6g}"


def steps_table(runs: Sequence[DeltaOverSteps]) -> table.Table:
    """Return delta over training steps, of runs at the same epsilon with different lambda."""
    first = runs[0]
    settings, cells = [], []
    for run in runs:
        name, upper, lower = run.scenario.sampling.num_subsequences, run.upper, run.lower
        settings.append(f"windows_per_series {name}: {table.scenario_line(run.scenario)}")
        columns = {
            "windows_per_series": name,
            "steps": run.steps,
            **table.deltas_of(upper, lower),
            "delta_upper_meaning": [*map(bound_meaning, upper.bounds)],
            "delta_lower_meaning": "" if lower is None else [*map(bound_meaning, lower.bounds)],
        }
        cells.append(pd.DataFrame(columns))
    meanings = {
        "windows_per_series": "which run, see above",
        "steps": "training steps",
        **table.bracket_columns(
            "delta", _DELTA_UPPER, _DELTA_LOWER, ("delta_upper_meaning", "delta_lower_meaning")
        ),
    }
    return table.Table(
        title=f"delta at epsilon = {first.epsilon!r} over training steps",
        about=[
            f"protected: {table.whom(first.scenario)}",
            *settings,
            *table.condition_lines([bound for run in runs for bound in run.upper.bounds]),
        ],
        meanings=meanings,
        cells=pd.concat(cells, ignore_index=True)[[*meanings]],
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
        "composed": "how often the upper bound's theorem is applied",
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
        "lower_composed": "how often it is composed",
        "lower_unit": "to what it is applied: a step or an epoch",
    }
    rows = []
    for point in ordered:
        row: dict[str, object] = {}
        row[f"{unit}_from"], row[f"{unit}_to"] = counts_alike(scenario, point, from_below=True)
        bound = point.upper.bound
        row |= {"composed": bound.count, "composed_unit": bound.unit.value}
        for side, proven in (("upper", point.upper), ("lower", point.lower)):
            if proven is not None:
                row[f"{side}_theorem"] = named_theorem(proven.bound.theorem)
                row[f"{side}_kind"] = proven.bound.kind_after_composition.value
        if point.lower is not None:
            row["lower_composed"] = point.lower.bound.count
            row["lower_unit"] = point.lower.bound.unit.value
        lower = table.known(point.lower, "bracket")
        rows.append(row | table.epsilons_of(point.upper.bracket, lower))
    return table.Table(
        title=f"epsilon over the course of training, in {unit}",
        about=about,
        meanings=meanings,
        cells=table.cells_of(rows, meanings),
    )


def sweep_table(
    runs: Sequence[tuple[str, Sequence[SweepPoint]]],
    *,
    x_name: str,
    x_meaning: str,
    whom: Mapping[str, str] = {},
) -> table.Table:
    """Return epsilon against what is varied, in the column ``x_name``.

    Args:
        runs: for each line its label and points, at least one point in all, of equal delta.
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
    rows = [
        {
            "run": label,
            x_name: point.x,
            **table.epsilons_of(upper.bracket, table.known(lower, "bracket")),
            "upper_meaning": bound_meaning(upper.bound),
            "lower_meaning": None if lower is None else bound_meaning(lower.bound),
            "individual": whom.get(label) or table.whom(point.scenario),
            "scenario": table.json_in_csv(point.scenario),
        }
        for label, line in runs
        for point in line
        for upper, lower in [(point.proven.upper, point.proven.lower)]
    ]
    return table.Table(
        title=f"epsilon at delta = {points[0].scenario.delta!r} against {x_name}",
        about=table.condition_lines([point.proven.upper.bound for point in points]),
        meanings=meanings,
        cells=table.cells_of(rows, meanings),
    )


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
    "upper": ("delta_upper", f"upper bound, {PROPOSITIONS['upper']}, composed"),
    "lower": (
        "delta_lower",
        f"lower bound, {PROPOSITIONS['lower']}, composed; attained with units of just these sizes",
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
