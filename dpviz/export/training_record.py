"""What is printed, saved and answered of a training run: errors, and what its privacy has cost."""

from typing import Any

import dpviz
from dpviz.planning.budget_tracker import BudgetTracker, Spent
from dpviz.planning.over_steps import after_steps
from dpviz.planning.target import Target
from dpviz.scenario import Scenario, to_fields
from dpviz.training.progress import TrainingResult
from dpviz.wording.numbers import counted, rounded_up
from dpviz.wording.scope import protected_in, relation_name
from dpviz.wording.small_run import is_finite, not_finite_note
from dpviz.wording.theorems import composed_units, named_theorem, qualifier


def spent_sentence(spent: Spent) -> str:
    """Return the proven epsilon with its meaning, as one line in ASCII.

    >>> from dpviz.scenario import PRESETS
    >>> tracker = BudgetTracker(PRESETS["toy"].scenario, Target(epsilon=10.0, delta=1e-7))
    >>> print(spent_sentence(tracker.spent_after(126)))
    epsilon <= 9.998 at delta 1e-07 after 126 steps (Theorem 4.4, upper bound over 126 steps)
    """
    bound = spent.bound
    source = f"{named_theorem(bound.theorem)}, upper bound over {composed_units(bound)}"
    if spent.epsilon is None:
        reached = "no finite epsilon is proven"
    else:
        text = rounded_up(spent.epsilon)
        # A console may know no superscripts; all digits of an upper bound are one, too.
        reached = f"epsilon <= {text if text.isascii() else repr(spent.epsilon)}"
    after = f"{reached} at delta {spent.delta} after {counted(spent.steps, 'step')}"
    return f"{after} ({source}{qualifier(bound)})"


def training_statement(tracker: BudgetTracker, steps: int, clipping_norm: float) -> dict[str, Any]:
    """Return what is proven about a trained model, as data for a JSON file.

    ``python -m dpviz epsilon --scenario FILE`` reads such a file and computes its epsilon again.
    ``clipping_norm`` is C, the norm that each window's gradient was clipped to.
    """
    spent, scenario = tracker.spent_after(steps), tracker.scenario
    return {
        "statement": spent_sentence(spent),
        "epsilon": spent.epsilon,
        **_meaning(spent, tracker.target, scenario),
        "steps": steps,
        "clipping_norm": clipping_norm,
        "gradient_noise_deviation": scenario.noise.noise_multiplier * clipping_norm,
        "made_with": f"dpviz {dpviz.__version__}",
        "scenario": to_fields(after_steps(scenario, steps)),
    }


def _meaning(spent: Spent, target: Target, scenario: Scenario) -> dict[str, Any]:
    """Return what the proven epsilon rests on, and whom it protects."""
    bound = spent.bound
    told = {
        "delta": spent.delta,
        "direction": "upper bound",
        "theorem": named_theorem(bound.theorem),
        "composed_over": composed_units(bound),
        "target_epsilon": target.epsilon,
        "protects": f"{protected_in(scenario)} ({relation_name(scenario.relation)})",
        "only_if": bound.condition,
        "extension": bound.extension,
    }
    return {name: value for name, value in told.items() if value != ""}


WITHOUT_PRIVACY = "trained without privacy: no noise, no clipping, and nobody is protected"
NOTHING_TRAINED = (
    "nothing was trained, so no budget was spent; the forecasts repeat values of their series, and "
    "are not private"
)
KNOWN_SEED = "the seed was given: whoever knows it can subtract the noise"
_ERROR = (
    "mean weighted quantile loss of the test windows at levels 0.1 to 0.9, as GluonTS reports the "
    "CRPS; lower is better"
)


def training_answer(result: TrainingResult, *, is_calibrated: bool) -> dict[str, Any]:
    """Return a result as data for JSON.

    ``python -m dpviz epsilon --scenario FILE`` reads its scenario, which is of the steps that were
    accounted for, and computes its epsilon again.
    """
    settings, spent = result.settings, result.spent
    statement, private = NOTHING_TRAINED, dict[str, Any](is_private=False)
    if spent is None and result.steps > 0:
        statement = WITHOUT_PRIVACY
    elif spent is not None:
        statement = spent_sentence(spent)
    if spent is not None and settings.target is not None:
        meaning = _meaning(spent, settings.target, settings.scenario)
        private = {"is_private": True, **meaning, "steps_accounted": spent.steps}
    answer = {
        "crps": _finite(result.crps),
        "baseline_crps": _finite(result.baseline_crps),
        "error": _ERROR,
        "epsilon_spent": result.epsilon_spent,
        "steps": result.steps,
        "statement": statement,
        **private,
        "model": settings.model,
        "parameters": len(result.parameters),
        "model_selection": result.model_selection,
        "best_step": result.best_step,
        "not_accounted": list(result.not_accounted),
        "steps_asked": settings.most_steps,
        "steps_allowed": result.last_allowed,
        "optimizer": settings.optimizer,
        "learning_rate": settings.learning_rate,
        "seed": settings.seed,
        "seconds": result.seconds,
        "versions": result.versions,
    }
    if said := not_finite_note(result.crps, result.baseline_crps):
        answer["error_is_not_finite"] = said
    if (scenario := result.accounted_scenario) is not None:
        noise = settings.scenario.noise.noise_multiplier
        answer |= {
            "clipping_norm": settings.clipping_norm,
            "noise_multiplier": noise,
            "noise_multiplier_is": f"the smallest found for {counted(settings.most_steps, 'step')}"
            if is_calibrated
            else "as given",
            "gradient_noise_deviation": noise * settings.clipping_norm,
            "scenario": to_fields(scenario),
        }
        if settings.seed is not None:
            answer["seed_is_known"] = KNOWN_SEED
    return answer


def _finite(error: float) -> float | None:
    """Return an error as JSON can hold it: ``None`` where it is not finite.

    >>> _finite(0.5), _finite(float("inf"))
    (0.5, None)
    """
    return error if is_finite(error) else None
