"""A closer upper bound on the privacy curve: asked for, beside the other, of these settings."""

from dataclasses import replace

import pytest

from dpviz.accounting import closer_upper, composed_curve
from dpviz.guarantees import guarantee_for
from dpviz.jobs import TooCostlyError
from dpviz.scenario import Sampling, Training
from dpviz.ui import long_runs
from dpviz.wording import closer_upper as words
from dpviz.wording.numbers import rounded_up
from tests.pages.app import TOY, link_of

SHORT = replace(TOY, training=Training(unit="steps", count=4))
PARTS = ("open_closer",)


@pytest.fixture(autouse=True)
def coarse_cells(monkeypatch):
    monkeypatch.setattr(closer_upper, "_FINE_CELLS", 8)


def labels(app):
    return [part.label for part in app.expander]


def test_it_is_computed_when_asked_and_told_beside_the_other_with_its_meaning(
    open_page, training_runs, downloads
):
    app = open_page(link_of(SHORT), parts=(*PARTS, "open_take_away"))
    assert "by [dpviz's Proposition 23](theorems#proposition-23)" in app.all_words
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


def test_nothing_is_offered_where_it_does_not_apply(open_page, training_runs):
    by_coins = Sampling(**{**vars(SHORT.sampling), "top_level": "poisson"})
    assert "A closer upper bound" in labels(open_page(link_of(SHORT)))
    assert "A closer upper bound" not in labels(
        open_page(link_of(replace(SHORT, sampling=by_coins)))
    )


def test_what_hinders_it_is_told(open_page, training_runs, monkeypatch):
    app = open_page(link_of(SHORT), parts=PARTS)
    training_runs.is_full = True
    app.press("closer_start")
    assert any("try again" in warning.value for warning in app.warning)
    monkeypatch.setattr(long_runs, "_runs", None)
    assert words.ON_YOUR_OWN in open_page(link_of(SHORT), parts=PARTS).all_words


def test_a_run_that_was_ended_can_be_begun_again(open_page, training_runs, monkeypatch):
    begin = training_runs.start

    def failing(key, steps, visitor, *, size=0):
        run = begin(key, lambda: iter(()), visitor, size=size)
        run.state, run.error = type(run.state).FAILED, TooCostlyError(long_runs.LIMITS, "time")
        return run

    monkeypatch.setattr(training_runs, "start", failing)
    app = open_page(link_of(SHORT), parts=PARTS)
    app.press("closer_start")
    assert [warning.value for warning in app.warning] == [words.TOO_LONG]
    monkeypatch.setattr(training_runs, "start", begin)
    app.press("closer_start")
    assert "Both hold" in app.all_words
