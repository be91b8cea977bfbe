"""The map of epsilon over noise on context and labels as CSV, with every column explained."""

import io

import numpy as np
import pandas as pd

import dpviz
from dpviz.export.json_in_csv import json_in_csv
from dpviz.guarantees import Bound, covers_noise_on_windows, guarantee_for
from dpviz.planning.label_noise import NOISES, NoiseMap, noisy_bound, without_noise
from dpviz.wording.label_noise import coarseness
from dpviz.wording.scope import protected_unit, relation_name, run_length, scheme_name
from dpviz.wording.theorems import bound_meaning

_COLUMNS = """sigma_C: standard deviation of the noise on each context value, in units of v
sigma_F: standard deviation of the noise on each label, in units of v
q: the rate of Theorem G.1 or its extension (without noise: of Theorem 4.4 or 4.2), on which alone \
epsilon depends; empty where no theorem covers the noise
q_of_epsilon: the next larger rate of the table from which epsilon is taken
epsilon_upper: epsilon at the scenario's delta is proven to be at most this; empty where none is \
proven
bound_at_least: the value of the bound at q, computed without rounding, is at least this; not a \
lower bound on the training's epsilon"""


def noise_map_csv(shown: NoiseMap) -> str:
    """Return the map as CSV text; lines that begin with # describe it.

    Numbers have all their digits; ``pandas.read_csv(path, comment="#")`` reads the table.

    Args:
        shown: the map, best as fine as it gets.
    """
    scenario = shown.scenario
    plain, noisy = guarantee_for(without_noise(scenario)).upper, noisy_bound(scenario)
    relation = scenario.relation
    individual = f"{protected_unit(relation, scenario.units)} ({relation_name(relation)})"
    lines = [
        f"dpviz {dpviz.__version__}: epsilon over noise on context and labels",
        f"scenario, of which the map replaces the noise on windows: {json_in_csv(scenario)}",
        f"training: {run_length(scenario)} with "
        f"{scheme_name(scenario.sampling)}; {scenario.steps_per_epoch} steps per "
        "epoch",
        f"protected: {individual}",
        f"delta: {scenario.delta!r}",
        f"without noise on windows: {_words(plain)}",
        f"with it: {_words(noisy)}",
        coarseness(shown),
        *_COLUMNS.splitlines(),
    ]
    if not covers_noise_on_windows(scenario):
        lines.append("no theorem covers the noise: epsilon is that of the run without it")
    labels, context = np.meshgrid(NOISES, NOISES, indexing="ij")
    epsilon = np.where(np.isfinite(shown.epsilon), shown.epsilon, np.nan)
    table = pd.DataFrame(
        {
            "sigma_C": context.ravel(),
            "sigma_F": labels.ravel(),
            "q": shown.rates.ravel(),
            "q_of_epsilon": shown.table_rates.ravel(),
            "epsilon_upper": epsilon.ravel(),
            "bound_at_least": shown.at_least.ravel(),
        }
    )
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in lines)
    table.to_csv(text, index=False, lineterminator="\n")
    return text.getvalue()


def _words(bound: Bound) -> str:
    said = [bound_meaning(bound), bound.extension, bound.condition and f"if {bound.condition}"]
    return "; ".join(part for part in said if part)
