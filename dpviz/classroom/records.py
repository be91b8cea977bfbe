"""What is known of a class, and why something is refused."""

from collections.abc import Mapping
from dataclasses import dataclass

SECONDS = 12 * 3600
MOST_CLASSES = 100
MOST_PARTICIPANTS = 200
MOST_VOTES = 9  # on one question, one after another
SCORED_ROUNDS = 10  # of the game, so that all scores are of equally many


class ClassError(Exception):
    """Something of a class is refused; the subclasses say why."""


class NoSuchClassError(ClassError):
    """There is no class of this code: it never was, or it has ended."""


class NotTheTeacherError(ClassError):
    """The key is not the one with which the class was started."""


class VotesShownError(ClassError):
    """The votes are shown, and the class may not vote again."""


class TruthShownError(ClassError):
    """What is true was shown, and the class has not voted again since."""


class ClassFullError(ClassError):
    """The class has as many participants as it may."""


class TooManyClassesError(ClassError):
    """There are as many classes as there may be."""


class ClassesUnavailableError(ClassError):
    """The file of classes cannot be used: it is locked, damaged, or cannot be written."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How a question stands for who looks at it."""

    is_teacher: bool
    is_participant: bool
    round: int  # of the votes on the question, from 1
    is_shown: bool  # the votes of this round are shown: what is chosen now is of the next one
    choice: str  # what this participant's last vote on it was; empty if there is none
    voted: int  # the round of that vote; 0 if there is none
    place: str  # the lesson that the class is at; empty before its teacher has opened one
    told: int  # the last round in which the class, or who asks, was shown what is true; 0: none

    @property
    def is_closed(self) -> bool:
        """Whether no vote of this participant is counted until the class votes again."""
        return self.told >= self.round

    @property
    def is_of_next(self) -> bool:
        """Whether this participant's last vote is counted once the class votes again."""
        return self.voted > self.round

    @property
    def is_of_before(self) -> bool:
        """Whether it is of an earlier round: it counts in this one, too, unless it is changed."""
        return 0 < self.voted < self.round

    @property
    def is_asked_again(self) -> bool:
        """Whether the class has begun to vote again since it was shown what is true."""
        return 0 < self.told < self.round


@dataclass(frozen=True, kw_only=True)
class Tally:
    """The votes on a question."""

    participants: int  # how many have taken part in the class so far, in whatever
    round: int
    is_shown: bool
    is_closed: bool  # the class was shown what is true: no vote is counted
    # Of each round, how many chose what; who does not vote again keeps the last vote.
    counts: tuple[Mapping[str, int], ...]
    changed: int  # how many have another vote than in the round before

    @property
    def voted(self) -> int:
        """How many have voted."""
        return sum(self.counts[-1].values())


@dataclass(frozen=True, kw_only=True)
class Started:
    """A class that has just begun."""

    code: str
    key: str  # the teacher's: whoever has it leads the class. It is kept nowhere else.
