"""One history of all settings: each change is one step back, and one step on again."""

import sys
from dataclasses import fields, replace
from random import Random

from dpviz.scenario.ledger import LEDGER_PARAMETERS
from dpviz.settings import View
from dpviz.settings.history import MOST_STEPS_KEPT, History, Settings
from dpviz.settings.pages import (
    CHANGEABLE,
    LOOKED_AT,
    PAGE_SETTINGS,
    WITHOUT_SCENARIO,
    changed_settings,
)
from dpviz.settings.view import VIEW_PARAMETERS
from tests.pages.app import ROOT
from tests.scenario.changes import TOY
from tests.settings.random_states import random_scenario
from tests.settings.view_choices import OTHERS

FIRST = Settings(scenario=TOY, view=View())


def with_other(name):
    return Settings(scenario=TOY, view=replace(View(), **{name: OTHERS[name]}))


def test_every_choice_is_a_setting_or_only_looked_at():
    assert set(VIEW_PARAMETERS) > LOOKED_AT
    assert LOOKED_AT.isdisjoint(CHANGEABLE)
    assert set(CHANGEABLE) == {
        *LEDGER_PARAMETERS,  # nobody's: they are kept by a reset
        *(name for names in PAGE_SETTINGS.values() for name in names),
    }
    for page in (*PAGE_SETTINGS, *WITHOUT_SCENARIO):
        assert (ROOT / "pages" / f"{page}.py").exists()


def test_every_setting_is_taken_back_and_set_again():
    for name in CHANGEABLE:
        history, changed = History(), with_other(name)
        assert changed.view != FIRST.view, name
        history.note("a page", FIRST, changed)
        undone = history.undo(changed)
        assert (undone.page, undone.now, undone.left) == ("a page", FIRST, changed), name
        assert history.redo(FIRST).now == changed, name
        assert history.undo(changed).now == FIRST, name
        assert history.undo(FIRST) is None, name


def test_what_is_looked_at_and_answered_is_no_step_and_stays():
    for name in LOOKED_AT:
        history, looking = History(), with_other(name)
        history.note("a page", FIRST, looking)
        assert history.past == [], name
        changed = replace(looking, view=replace(looking.view, prior=0.25))
        history.note("a page", FIRST, changed)
        assert history.undo(changed).now == looking, name
        assert changed_settings(FIRST.view, looking.view) == {}, name


def test_hundreds_of_changes_are_taken_back_in_turn_as_far_as_they_are_kept():
    draw = Random(7)
    history, now, seen = History(), FIRST, [FIRST]
    for _ in range(4 * MOST_STEPS_KEPT):
        view = {name: OTHERS[name] for name in draw.sample(CHANGEABLE, draw.randint(0, 3))}
        scenario = random_scenario(draw) if draw.random() < 0.5 else now.scenario
        new = Settings(scenario=scenario, view=replace(View(), **view))
        if new == now:
            continue
        history.note("a page", now, new)
        now = new
        seen.append(new)
    assert len(history.past) == MOST_STEPS_KEPT
    kept = seen[-MOST_STEPS_KEPT - 1 :]
    for before in reversed(kept[:-1]):
        now = history.undo(now).now
        assert now == before
    assert history.undo(now) is None
    for after in kept[1:]:
        now = history.redo(now).now
        assert now == after
    assert history.redo(now) is None


def test_a_change_after_steps_back_leaves_nothing_to_do_again():
    history = History()
    second, third = (Settings(scenario=TOY, view=View(prior=prior)) for prior in (0.25, 0.75))
    history.note("a page", FIRST, second)
    history.undo(second)
    history.note("a page", FIRST, third)
    assert history.redo(third) is None
    assert history.undo(third).now == FIRST


def test_a_step_to_where_one_is_already_is_left_out():
    """So that a press of Undo always does something."""
    history = History()
    second = Settings(scenario=TOY, view=View(prior=0.25))
    history.note("a page", FIRST, second)
    history.note("a page", second, Settings(scenario=TOY, view=View(prior=0.75)))
    assert history.undo(second).now == FIRST


def test_another_file_is_a_step_of_its_own_though_all_else_is_equal():
    """Without one, the way back from the change before brought the file before back, too."""
    first, second = [7], [7]
    history, louder = History(), replace(FIRST, view=View(prior=0.25), file=first)
    history.note("a page", replace(FIRST, file=first), louder)
    other = replace(louder, file=second)
    assert history.note("a page", louder, other)
    assert history.undo(other).now.file is first
    assert history.redo(louder).now.file is second
    assert not history.note("a page", other, replace(other, beside="what comes back"))


def test_a_step_keeps_only_what_changed():
    """Servers keep up to fifty for each visitor: a few hundred bytes, not a view of thousands."""
    history = History()
    history.note("a page", FIRST, Settings(scenario=TOY, view=View(participation=7)))
    (step,) = history.past
    assert step.scenario is None
    assert dict(step.view) == {"participation": 100}
    size = sys.getsizeof(step) + sys.getsizeof(step.view)
    assert size < 600 < len(fields(View)) * 8 + sys.getsizeof(vars(View()))
