"""A question of the study: what is trained for it, and by which claims it is answered."""

from dataclasses import dataclass
from enum import StrEnum

from dpviz.training_study.common import WITHOUT_PRIVACY

SEASONAL_NAIVE, UNTRAINED, PREVIOUS = "seasonal naive", "untrained", "previous"


class Kind(StrEnum):
    """What a claim says of differences A - B of two errors, in units of the margin or of nothing.

    Each difference has an interval; see :mod:`dpviz.training_study.criterion`.
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
        name: short, of its question alone.
        text: the sentence.
        kind: what it says of the differences.
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
        name: as on the command line.
        title: the question.
        setting: what differs from run to run: ``epsilon``, or a field of a scenario's sampling,
            noise or relation.
        values: of the setting; with ``epsilon`` infinity stands for training without privacy.
        epsilons: budgets that each value is trained at; empty where the setting is epsilon.
        relation: ``event`` or ``user``.
        claims: by which it is answered.
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
    paper_tables: tuple[int, ...] = ()
    paper_figure: int | None = None

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


def is_private(epsilon: float) -> bool:
    """Return whether a budget is one."""
    return epsilon != WITHOUT_PRIVACY
