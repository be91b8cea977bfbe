"""A closer upper bound on the privacy curve: asked for, beside the other, of these settings."""

from dataclasses import replace
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from dpviz.accounting import closer_upper, composed_curve
from dpviz.guarantees import guarantee_for
from dpviz.planning.calibrate import Planned, calibrated, closer_noise_progress
from dpviz.planning.target import SuccessGoal, Target
from dpviz.settings import View
from dpviz.ui import long_runs
from dpviz.ui.questions import closer_upper as drawn
from dpviz.wording import closer_upper as words
from dpviz.wording.numbers import rounded_up
from tests.pages.app import TOY, link_of
from tests.scenario.changes import varied

SHORT = varied(TOY, steps=4)
PARTS = ("open_closer",)


@pytest.fixture(autouse=True)
def coarse_cells(monkeypatch):
    monkeypatch.setattr(closer_upper, "_FINE_CELLS", 8)


def test_it_is_computed_when_asked_and_told_beside_the_other_with_its_meaning(
    open_page, training_runs, downloads
):
    app = open_page(link_of(SHORT), parts=(*PARTS, "open_take_away"))
    assert "Both hold" not in app.all_words
    assert not training_runs.runs
    app.press("closer_start")
    upper = guarantee_for(SHORT).upper
    closer = closer_upper.closer_upper(upper, SHORT.delta).quoted_epsilon_at(SHORT.delta)
    other = composed_curve(upper).quoted_epsilon_at(SHORT.delta)
    assert closer < other
    assert (
        f"**ε ≤ {rounded_up(closer)} at δ = 10⁻⁷** (upper bound, dpviz's Proposition 23 composed "
        f"over 4 steps), beside ε ≤ {rounded_up(other)} (Theorem 4.4)"
    ) in app.all_words
    statement = downloads["Privacy statement (Markdown)"]()
    assert f"**Closer upper bound:** ε ≤ {rounded_up(closer)} at δ = 10⁻⁷" in statement
    app.act("noise_multiplier", 1.5)
    assert "Both hold" not in app.all_words  # of other settings nothing is told
    assert "Closer" not in downloads["Privacy statement (Markdown)"]()
    app.act("noise_multiplier", SHORT.noise.noise_multiplier)
    assert "Both hold" in app.all_words
    assert len(training_runs.runs) == 1


def test_what_was_computed_of_one_bound_is_not_told_of_another_with_its_pair(
    open_page, training_runs, downloads
):
    """What holds for walks in order is proven of shuffled ones by another argument."""
    link = link_of(varied(SHORT, top_level="deterministic", epochs=4))
    app = open_page(link, parts=(*PARTS, "open_take_away")).press("closer_start")
    assert "Closer upper bound" in downloads["Privacy statement (Markdown)"]()
    for other in ("shuffled", "poisson"):  # nor is any offered there
        app.act("top_level", other)
        assert "A closer upper bound" not in [part.label for part in app.expander]
        assert "Closer upper bound" not in downloads["Privacy statement (Markdown)"]()


PLAN = View(target_epsilon=6.0, plan_chart="curve")
LONGER = varied(TOY, batch_size=160, steps=40)


def test_a_plan_offers_less_noise_beside_its_own_and_changes_it_only_when_taken(
    open_page, training_runs
):
    app = open_page(link_of(LONGER, view=PLAN), "planner", ("open_closer_noise",))
    target = Target(epsilon=6.0, delta=LONGER.delta)
    planned = calibrated(LONGER, "noise_multiplier", target)
    assert not training_runs.runs
    headline = app.headline
    app.press("closer_start")
    (_, less), *_ = reversed(list(closer_noise_progress(planned, target)))
    sigma = less.scenario.noise.noise_multiplier
    assert f"**σ = {sigma:g} is enough" in app.all_words
    assert f"less than the plan's {planned.noise.noise_multiplier:g}: ε ≤" in app.all_words
    assert app.headline == headline  # the plan promises what it did
    assert app.scenario == LONGER
    app.press("closer_adopt")
    assert app.scenario == less.scenario
    assert app.headline == headline


def test_less_noise_is_offered_only_where_noise_is_open_for_an_epsilon(monkeypatch):
    monkeypatch.setattr(drawn, "folded", Mock(side_effect=AssertionError("offered")))
    by_coins = varied(LONGER, top_level="poisson")
    planned = Planned(
        quantity="noise_multiplier",
        goal=Target(epsilon=6.0, delta=LONGER.delta),
        found=SimpleNamespace(scenario=LONGER),
        problem=None,
    )
    with pytest.raises(AssertionError, match="offered"):
        drawn.draw_closer_noise(planned)
    for other in (
        {"quantity": "training"},
        {"goal": SuccessGoal(success=0.6)},
        {"found": SimpleNamespace(scenario=by_coins)},
    ):
        drawn.draw_closer_noise(replace(planned, **other))


def test_what_hinders_it_is_told(open_page, training_runs, monkeypatch):
    app = open_page(link_of(SHORT), parts=PARTS)
    training_runs.is_full = True
    app.press("closer_start")
    assert any("try again" in warning.value for warning in app.warning)
    monkeypatch.setattr(long_runs, "_runs", None)
    by_hand = words.ON_YOUR_OWN.format(command="epsilon")
    assert by_hand in open_page(link_of(SHORT), parts=PARTS).all_words
