"""What a training script prints and saves about the privacy of the model it has trained."""

from dataclasses import replace
from typing import Any

import dpviz
from dpviz.planning.budget_tracker import BudgetTracker, Spent
from dpviz.scenario import Training, to_fields
from dpviz.wording.numbers import counted, rounded_up
from dpviz.wording.scope import protected_in, relation_name
from dpviz.wording.theorems import composed_units, named_theorem


def spent_sentence(spent: Spent) -> str:
    """Return the proven epsilon with its meaning, as one line in ASCII.

    >>> from dpviz.planning.budget_tracker import BudgetTracker
    >>> from dpviz.planning.target import Target
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
    return f"{reached} at delta {spent.delta} after {counted(spent.steps, 'step')} ({source})"


def training_statement(tracker: BudgetTracker, steps: int, clipping_norm: float) -> dict[str, Any]:
    """Return what is proven about a trained model, as data for a JSON file.

    ``python -m dpviz epsilon --scenario FILE`` reads such a file and computes its epsilon again.

    Args:
        tracker: the budget tracker of the training run.
        steps: training steps taken.
        clipping_norm: C, the norm that each window's gradient was clipped to.
    """
    spent, scenario = tracker.spent_after(steps), tracker.scenario
    bound = spent.bound
    statement = {
        "statement": spent_sentence(spent),
        "epsilon": spent.epsilon,
        "delta": spent.delta,
        "direction": "upper bound",
        "theorem": named_theorem(bound.theorem),
        "composed_over": composed_units(bound),
        "steps": steps,
        "target_epsilon": tracker.target.epsilon,
        "protects": f"{protected_in(scenario)} ({relation_name(scenario.relation)})",
        "only_if": bound.condition,
        "extension": bound.extension,
        "clipping_norm": clipping_norm,
        "gradient_noise_deviation": scenario.noise.noise_multiplier * clipping_norm,
        "made_with": f"dpviz {dpviz.__version__}",
        "scenario": to_fields(replace(scenario, training=Training(unit="steps", count=steps))),
    }
    return {name: value for name, value in statement.items() if value != ""}
