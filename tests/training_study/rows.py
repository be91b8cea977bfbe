"""Rows made by hand."""

from dpviz.training_study.questions import QUESTIONS
from dpviz.training_study.results import Row


def row(question: str, value: float, epsilon: float, seed: int, crps: float, **others) -> Row:
    """Return a row whose baseline has an error of 1."""
    is_private = epsilon != float("inf")
    return Row(
        **{
            "question": question,
            "data": "generated",
            "model": "linear",
            "setting": QUESTIONS[question].setting,
            "value": value,
            "epsilon": epsilon,
            "seed": seed,
            "crps": crps,
            "baseline_crps": 1.0,
            "untrained_crps": 1.1,
            "epsilon_spent": 0.99 * epsilon if is_private else None,
            "delta": 1e-7 if is_private else None,
            "theorem": "4.4" if is_private else "",
            "noise_multiplier": 2.0 if is_private else None,
            "steps": 500,
            "seconds": 1.0,
        }
        | others
    )


def rows_of(question: str, errors: dict[tuple[float, float], list[float]], **others) -> list[Row]:
    """Return rows of a question, for each value and budget the errors of seeds 1, 2 and so on."""
    return [
        row(question, value, epsilon, seed, crps, **others)
        for (value, epsilon), found in errors.items()
        for seed, crps in enumerate(found, start=1)
    ]
