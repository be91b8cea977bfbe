"""When an answer has come: which of the server's runs belong to which move."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from dpviz.rehearsal.page import FINISHED


@dataclass
class Record:
    """What one kind of asking cost the visitors, in seconds; and what went wrong."""

    answers: list[float] = field(default_factory=list)
    completes: list[float] = field(default_factory=list)
    moves: int = 0
    overtaken: int = 0
    runs: int = 0
    errors: list[str] = field(default_factory=list)

    def add(self, other: "Record") -> None:
        """Take over what another record holds."""
        self.answers += other.answers
        self.completes += other.completes
        self.moves += other.moves
        self.overtaken += other.overtaken
        self.runs += other.runs
        self.errors += other.errors


class Waiting:
    """Follows one visitor's moves until the server has answered them.

    The answer is the headline, be it coarse, as drawn by a run that knows of the move, or the
    end of that run on a page that has none; it is complete when a run has ended that does not go
    on. A move that is made before the last one was answered waits
    on with it: whatever answers the later one answers both. One that was answered but not complete
    is overtaken, and its completion is nobody's wait.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self._unanswered: list[float] = []
        self._incomplete: list[float] = []
        self._is_busy = False
        self._knows = True
        self._began_later = True

    @property
    def since(self) -> float:
        """When the visitor began to wait for what has not come yet; infinite if it all has."""
        return min([*self._unanswered, *self._incomplete], default=inf)

    @property
    def is_answered(self) -> bool:
        """Whether the visitor has an answer, be it coarse."""
        return not self._unanswered

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to come."""
        return not self._incomplete

    def moved(self, now: float) -> None:
        """Note a move."""
        self.record.moves += 1
        self.record.overtaken += bool(self._incomplete)
        # Runs under way, or the next one of a chain, may have begun before the server read this.
        self._knows = not self._is_busy
        self._began_later = False
        self._unanswered.append(now)
        self._incomplete = [now]
        self._is_busy = True

    def give_up(self, error: str) -> None:
        """Note that what was waited for did not come."""
        self.record.errors.append(error)
        self._unanswered, self._incomplete, self._is_busy = [], [], False

    def heard(self, message: ForwardMsg, now: float, *, is_headline: bool = False) -> None:
        """Note a message of the server, and whether it is the page's headline."""
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.record.runs += 1
            self._began_later = True
        elif kind == "page_info_changed":
            # Every accepted move changes the link, so the run that writes it knows of the move.
            self._knows = True
        elif is_headline and self._began_later and self._knows:
            self._answer(now)
        elif kind == "script_finished":
            is_last = message.script_finished in FINISHED
            if not self._began_later or not (self._knows or is_last):
                return
            self._answer(now)
            if is_last:
                self.record.completes += [now - made for made in self._incomplete]
                self._incomplete = []
                self._is_busy = False

    def _answer(self, now: float) -> None:
        self.record.answers += [now - made for made in self._unanswered]
        self._unanswered = []


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least this share of all values does not exceed.

    Raises:
        ValueError: there are no values, or the share is not in (0, 1].
    """
    if not values or not 0 < share <= 1:
        raise ValueError(f"no value lies at {share} of {len(values)}")
    return sorted(values)[math.ceil(share * len(values)) - 1]
