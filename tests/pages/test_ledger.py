"""The page of the budget ledger: add, rename, open and remove runs; nothing is lost silently."""

import json
import re
from dataclasses import replace

import pytest

from dpviz.planning.ledger import ledger, room_for
from dpviz.planning.target import Target
from dpviz.scenario import PRESETS
from dpviz.scenario.ledger import (
    MOST_RUNS,
    NamedRun,
    ledger_from_json,
    ledger_to_json,
    ledger_to_query,
)
from dpviz.settings import View
from dpviz.ui.questions.ledger import shown_runs
from dpviz.wording.numbers import rounded_down, rounded_up
from tests.pages.app import TOY, link_of
from tests.scenario.changes import varied

PAGE = "ledger"
SHORT = varied(TOY, steps=20)
QUIET = varied(SHORT, noise_multiplier=3.0)
RUNS = (NamedRun(name="pilot", scenario=SHORT), NamedRun(name="main", scenario=QUIET))


@pytest.fixture
def opened(open_page):
    def made(runs=RUNS, **changes):
        query = link_of(SHORT, view=View(ledger_budget=20.0)) | ledger_to_query(runs)
        return open_page(query | changes, PAGE, parts=("open_ledger_file", "open_code"))

    return made


def test_what_nothing_is_left_of_is_said_above_what_a_run_may_still_use(opened):
    """At half of delta the runs need all of the budget; composed with them a run fits."""
    found = ledger(RUNS, 1e-7)
    between = (found.upper.high + found.at_half_delta) / 2
    app = opened(ledger_budget=str(between), noise_multiplier="20", steps="1")
    assert app.headline.startswith("**Nothing is left for a release outside of the ledger** (")
    assert "One more run in the ledger may still fit: it is composed with them." in app.headline
    assert "- for at most **" in app.words
    assert ": then ε ≤ " in app.words
    for total in re.findall(r": then ε ≤ ([\d.]+) in all", app.words):
        assert float(total) <= between  # what fits is not told as if it did not
    app = opened(ledger_budget="1")
    assert app.headline.startswith("**Nothing is left of the budget**, ε = 1 at δ = 10⁻⁷: the ")


def test_total_is_quoted_with_its_meaning_drawn_and_in_the_files(opened, downloads):
    app = opened()
    found = ledger(RUNS, 1e-7)
    said = app.headline
    left = rounded_down(20.0 - found.at_half_delta)
    assert said.startswith(f"**Left: ε = {left} at δ = 5·10⁻⁸** for one more release")
    assert "A *release* is whatever else is published from these data" in app.captions
    assert f"**All together: ε ≤ {rounded_up(found.upper.high)}** at δ = 10⁻⁷" in said
    assert f"≥ {rounded_down(found.lower.low)}" in said
    assert "Theorem 4.4" in said
    bars = app.traces("ledger")
    assert bars["alone"]["x"] == [row.alone.quoted for row in found.rows]
    assert bars["all"]["x"] == [found.upper.high]
    # What a bar comes to stands on paper of its own, over the line of the budget.
    notes = {
        note["text"]: note.get("bgcolor") for note in app.chart("ledger")["layout"]["annotations"]
    }
    ends = [*bars["alone"]["text"], *bars["all"]["text"], *bars["next"]["text"]]
    assert {notes[text] for text in ends} == {"var(--paper@0.85)"}
    assert "| pilot | 20 steps at σ = 1 |" in app.all_words
    assert ledger_from_json(downloads["Save the ledger (JSON)"]()) == RUNS
    # What the current settings would add follows their noise.
    added = []
    for noise in (SHORT.noise.noise_multiplier, 2.0, 50.0):
        app.act("noise_multiplier", noise)
        following = NamedRun(name="next", scenario=varied(SHORT, noise_multiplier=noise))
        (drawn,) = app.traces("ledger")["next"]["x"]
        assert drawn == pytest.approx(ledger((*RUNS, following), 1e-7).upper.high, rel=1e-3)
        assert drawn >= found.upper.low
        assert f"settings as one more run: **ε ≤ {rounded_up(drawn)}**." in app.headline
        added.append(drawn)
    assert added == sorted(added, reverse=True)


def test_a_run_that_is_called_as_a_total_has_a_bar_of_its_own(opened):
    names = ("with one more run", "all together")
    app = opened(tuple(replace(run, name=name) for run, name in zip(RUNS, names, strict=True)))
    bars = app.traces("ledger")
    assert [place.rstrip("\u200b") for place in bars["alone"]["y"]] == [*names]
    places = [place for bar in ("alone", "all", "next") for place in bars[bar]["y"]]
    assert len(set(places)) == 4
    assert sorted(places) == sorted(app.chart("ledger")["layout"]["yaxis"]["categoryarray"])


def test_what_holds_only_under_a_condition_says_so_beside_the_number(opened):
    noisy = varied(SHORT, forecast_noise=2.0)
    app = opened(**link_of(noisy, view=View(ledger_budget=20.0)))
    condition = "only if no value changes by more than v, the unit of the noise on windows"
    assert f"**, {condition}." in app.headline
    assert app.all_words.count(f"in all, {condition} (its bound: Theorem G.1)") == 2
    assert "as one more run (its bound: Theorem G.1): **ε ≤" in app.headline
    # Where a run of the ledger needs it, the condition stands with the ledger's.
    app = opened((*RUNS, NamedRun(name="noisy", scenario=noisy)), **link_of(noisy))
    assert condition not in app.headline
    assert condition.capitalize() in app.all_words


def test_a_next_run_of_no_finite_loss_is_not_passed_over(opened):
    loud = varied(SHORT, num_subsequences=4, noise_multiplier=0.1, steps=100)
    app = opened(**link_of(loud, view=View(ledger_budget=20.0)))
    assert app.traces("ledger")["next"]["text"] == ["not finite"]
    assert ": **no finite ε is proven**." in app.headline


def test_settings_that_cannot_be_the_next_run_have_no_bar_and_say_why(opened):
    stranger = varied(SHORT, level="user", width=3)
    app = opened(**link_of(stranger, view=View(ledger_budget=20.0)))
    assert set(app.traces("ledger")) == {"alone", "all"}
    assert "one more run" not in app.headline
    assert "the next run" in app.errors


def test_an_empty_ledger_says_what_to_do_and_the_current_settings_become_a_run(opened):
    app = opened(())
    assert "Your ledger is empty" in app.headline
    assert set(app.traces("ledger")) == {"alone", "all"}  # an example has no next run
    assert app.control("name_of_run").label == "Name of the run"
    app.act("name_of_run", "first | try")
    app.press("ledger_add")
    assert shown_runs(app.state) == (NamedRun(name="first | try", scenario=SHORT),)
    assert "**So far: ε ≤ " in app.headline
    assert "run_1" in app.link
    app.press("ledger_add")  # under the name that is proposed
    assert [run.name for run in shown_runs(app.state)] == ["first | try", "run 2"]
    # A name that is refused stays to be mended.
    app.act("name_of_run", "run 2").press("ledger_add")
    assert app.warnings.endswith("another run of the ledger has this name.")
    assert app.control("name_of_run").value == "run 2"
    app.act("name_of_run", "run 3").press("ledger_add")
    assert [run.name for run in shown_runs(app.state)] == ["first | try", "run 2", "run 3"]
    assert app.control("name_of_run").value == ""


def test_runs_are_renamed_opened_and_removed_and_no_two_have_one_name(opened):
    app = opened()
    app.act("ledger_rename_1", "pilot")
    assert "another run of the ledger has this name" in app.warnings
    assert shown_runs(app.state) == RUNS
    app.act("ledger_rename_1", "the main one")
    assert [run.name for run in shown_runs(app.state)] == ["pilot", "the main one"]
    app.press("ledger_open_1")
    assert app.scenario == QUIET
    app.press("undo")
    assert app.scenario == SHORT
    app.press("ledger_remove_0")
    assert [run.name for run in shown_runs(app.state)] == ["the main one"]


def test_what_is_done_to_a_run_that_is_gone_by_then_changes_no_other(opened):
    """A press and what follows it may come in one message, before the rows are drawn anew."""
    runs = (*RUNS, NamedRun(name="third", scenario=SHORT))
    app = opened(runs)
    remove = ("ledger_remove_0", app.control("ledger_remove_0").spec["means"])
    rename = ("ledger_rename_2", "last")
    app.acts([remove, remove, ("ledger_rename_0", "gone"), rename])
    assert [run.name for run in shown_runs(app.state)] == ["main", "last"]
    app.act("ledger_rename_2", "late")  # of a row that is no longer there
    assert [run.name for run in shown_runs(app.state)] == ["main", "last"]


def test_another_individual_or_data_set_is_refused_by_name(opened):
    other = varied(SHORT, width=2)
    app = opened(**link_of(other))
    app.press("ledger_add")
    told = "run 'the next run' has it and run 'pilot' has 1"
    assert told in app.warnings
    # The settings stay: nothing was kept in their place.
    assert app.warnings.endswith("give both the same, or keep a ledger for each.")
    assert (app.scenario, shown_runs(app.state)) == (other, RUNS)
    # What the budget leaves is refused, too, and the ledger stays in sight.
    assert told in app.errors
    assert "All together" in app.headline


def test_a_link_of_runs_that_do_not_belong_together_says_so_and_lets_them_be_removed(opened):
    runs = (*RUNS, NamedRun(name="other", scenario=PRESETS["traffic"].scenario))
    app = opened(runs)
    assert app.errors.count("is not allowed") == app.errors.count("No total is stated.") == 1
    app.press("ledger_remove_2")
    assert not app.errors
    assert "All together" in app.headline


def test_a_full_ledger_takes_no_more(opened):
    app = opened(tuple(NamedRun(name=f"r{at}", scenario=SHORT) for at in range(MOST_RUNS)))
    assert app.control("ledger_add").disabled


def test_a_file_takes_the_place_of_the_runs_and_a_bad_one_does_not(opened):
    app = opened()
    new = (NamedRun(name="from a file", scenario=QUIET),)
    content = ledger_to_json(new).encode()
    app.upload("ledger_file_0", "l.json", content)
    assert shown_runs(app.state) == new
    bad = json.dumps({"runs": [{"name": "x", "scenario": {"schema": 1}}]}).encode()
    app.upload("ledger_file_1", "x.json", bad)
    assert "The ledger was not opened." in app.warnings
    assert shown_runs(app.state) == new


def test_what_the_budget_leaves_is_told_becomes_the_settings_and_then_a_run(opened):
    app = opened()
    following = NamedRun(name="the next run", scenario=SHORT)
    longer, noisier = (
        room_for(RUNS, following, quantity, Target(epsilon=20.0, delta=1e-7)).scenario
        for quantity in ("training", "noise_multiplier")
    )
    assert f"for at most **{longer.training.count:,} steps**" in app.all_words
    assert f"at least **{noisier.noise.noise_multiplier:g}**" in app.all_words
    app.press("ledger_use_noise_multiplier")
    assert app.scenario == replace(noisier, delta=SHORT.delta)
    assert len(shown_runs(app.state)) == 2
    app.press("ledger_add")
    assert [run.name for run in shown_runs(app.state)] == ["pilot", "main", "run 3"]
    assert "the runs keep within the budget" in app.headline


def test_the_report_has_what_is_left_and_each_run_by_its_name(opened, downloads):
    app = opened(runs=(RUNS[0], NamedRun(name="<b>main</b>", scenario=QUIET)))
    # It is made outside of a run of the page, where what was typed is not known any more.
    app.acts([("request_organisation", "Corner shop"), ("request_data_set", "Daily sales")])
    page = downloads["Report of all runs (HTML, works offline)"]()
    found = ledger(RUNS, 1e-7)
    assert rounded_down(20.0 - found.at_half_delta) in app.headline
    total, left = (page.index(f"<strong>{one}") for one in ("All together: ", "Left: "))
    assert total < left < page.index("In full</h2>")
    assert page.count("<strong>All together") == page.count("<strong>Left: ") == 1
    # What all runs have in common stands there once.
    assert (page.count("<td>Series N</td>"), page.count("<td>Noise multiplier σ</td>")) == (1, 2)
    assert "--delta 1e-07 5e-08" in page
    body = page[page.index("<body>") :]
    assert "&lt;b&gt;main&lt;/b&gt;</h2>" in body
    assert "<b>main" not in body.partition("<script")[0]
    assert "Corner shop" in page
    assert "Daily sales" in page


def test_a_plans_goal_is_not_the_budget_of_all_runs(open_page, made_up_map):
    """But a link from before that names the goal alone means both."""
    app = open_page(link_of(SHORT), "planner", parts=())
    app.act("target_epsilon", "2")
    app.go_to("ledger")
    assert app.control("ledger_budget").value == 10.0
    again = open_page(app.link, "ledger", parts=())
    assert (again.state.view.target_epsilon, again.state.view.ledger_budget) == (2.0, 10.0)
    before = open_page(link_of(SHORT) | {"target_epsilon": "2"}, "ledger", parts=())
    assert before.control("ledger_budget").value == 2.0
