"""The visitor's changes of settings, to be taken back one by one and done again."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dpviz.scenario.scenario import Scenario
from dpviz.settings.pages import changed_settings
from dpviz.settings.view import View

MOST_STEPS_KEPT = 50


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """What a change replaced: little, since a server keeps it for every visitor.

    Args:
        scenario: the one before; ``None`` where it stayed.
        view: the settings of the view that changed, as they were before.
        unchosen: the fields that nobody had chosen before.
        file: whose series they were.
    """

    page: str
    scenario: Scenario | None
    view: Mapping[str, Any]
    unchosen: frozenset[str]
    file: Any
    beside: Any


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All that a visitor has set: the training scenario, and what pages have beside it.

    Of the scenario, ``unchosen`` names the fields that a file has left open: nobody has set them.
    ``file`` is whose series they are for: another one of equal shape is another. ``beside`` is what
    comes back with them, and is no setting itself.
    """

    scenario: Scenario
    view: View
    unchosen: frozenset[str] = frozenset()
    file: Any = None
    beside: Any = None


@dataclass(frozen=True, kw_only=True)
class Undone:
    """A change that was taken back, or done again."""

    page: str
    left: Settings
    now: Settings


@dataclass
class History:
    """Steps back and steps forward.

    Args:
        past: the last change at the end.
        future: what was taken back, the last at the end.

    >>> from dpviz.scenario.presets import PRESETS
    >>> toy, history = PRESETS["toy"].scenario, History()
    >>> first, second = (Settings(scenario=toy, view=View(prior=p)) for p in (0.25, 0.75))
    >>> history.note("What epsilon means", first, second)
    True
    >>> history.undo(second).now == first, history.redo(first).now == second
    (True, True)
    """

    past: list[Step] = field(default_factory=list)
    future: list[Step] = field(default_factory=list)

    @property
    def last(self) -> Step | None:
        """The last change; ``None`` where there was none."""
        return self.past[-1] if self.past else None

    def note(self, page: str, before: Settings, now: Settings, *, goes_on: bool = False) -> bool:
        """Keep a change; return whether it is one of settings. There is nothing to redo after it.

        One that ``goes_on``, as the moves of one drag do, is taken back together with the last one;
        nothing is kept of moves back to where they began.
        """
        step = _step(page, before, now)
        if step is None:
            return False
        self.future = []
        if goes_on and self.past:
            kept = self.past.pop()
            scenario = step.scenario if kept.scenario is None else kept.scenario
            step = replace(kept, scenario=scenario, view={**step.view, **kept.view})
            if _step(page, now, _before(step, now)) is None:
                return False
        self.past = [*self.past[1 - MOST_STEPS_KEPT :], step]
        return True

    def undo(self, now: Settings) -> Undone | None:
        """Return the settings before the last change; ``None`` where there was none."""
        return _moved(self.past, self.future, now)

    def redo(self, now: Settings) -> Undone | None:
        """Return the settings after the change that was taken back last; ``None`` without one."""
        return _moved(self.future, self.past, now)


def _step(page: str, before: Settings, now: Settings) -> Step | None:
    scenario = None if before.scenario == now.scenario else before.scenario
    view = changed_settings(before.view, now.view)
    is_same_file = before.file is now.file
    if scenario is None and not view and before.unchosen == now.unchosen and is_same_file:
        return None
    return Step(
        page=page,
        scenario=scenario,
        view=view,
        unchosen=before.unchosen,
        file=before.file,
        beside=before.beside,
    )


def _before(step: Step, now: Settings) -> Settings:
    """Return what the settings were; what is looked at stays."""
    return Settings(
        scenario=step.scenario or now.scenario,
        view=replace(now.view, **step.view),
        unchosen=step.unchosen,
        file=step.file,
        beside=step.beside,
    )


def _moved(taken: list[Step], kept: list[Step], now: Settings) -> Undone | None:
    while taken:
        step = taken.pop()
        back = _before(step, now)
        inverse = _step(step.page, now, back)
        if inverse is not None:  # else it is so already
            kept.append(inverse)
            return Undone(page=step.page, left=now, now=back)
    return None
