"""What the rows say: errors of each setting with their spread, and the answer to each claim.

When a claim counts as true, as false, or as left open was fixed before any result was known. Two
settings are compared by runs of the same seeds. The difference of their errors is taken seed by
seed, and divided by the error of the seasonal naive forecast; its mean has a t interval over seeds.
All intervals of a claim together hold with the confidence of the study: each has a larger one of
its own (Bonferroni). A claim is

- *yes* if all values in the intervals make it true,
- *no* if all values in the intervals make it false,
- *cannot tell* otherwise, and with fewer than two seeds.

The seeds decide what is drawn in training. The series stay the same, so an answer is about these
series, and its interval does not tell what others would show.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from dpviz.planning.budget_tracker import Spent
from dpviz.training_study import questions as plan
from dpviz.training_study.questions import Claim, Kind, Question
from dpviz.training_study.results import Row

YES, NO, CANNOT_TELL = "yes", "no", "cannot tell"


@dataclass(frozen=True, kw_only=True)
class Difference:
    """How much larger one error is than another, in parts of the seasonal naive forecast's.

    Args:
        low: lower end of the interval; minus infinity with fewer than two seeds.
    """

    value: float
    mean: float
    low: float
    high: float
    seeds: int


def difference(value: float, differences: Sequence[float], compared: int = 1) -> Difference:
    """Return the interval of a difference.

    Args:
        differences: one for each seed, at least one.
        compared: how many differences the claim is about.

    >>> found = difference(1.0, [0.1, 0.2, 0.3])
    >>> round(found.mean, 3), round(found.low, 3), round(found.high, 3)
    (0.2, -0.048, 0.448)
    """
    mean, number = float(np.mean(differences)), len(differences)
    half = np.inf
    if number > 1:
        quantile = stdtrit(number - 1, 1.0 - (1.0 - plan.CONFIDENCE) / (2 * compared))
        half = float(quantile * np.std(differences, ddof=1) / np.sqrt(number))
    return Difference(value=value, mean=mean, low=mean - half, high=mean + half, seeds=number)


def answer(kind: Kind, differences: Sequence[Difference], margin: float = plan.MARGIN) -> str:
    """Return what a claim came to.

    Args:
        margin: in the differences' unit.

    >>> answer(Kind.NOT_WORSE, [difference(1.0, [0.001, 0.002, 0.003])])
    'yes'
    """
    lows, highs = [one.low for one in differences], [one.high for one in differences]
    is_worse, is_not_worse = max(lows) > margin, max(highs) <= margin
    is_true, is_false = {
        Kind.LOWER: (max(highs) < 0.0, max(lows) >= 0.0),
        Kind.LOWER_SOMEWHERE: (min(highs) < 0.0, min(lows) >= 0.0),
        Kind.NOT_WORSE: (is_not_worse, is_worse),
        Kind.WORSE_SOMEWHERE: (is_worse, is_not_worse),
        Kind.WITHIN: (is_not_worse and min(lows) >= -margin, is_worse or min(highs) < -margin),
    }[kind]
    return YES if is_true else NO if is_false else CANNOT_TELL


@dataclass(frozen=True, kw_only=True)
class CellSummary:
    """The runs of one value of a setting at one budget.

    Args:
        deviation: standard deviation over seeds (n - 1); ``None`` of a single one.
        spent: the largest proven epsilon of all seeds; ``None`` without privacy.
    """

    value: float
    epsilon: float
    seeds: int
    mean: float
    deviation: float | None
    low: float
    high: float
    noise_multiplier: float | None
    spent: Spent | None


@dataclass(frozen=True, kw_only=True)
class ClaimFinding:
    """What a claim came to on some series by some model; no differences where runs are missing."""

    claim: Claim
    answer: str
    differences: tuple[Difference, ...]


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What a question came to on some series with some model.

    Args:
        cells: its errors, those of values and budgets that were trained.
        untrained_crps: mean over seeds of that of the model before its first step.
    """

    question: Question
    data: str
    model: str
    cells: tuple[CellSummary, ...]
    baseline_crps: float
    untrained_crps: float | None
    claims: tuple[ClaimFinding, ...]

    @property
    def spent(self) -> list[Spent]:
        """What is proven of each private cell."""
        return [cell.spent for cell in self.cells if cell.spent is not None]

    @property
    def delta(self) -> float | None:
        """At which epsilon holds; ``None`` if no run was private."""
        return next((one.delta for one in self.spent), None)

    def cell(self, value: float, epsilon: float) -> CellSummary | None:
        """Return the errors of a value at a budget, if there are any."""
        found = (one for one in self.cells if (one.value, one.epsilon) == (value, epsilon))
        return next(found, None)


def findings(
    rows: Sequence[Row], questions: Iterable[Question] = plan.QUESTIONS.values()
) -> list[Finding]:
    """Return what rows came to, by question, series and model in the order of the plan."""
    return [
        one
        for question in questions
        for data in plan.DATA
        for model in question.models
        if (one := finding(question, rows, data, model)) is not None
    ]


def finding(question: Question, rows: Sequence[Row], data: str, model: str) -> Finding | None:
    """Return what a question came to; ``None`` without any run of that model on those series."""
    own = [
        row for row in rows if (row.question, row.data, row.model) == (question.name, data, model)
    ]
    if not own:
        return None
    untrained = [row.untrained_crps for row in own if row.untrained_crps is not None]
    return Finding(
        question=question,
        data=data,
        model=model,
        cells=tuple(
            _summary([*runs.values()])
            for value, epsilon in question.cells
            if (runs := _of_cell(own, value, epsilon))
        ),
        baseline_crps=own[0].baseline_crps,
        untrained_crps=float(np.mean(untrained)) if untrained else None,
        claims=tuple(_claimed(question, claim, own) for claim in question.claims),
    )


def _summary(runs: Sequence[Row]) -> CellSummary:
    errors, first = [row.crps for row in runs], runs[0]
    return CellSummary(
        value=first.value,
        epsilon=first.epsilon,
        seeds=len(runs),
        mean=float(np.mean(errors)),
        deviation=float(np.std(errors, ddof=1)) if len(errors) > 1 else None,
        low=min(errors),
        high=max(errors),
        noise_multiplier=first.noise_multiplier,
        # Larger ones are no less proven, so the largest stands for all.
        spent=max(
            (row.spent for row in runs if row.spent),
            key=lambda spent: np.inf if spent.epsilon is None else spent.epsilon,
            default=None,
        ),
    )


def _claimed(question: Question, claim: Claim, rows: Sequence[Row]) -> ClaimFinding:
    found = []
    for value in claim.values:
        if not (pairs := _pairs(question, claim, value, rows)):
            return ClaimFinding(claim=claim, answer=CANNOT_TELL, differences=())
        found.append(difference(value, pairs, len(claim.values)))
    return ClaimFinding(claim=claim, answer=answer(claim.kind, found), differences=tuple(found))


def _pairs(question: Question, claim: Claim, value: float, rows: Sequence[Row]) -> list[float]:
    """Return the differences of errors, seed by seed, in parts of the baseline's."""
    of_value, against = _of_cell(rows, value, claim.epsilon), claim.against
    if against == plan.PREVIOUS:
        against = question.values[question.values.index(value) - 1]
    others: dict[int, float | None]
    if isinstance(against, str):
        name = "baseline_crps" if against == plan.SEASONAL_NAIVE else "untrained_crps"
        others = {seed: getattr(row, name) for seed, row in of_value.items()}
    else:
        compared = _of_cell(rows, against, claim.epsilon)
        others = {seed: row.crps for seed, row in compared.items()}
    return [
        (row.crps - other) / row.baseline_crps
        for seed, row in sorted(of_value.items())
        if (other := others.get(seed)) is not None
    ]


def _of_cell(own: Sequence[Row], value: float, epsilon: float | None) -> dict[int, Row]:
    """Return a question's runs of one cell by their seeds; without an epsilon that is the value."""
    cell = (value, value if epsilon is None else epsilon)
    return {row.seed: row for row in own if (row.value, row.epsilon) == cell}
