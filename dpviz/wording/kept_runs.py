"""Runs of one visit beside each other."""

from collections.abc import Sequence

from dpviz.training.progress import TrainingResult
from dpviz.wording.forecast_error import error_text
from dpviz.wording.numbers import power_of_ten, rounded, rounded_up
from dpviz.wording.scope import relation_name, scheme_name
from dpviz.wording.theorems import brief_source, condition_clause


def kept_table(results: Sequence[TrainingResult]) -> str:
    """Return finished runs as a Markdown table, the latest first."""
    rows = [
        "| CRPS | naive | ε, at most | by | hides | model | λ | σ | σ_C | σ_F | Λ | drawn | "
        "steps | seed |",
        "|" + " --- |" * 14,
    ]
    rows += [f"| {' | '.join(_cells(result))} |" for result in results]
    return "\n".join(rows)


def _cells(result: TrainingResult) -> list[str]:
    settings = result.settings
    scenario = settings.scenario
    sampling, noise = scenario.sampling, scenario.noise
    epsilon, by, hides, sigmas = "none: without privacy", "", "nobody", ["none"] * 3
    if settings.is_private:
        sigmas = [
            rounded(size)
            for size in (noise.noise_multiplier, noise.context_noise, noise.forecast_noise)
        ]
        hides = relation_name(scenario.relation).partition(":")[0]
        if (spent := result.spent) is None:
            epsilon = "nothing trained"
        else:
            at = f"at δ = {power_of_ten(spent.delta)}"
            number = "not finite" if spent.epsilon is None else rounded_up(spent.epsilon)
            epsilon = f"{number} {at}"
            by = brief_source(spent.bound) + condition_clause(spent.bound)
    return [
        error_text(result.crps),
        error_text(result.baseline_crps),
        epsilon,
        by,
        hides,
        settings.model,
        str(sampling.num_subsequences),
        *sigmas,
        f"{sampling.batch_size:,}",
        scheme_name(sampling),
        f"{result.steps:,}",
        "fresh" if settings.seed is None else f"{settings.seed:,}",
    ]
