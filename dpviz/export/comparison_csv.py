"""Runs side by side as CSV, with a header that says what every column means."""

import io
from collections.abc import Sequence

import pandas as pd

import dpviz
from dpviz.export.json_in_csv import json_in_csv
from dpviz.planning import ProvenCurve
from dpviz.planning.comparison import Best, ComparedRun, best_epsilon, best_noise, check_same_delta
from dpviz.wording.comparison_table import kind_name, protected_by
from dpviz.wording.scope import individual, run_length, scheme_name
from dpviz.wording.theorems import named_theorem

_COLUMNS = """run: which run, see above
delta: failure probability at which all are compared
epsilon_upper: epsilon is proven to be at most this, in nats, for what upper_protects says; empty \
where no finite epsilon is proven
epsilon_upper_bracket_low: the exact value of that bound lies between this and epsilon_upper
kind: of epsilon_upper after composition: upper, or tight (some model attains it)
upper_theorem: which bound is composed mirrored to epsilon_upper; the smallest counts
upper_composed: how often it is composed
upper_unit: to what it is applied: a step or an epoch
upper_protects: which change of the data epsilon_upper hides, and on what condition
epsilon_lower: some gradients attain at least this epsilon for one individual; empty where no \
lower bound is proven or resolved
epsilon_lower_bracket_high: the exact value of that bound lies between epsilon_lower and this
lower_theorem: whose attained pair is composed to epsilon_lower
lower_composed: how often it is composed
lower_unit: to what it is applied: a step or an epoch
noise_per_gradient: sigma / Lambda, standard deviation of the noise on an averaged gradient, in \
clipping norms; without noise on context and labels
noise_multiplier: sigma, standard deviation of the noise on the sum of gradients, in clipping norms
batch_size: Lambda, the (expected) number of windows in a batch
num_subsequences: lambda, the (expected) number of windows from each drawn series
steps: training steps in all
epochs: epochs that have begun when training ends
top_rate: rho, share of the series (of one bag: of the windows) in a batch
bottom_rate: r, share of the windows of a series that one individual touches
best_epsilon: yes for the smallest epsilon_upper of an individual that protects at least what the \
others do; several if they tie
best_noise: yes for the smallest noise_per_gradient; several if they tie"""

# Of a run without a bound they are missing, and would make floats of the others.
_COUNTS = ("upper_composed", "lower_composed")


def comparison_csv(runs: Sequence[ComparedRun]) -> str:
    """Return the comparison as CSV text; lines that begin with # describe it.

    Numbers have all their digits; ``pandas.read_csv(path, comment="#")`` reads the table.

    Args:
        runs: with names without a comma, all at the same delta.

    Raises:
        ScenarioError: two have different deltas.

    >>> from dpviz.planning import curves_of
    >>> from dpviz.scenario import PRESETS
    >>> toy = PRESETS["toy"].scenario
    >>> run = ComparedRun(name="now", scenario=toy, curves=curves_of(toy))
    >>> comparison_csv([run]).splitlines()[-1][:16]
    'now,1e-07,19.027'
    """
    check_same_delta(runs)
    lines = [f"dpviz {dpviz.__version__}: training runs compared"]
    for run in runs:
        lines += [f"{run.name}: {line}" for line in _provenance(run)]
    lines += _COLUMNS.splitlines()
    best = best_epsilon(runs), best_noise(runs)
    rows = [_row(run, *best) for run in runs]
    names = [line.partition(":")[0] for line in _COLUMNS.splitlines()]
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in lines)
    # lineterminator: the same bytes on every system; repr digits: floats read back exactly.
    table = pd.DataFrame(rows, columns=names).astype(dict.fromkeys(_COUNTS, "Int64"))
    table.to_csv(text, index=False, lineterminator="\n")
    return text.getvalue()


def _provenance(run: ComparedRun) -> list[str]:
    scenario = run.scenario
    lines = [
        f"scenario: {json_in_csv(scenario)}",
        f"training: {run_length(scenario)} with "
        f"{scheme_name(scenario.sampling)}; "
        f"{scenario.steps_per_epoch} steps per epoch",
    ]
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
    return [*lines, f"epsilon_lower is about: {individual(run.curves)}"]


def _row(run: ComparedRun, epsilon: Best, noise: Best) -> dict[str, object]:
    scenario, curves = run.scenario, run.curves
    row: dict[str, object] = {
        "run": run.name,
        "delta": scenario.delta,
        "kind": kind_name(run),
        "upper_protects": protected_by(run),
        "noise_per_gradient": run.noise_per_gradient,
        "noise_multiplier": scenario.noise.noise_multiplier,
        "batch_size": scenario.sampling.batch_size,
        "num_subsequences": scenario.sampling.num_subsequences,
        "steps": scenario.num_steps,
        "epochs": scenario.num_epochs,
        "top_rate": scenario.top_rate,
        "bottom_rate": scenario.bottom_rate,
        "best_epsilon": "yes" if run.name in epsilon.names else "",
        "best_noise": "yes" if run.name in noise.names else "",
    }
    if curves is None:
        return row
    upper = curves.upper
    row |= {"epsilon_upper": upper.bracket.high, "epsilon_upper_bracket_low": upper.bracket.low}
    row |= _source("upper", upper)
    if curves.lower is not None:
        lower = curves.lower
        row |= {
            "epsilon_lower": lower.bracket.low,
            "epsilon_lower_bracket_high": lower.bracket.high,
        }
        row |= _source("lower", lower)
    return row


def _source(side: str, curve: ProvenCurve) -> dict[str, object]:
    return {
        f"{side}_theorem": named_theorem(curve.bound.theorem),
        f"{side}_composed": curve.bound.count,
        f"{side}_unit": curve.bound.unit.value,
    }
