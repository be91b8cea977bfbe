"""The questions of the study, and what was to be counted as their answers before any was known."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from dpviz.scenario import (
    Noise,
    Relation,
    Sampling,
    Scenario,
    Training,
    from_fields,
    to_fields,
    worst_case_lengths,
)
from dpviz.training.models import NETWORKS
from dpviz.training.panel_source import GeneratedSource, M3Source, StudiedData

PLAN = 2
"""Number of this plan: a change of anything that decides a run makes it another one."""

CONTEXT_LENGTH, FORECAST_LENGTH = 24, 6
"""L_C and L_F: two seasons, and half of one."""
BATCH_SIZE = 64
STEPS = 500
DELTA = 1e-7
"""As in the main paper, and less than one over the number of values."""
CLIPPING_NORM = 1.0
SEEDS = tuple(range(1, 11))
MARGIN = 0.02
"""A difference that does not matter, as a part of the seasonal naive forecast's CRPS."""
CONFIDENCE = 0.95
WITHOUT_PRIVACY = float("inf")
"""Stands for epsilon where no noise is added and no gradient clipped."""
LEARNING_RATES: dict[str, float] = {
    "linear": 0.002,
    "feedforward": 0.001,
    "attention": 0.0005,
    "recurrent": 0.005,
}
"""Of each model, and of Adam. Chosen by ``bench/training_study_pilot.py``, without any private run
and on series of another seed than those of the study."""
SEEDS_OF_NETWORKS = SEEDS[:3]
"""Of models that need PyTorch, which train several times as long."""
SEASONAL_NAIVE, UNTRAINED, PREVIOUS = "seasonal naive", "untrained", "previous"


# Noise on labels is measured in max_change, about a hundredth of a usual value.
DATA = {
    "generated": StudiedData(GeneratedSource(num_series=1_000, length=240, period=12, seed=1), 1.0),
    "m3": StudiedData(M3Source(), 40.0),
}
SERIES = {"generated": (1_000, 240), "m3": (474, 68)}
"""Number of series, and months of the shortest: known also where the series are not installed."""


class Kind(StrEnum):
    """What a claim says of differences A - B of two errors, in units of the margin or of nothing.

    Each difference has an interval; see :mod:`dpviz.training_study.findings`.
    """

    LOWER = "every difference is below 0"
    LOWER_SOMEWHERE = "some difference is below 0"
    NOT_WORSE = "no difference is above the margin"
    WORSE_SOMEWHERE = "some difference is above the margin"
    WITHIN = "every difference is within the margin, to either side"


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A sentence that results make true, false, or leave open.

    Args:
        values: of the question's setting, whose errors are A.
        against: whose errors are B: another value of the setting, or ``SEASONAL_NAIVE``,
            ``UNTRAINED`` (the model before its first step), or ``PREVIOUS``, the value before each
            one in the question's order.
        epsilon: the budget of the runs compared; ``None`` where the setting is epsilon itself.
    """

    name: str
    text: str
    kind: Kind
    values: tuple[float, ...]
    against: float | str
    epsilon: float | None = None


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked, what is trained for it, and what would answer it.

    Args:
        setting: what differs from run to run: ``epsilon``, or a field of a scenario's sampling,
            noise or relation.
        values: of the setting; with ``epsilon`` infinity stands for training without privacy.
        epsilons: budgets that each value is trained at; empty where the setting is epsilon.
        has_networks: whether models that need PyTorch are trained for it, too.
        paper_tables: numbers of the main paper's tables that ask the same.
        paper_figure: of the main paper, that does so in a picture alone.
    """

    name: str
    title: str
    setting: str
    values: tuple[float, ...]
    epsilons: tuple[float, ...] = ()
    relation: str = "event"
    claims: tuple[Claim, ...]
    has_networks: bool = False
    paper_tables: tuple[int, ...] = ()
    paper_figure: int | None = None

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models that are trained for it."""
        return tuple(name for name in LEARNING_RATES if self.has_networks or name not in NETWORKS)

    @property
    def cells(self) -> tuple[tuple[float, float], ...]:
        """Value and budget of everything that is trained; an infinite budget is none.

        >>> Question(name="q", title="?", setting="epsilon", values=(1.0,), claims=()).cells
        ((1.0, 1.0),)
        """
        if self.setting == "epsilon":
            return tuple((value, value) for value in self.values)
        return tuple((value, epsilon) for epsilon in self.epsilons for value in self.values)

    def claim(self, name: str) -> Claim:
        """Return one of the claims."""
        return next(claim for claim in self.claims if claim.name == name)


def seeds_of(model: str) -> tuple[int, ...]:
    """Return the seeds of a model's runs."""
    return SEEDS_OF_NETWORKS if model in NETWORKS else SEEDS


def is_private(epsilon: float) -> bool:
    """Return whether a budget is one."""
    return epsilon != WITHOUT_PRIVACY


_BUDGET = Question(
    name="budget",
    title="How much accuracy does a budget buy?",
    setting="epsilon",
    values=(0.5, 1.0, 2.0, 4.0, 8.0, WITHOUT_PRIVACY),
    has_networks=True,
    paper_tables=(2, 3, 4),
    claims=(
        Claim(
            name="falls",
            text="The error is smaller at ε = 8 than at ε = 0.5.",
            kind=Kind.LOWER,
            values=(8.0,),
            against=0.5,
        ),
        Claim(
            name="never-rises",
            text="From no ε to the next larger one does the error rise by more than the margin.",
            kind=Kind.NOT_WORSE,
            values=(1.0, 2.0, 4.0, 8.0),
            against=PREVIOUS,
        ),
        Claim(
            name="beats-naive",
            text="At every ε from 1 on the error is smaller than the seasonal naive forecast's.",
            kind=Kind.LOWER,
            values=(1.0, 2.0, 4.0, 8.0),
            against=SEASONAL_NAIVE,
        ),
        Claim(
            name="beats-untrained",
            text="At every ε from 1 on the error is smaller than that of the same model before "
            "its first step.",
            kind=Kind.LOWER,
            values=(1.0, 2.0, 4.0, 8.0),
            against=UNTRAINED,
        ),
        Claim(
            name="costs",
            text="Without privacy the error is smaller than at ε = 8.",
            kind=Kind.LOWER,
            values=(WITHOUT_PRIVACY,),
            against=8.0,
        ),
    ),
)

_WINDOWS = Question(
    name="windows",
    title="Does it matter how many windows are drawn of each series?",
    setting="num_subsequences",
    values=(1.0, 2.0, 4.0, 8.0, 16.0),
    epsilons=(8.0, WITHOUT_PRIVACY),
    paper_figure=12,
    claims=(
        Claim(
            name="not-without-privacy",
            text="Without privacy the error with λ = 2, 4, 8 and 16 differs from that with λ = 1 "
            "by no more than the margin.",
            kind=Kind.WITHIN,
            values=(2.0, 4.0, 8.0, 16.0),
            against=1.0,
            epsilon=WITHOUT_PRIVACY,
        ),
        Claim(
            name="at-fixed-budget",
            text="At ε = 8 the error with some larger λ exceeds that with λ = 1 by more than the "
            "margin.",
            kind=Kind.WORSE_SOMEWHERE,
            values=(2.0, 4.0, 8.0, 16.0),
            against=1.0,
            epsilon=8.0,
        ),
    ),
)

_LABELS = Question(
    name="labels",
    title="Does noise on labels help where values change little?",
    setting="forecast_noise",
    values=(0.0, 0.5, 1.0, 2.0, 5.0),
    epsilons=(0.5,),
    paper_tables=(8, 9, 10),
    claims=(
        Claim(
            name="harmless",
            text="At ε = 0.5 no noise on labels, up to σ_F = 5, raises the error by more than the "
            "margin.",
            kind=Kind.NOT_WORSE,
            values=(0.5, 1.0, 2.0, 5.0),
            against=0.0,
            epsilon=0.5,
        ),
        Claim(
            name="helps",
            text="At ε = 0.5 the error with some noise on labels is smaller than without it.",
            kind=Kind.LOWER_SOMEWHERE,
            values=(0.5, 1.0, 2.0, 5.0),
            against=0.0,
            epsilon=0.5,
        ),
    ),
)

_WIDTH = Question(
    name="width",
    title="What does it cost to protect several values of a person?",
    setting="relation_width",
    values=(1.0, 2.0, 4.0, 8.0),
    epsilons=(4.0,),
    relation="user",
    paper_tables=(5, 6, 7),
    claims=(
        Claim(
            name="costs",
            text="At ε = 4 the error is smaller where w = 1 value is protected than where w = 8 "
            "are.",
            kind=Kind.LOWER,
            values=(1.0,),
            against=8.0,
            epsilon=4.0,
        ),
        Claim(
            name="beats-naive",
            text="At ε = 4 the error is smaller than the seasonal naive forecast's for every w.",
            kind=Kind.LOWER,
            values=(1.0, 2.0, 4.0, 8.0),
            against=SEASONAL_NAIVE,
            epsilon=4.0,
        ),
        Claim(
            name="beats-untrained",
            text="At ε = 4 the error is smaller than that of the same model before its first "
            "step, for every w.",
            kind=Kind.LOWER,
            values=(1.0, 2.0, 4.0, 8.0),
            against=UNTRAINED,
            epsilon=4.0,
        ),
    ),
)

QUESTIONS: dict[str, Question] = {
    question.name: question for question in (_BUDGET, _WINDOWS, _LABELS, _WIDTH)
}


def drawn_for(
    question: str, data: str, value: float, *, lengths: Sequence[int], steps: int
) -> Scenario:
    """Return how runs for a question draw and noise, before a noise on gradients is chosen.

    Args:
        lengths: of each series that is trained on; the shortest decides every bound.
    """
    asked = QUESTIONS[question]
    width = int(value) if asked.setting == "relation_width" else 1
    protected = Relation(level=asked.relation, max_change=DATA[data].max_change, width=width)
    scenario = Scenario(
        data=worst_case_lengths(
            lengths,
            num_series=len(lengths),
            context_length=CONTEXT_LENGTH,
            forecast_length=FORECAST_LENGTH,
            relation=protected,
        ),
        sampling=Sampling(batch_size=BATCH_SIZE),
        noise=Noise(noise_multiplier=1.0),
        training=Training(unit="steps", count=steps),
        relation=protected,
        delta=DELTA,
    )
    if asked.setting == "epsilon":
        return scenario
    return from_fields({**to_fields(scenario), asked.setting: value})
