"""Runs and settings side by side, as tables: compared runs, the ledger, maps, a sweep's rows."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.export import table
from dpviz.guarantees import covers_noise_on_windows, guarantee_for
from dpviz.planning.comparison import Best, ComparedRun, best_epsilon, best_noise, check_same_delta
from dpviz.planning.label_noise import NOISES, NoiseMap, noisy_bound, without_noise
from dpviz.planning.ledger import Ledger
from dpviz.planning.region import RegionMap
from dpviz.sweeps.results import SweepResults
from dpviz.wording.comparison_table import kind_name, protected_by
from dpviz.wording.label_noise import coarseness
from dpviz.wording.ledger import ADAPTIVITY, lower_words
from dpviz.wording.numbers import counted
from dpviz.wording.plan import goal_words
from dpviz.wording.region_map import axis_title
from dpviz.wording.scope import named_protected_unit, protected_in, relation_name
from dpviz.wording.theorems import bound_meaning, named_theorem, whole_meaning

_NOISE_PER_GRADIENT = (
    "sigma / Lambda (of bins sigma K / (N lambda)), standard deviation of the noise on "
)
_TIES = "several if they tie in four digits, rounded up"
_BRACKET_LOW = "the exact value of that bound lies between this and epsilon_upper"
_COMPARED = {
    "run": "which run, see above",
    "delta": "failure probability at which all are compared",
    "epsilon_upper": "epsilon is proven to be at most this, in nats, for what upper_protects says; "
    "empty where no finite epsilon is proven",
    "epsilon_upper_bracket_low": _BRACKET_LOW,
    "kind": "of epsilon_upper after composition: upper, or tight (some model attains it)",
    "upper_theorem": "which bound is composed mirrored to epsilon_upper; the smallest counts",
    "upper_composed": "how often it is composed",
    "upper_unit": "to what it is applied: a step or an epoch",
    "upper_protects": "which change of the data epsilon_upper hides, and on what condition",
    "epsilon_lower": "some gradients attain at least this epsilon for one individual; empty where "
    "no lower bound is proven or resolved",
    "epsilon_lower_bracket_high": "the exact value of that bound lies between epsilon_lower and "
    f"this; {table.ATTACKS}",
    "lower_theorem": "whose attained pair is composed to epsilon_lower",
    "lower_composed": "how often it is composed",
    "lower_unit": "to what it is applied: a step or an epoch",
    "noise_per_gradient": f"{_NOISE_PER_GRADIENT}an averaged gradient, in clipping norms; without "
    "noise on context and labels",
    "noise_multiplier": "sigma, standard deviation of the noise on the sum of gradients, in "
    "clipping norms",
    "batch_size": "Lambda, the (expected) number of windows in a batch",
    "num_subsequences": "lambda, the (expected) number of windows from each drawn series; empty "
    "of one bag, which has none",
    "steps": "training steps in all",
    "epochs": "epochs that have begun when training ends",
    "top_rate": "rho, share of the series (of one bag: of the windows) in a batch",
    "bottom_rate": "r, share of the windows of a series that one individual touches",
    "best_epsilon": "yes for the smallest epsilon_upper of an individual that protects at least "
    f"what the others do; {_TIES}",
    "best_noise": f"yes for the smallest noise_per_gradient; {_TIES}",
}


def comparison_table(runs: Sequence[ComparedRun]) -> table.Table:
    """Return runs side by side, a row each; their names have no comma.

    Raises:
        ScenarioError: two have different deltas.
    """
    check_same_delta(runs)
    best = best_epsilon(runs), best_noise(runs)
    rows = [_compared_row(run, *best) for run in runs]
    return table.Table(
        title="training runs compared",
        about=[f"{run.name}: {line}" for run in runs for line in _provenance(run)],
        meanings=_COMPARED,
        cells=table.cells_of(rows, _COMPARED),
    )


def _provenance(run: ComparedRun) -> list[str]:
    lines = [table.scenario_line(run.scenario), table.training_line(run.scenario)]
    if run.refusal:
        return [*lines, f"no bound covers it: {run.refusal}"]
    if run.curves is None:
        return lines
    bound = run.curves.upper.bound
    lines.append(f"epsilon_upper protects: {protected_by(run)}")
    if bound.extension:
        lines.append(f"epsilon_upper: {bound.extension}")
    if run.curves.lower is None:
        return [*lines, "epsilon_lower: none proven"]
    return [*lines, f"epsilon_lower is about: {named_protected_unit(run.curves)}"]


def _compared_row(run: ComparedRun, epsilon: Best, noise: Best) -> dict[str, object]:
    scenario, curves = run.scenario, run.curves
    row: dict[str, object] = {
        "run": run.name,
        "delta": scenario.delta,
        "kind": kind_name(run),
        "upper_protects": protected_by(run),
        "noise_per_gradient": run.noise_per_gradient,
        "noise_multiplier": scenario.noise.noise_multiplier,
        "batch_size": scenario.sampling.batch_size,
        "num_subsequences": None
        if scenario.sampling.is_bag
        else scenario.sampling.num_subsequences,
        "steps": scenario.num_steps,
        "epochs": scenario.num_epochs,
        "top_rate": scenario.top_rate,
        "bottom_rate": scenario.bottom_rate,
        "best_epsilon": "yes" if run.name in epsilon.names else "",
        "best_noise": "yes" if run.name in noise.names else "",
    }
    if curves is None:
        return row
    row |= table.epsilons_of(curves.upper.bracket, table.known(curves.lower, "bracket"))
    for side, curve in (("upper", curves.upper), ("lower", curves.lower)):
        if curve is not None:
            row[f"{side}_theorem"] = named_theorem(curve.bound.theorem)
            row[f"{side}_composed"] = curve.bound.count
            row[f"{side}_unit"] = curve.bound.unit.value
    return row


_LEDGER = {
    "place": "of the run in the ledger, or all",
    "epsilon_upper": "proven to be at most this, in nats, at the delta above; empty where no "
    "finite one is certified",
    "epsilon_lower": "some gradients attain at least this; in the row of all runs only",
    "epsilon_upper_of_all_others": "upper bound on all runs but this one",
    "share_of_loss_variance": "part of the variance of the privacy loss, about",
    "theorem": "of the upper bound",
    "unit": "what that theorem is about",
    "count": "of units that are composed",
    "scenario": "the run's set-up, to be read by dpviz; its name is in the JSON of the ledger",
}


def ledger_table(ledger: Ledger) -> table.Table:
    """Return the total and each run.

    Names are left out: what somebody typed could be a formula to a spreadsheet.
    """
    numbered = list(enumerate(ledger.rows, start=1))
    least = table.known(ledger.lower, "low")
    total = {"place": "all", "epsilon_upper": ledger.upper.high, "epsilon_lower": least}
    rows = [
        {
            "place": place,
            "epsilon_upper": row.alone.quoted,
            "epsilon_upper_of_all_others": row.without,
            "share_of_loss_variance": row.share,
            "theorem": row.bound.theorem,
            "unit": row.bound.unit.value,
            "count": row.bound.count,
            "scenario": table.json_in_csv(row.scenario),
        }
        for place, row in numbered
    ]
    return table.Table(
        title=f"{counted(len(ledger.rows), 'training run')} on the same data, at delta = "
        f"{ledger.delta!r}",
        about=[
            f"protected: {table.whom(ledger.rows[0].scenario)}",
            *(f"condition: {condition}" for condition in ledger.conditions),
            f"adaptivity: {ADAPTIVITY}",
            *(f"run {at}: {row.bound.extension}" for at, row in numbered if row.bound.extension),
            f"epsilon_lower: {lower_words(ledger)}",
        ],
        meanings=_LEDGER,
        cells=table.cells_of([total, *rows], _LEDGER),
    )


_REGION = {
    "epsilon_upper": "epsilon at the scenario's delta is proven to be at most this, in nats; empty "
    "where no finite epsilon is certified, or there is no answer",
    "epsilon_upper_bracket_low": f"{_BRACKET_LOW}, empty where it was not computed; not a lower "
    "bound on the training's epsilon",
    "upper_meaning": table.BOUND_MEANING,
    "upper_protects": "whom that bound protects",
    "meets_goal": "True where the upper bound is proven to meet the goal; False says that this is "
    "not proven, not that training gives more away",
    "noise_per_gradient": f"{_NOISE_PER_GRADIENT}each coordinate of an averaged gradient, in "
    "clipping norms",
    "training_steps": "steps of the whole training",
    "no_answer": "why no bound is known: the setting is not allowed, or no theorem covers it",
    "scenario": "the whole training set-up of the row, to be read by dpviz",
}


def region_table(region: RegionMap) -> table.Table:
    """Return every computed field of the map of settings that meet a goal."""
    axes = (region.x, region.y)
    names = [
        region.scenario.training.unit if axis.quantity == "training" else axis.quantity
        for axis in axes
    ]
    titles = (axis_title(region.scenario, axis.quantity) for axis in axes)
    meanings = dict(zip(names, titles, strict=True)) | _REGION
    computed = "" if region.is_complete else f" (only {len(region.cells)} fields are computed yet)"
    rows = []
    for at in sorted(region.cells, key=lambda at: (at[1], at[0])):
        row = dict[str, object](zip(names, region.values_at(at), strict=True))
        cell = region.cells[at]
        if isinstance(cell, str):
            rows.append(row | {"no_answer": cell})
            continue
        answer = {
            "epsilon_upper": cell.upper.quoted,
            "epsilon_upper_bracket_low": None if cell.only_quoted else cell.upper.bracket.low,
            "upper_meaning": bound_meaning(cell.bound),
            "upper_protects": table.whom(cell.scenario),
            "meets_goal": cell.meets,
            "noise_per_gradient": cell.noise_per_gradient,
            "training_steps": cell.scenario.num_steps,
            "scenario": table.json_in_csv(cell.scenario),
        }
        rows.append(row | answer)
    settings = table.json_in_csv(region.scenario)
    return table.Table(
        title=f"which settings meet a goal{computed}",
        about=[
            f"goal: {goal_words(region.goal)}",
            f"settings around which the map is drawn: {settings}",
            f"delta: {region.scenario.delta!r}",
            *table.condition_lines([point.bound for point in region.points.values()]),
        ],
        meanings=meanings,
        cells=table.cells_of(rows, meanings),
    )


def noise_map_table(noise_map: NoiseMap) -> table.Table:
    """Return the map of epsilon over noise on context and labels."""
    scenario = noise_map.scenario
    plain, noisy = guarantee_for(without_noise(scenario)).upper, noisy_bound(scenario)
    uncovered = "no theorem covers the noise: epsilon is that of the run without it"
    labels, context = np.meshgrid(NOISES, NOISES, indexing="ij")
    epsilon = np.where(np.isfinite(noise_map.epsilon), noise_map.epsilon, np.nan)
    settings = table.json_in_csv(scenario)
    return table.Table(
        title="epsilon over noise on context and labels",
        about=[
            f"scenario, of which the map replaces the noise on windows: {settings}",
            table.training_line(scenario),
            f"protected: {protected_in(scenario)} ({relation_name(scenario.relation)})",
            f"delta: {scenario.delta!r}",
            f"without noise on windows: {whole_meaning(plain)}",
            f"with it: {whole_meaning(noisy)}",
            coarseness(noise_map, has_all_digits=True),
        ],
        meanings={
            "sigma_C": "standard deviation of the noise on each context value, in units of v",
            "sigma_F": "standard deviation of the noise on each label, in units of v",
            "q": "the rate of Theorem G.1 or its extension (without noise: of Theorem 4.4 or 4.2), "
            "on which alone epsilon depends; empty where no theorem covers the noise",
            "q_of_epsilon": "the next larger rate of the table from which epsilon is taken",
            "epsilon_upper": "epsilon at the scenario's delta is proven to be at most this; empty "
            "where none is proven",
            "bound_at_least": "the value of the bound at q, computed without rounding, is at least "
            "this; not a lower bound on the training's epsilon",
        },
        source=[] if covers_noise_on_windows(scenario) else [uncovered],
        cells=pd.DataFrame(
            {
                "sigma_C": context.ravel(),
                "sigma_F": labels.ravel(),
                "q": noise_map.rates.ravel(),
                "q_of_epsilon": noise_map.table_rates.ravel(),
                "epsilon_upper": epsilon.ravel(),
                "bound_at_least": noise_map.at_least.ravel(),
            }
        ),
    )


def sweep_rows_table(results: SweepResults, rows: NDArray[np.int64]) -> table.Table:
    """Return the numbers of some rows of a sweep, as its file has them."""
    numbers = {
        # What the file leaves out is left out here, too, whatever it then means.
        name: np.where(results.fields.get(name, values)[rows] == "", np.nan, values[rows])
        for name, values in results.numbers.items()
        if name not in results.names
    }
    words = {
        name: [table.plain_cell(str(one)) for one in values[rows].tolist()]
        for name, values in {**results.fields, **results.words}.items()
        if name not in numbers
    }
    told = {name: cells for name, cells in words.items() if any(cells)}
    return table.Table(
        title=f"{counted(len(rows), 'row')} of a sweep, as its file has them",
        about=[
            "epsilon_upper: proven to be at most this, in nats, at the row's delta",
            "epsilon_lower: some gradients attain at least this; empty where none is proven",
            "columns that begin with upper or lower are about these two; unit is what count counts",
        ],
        cells=pd.DataFrame({"row": results.rows[rows]} | numbers | told),
    )
