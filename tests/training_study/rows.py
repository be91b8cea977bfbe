"""Rows made by hand."""

from dpviz.training_study.questions import DELTA, QUESTIONS
from dpviz.training_study.results import Row, with_epsilon


def row(
    question: str,
    value: float,
    epsilon: float,
    seed: int,
    crps: float,
    *,
    share_spent: float = 0.99,
    **others,
) -> Row:
    """Return a row whose baseline has an error of 1, and that spent a share of its budget."""
    is_private = epsilon != float("inf")
    made = Row(
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
            "spent": None,
            "noise_multiplier": 2.0 if is_private else None,
            "steps": 500,
            "seconds": 1.0,
        }
        | others
    )
    return with_epsilon(made, share_spent * epsilon, DELTA) if is_private else made


def rows_of(question: str, errors: dict[tuple[float, float], list[float]], **others) -> list[Row]:
    """Return rows of a question, for each value and budget the errors of seeds 1, 2 and so on."""
    return [
        row(question, value, epsilon, seed, crps, **others)
        for (value, epsilon), found in errors.items()
        for seed, crps in enumerate(found, start=1)
    ]
