"""The page about how a batch is drawn: what it tells, by every scheme and at every extreme."""

from unittest.mock import Mock

import numpy as np
import pytest

from dpviz.jobs import Limits, TooCostlyError
from dpviz.planning.drawn_batches import drawn_batch, drawn_run
from dpviz.scenario.mechanism import SHUFFLED
from dpviz.settings.attacker import MOST_DRAWN_BATCHES
from dpviz.ui.questions import batch_drawing
from dpviz.wording.batch_drawing import hits_sentence
from tests.csv_text import rows_of
from tests.pages.app import RATES, TOY, link_of
from tests.scenario.changes import varied

PAGE = KEY = "batch_drawing"
OUTPUTS, PARTITION = "step_outputs", "epoch_partition"
COUPLED = "coupled_batches"
OPEN = ("open_coupled", "open_gradient", "open_epoch")
SHOWN = varied(TOY, context_length=4, forecast_length=2)
LINK = link_of(SHOWN)


def test_what_is_folded_is_not_drawn(opened, monkeypatch):
    walk = LINK | {"top_level": SHUFFLED}
    assert {COUPLED, OUTPUTS, PARTITION} <= opened(walk).chart_keys
    monkeypatch.setattr(batch_drawing, "step_outputs", None)  # not computed either
    assert not {COUPLED, OUTPUTS, PARTITION} & opened(walk, parts=()).chart_keys


def test_next_previous_and_a_new_run_change_link_and_drawing_up_to_the_ends(opened):
    app = opened(LINK | {"drawn_batch": "20"})
    for key, number in (("next_batch", 21), ("next_batch", 22), ("previous_batch", 21)):
        app.press(key)
        app.assert_sound(KEY)
        assert app.query_params["drawn_batch"] == str(number)
        assert app.chart_title(KEY).startswith(f"Batch {number} (")
        assert app.control("drawn_batch").value == number
    before = app.chart(KEY)["data"]
    app.press("other_run")
    app.assert_sound(KEY)
    assert app.query_params["drawing_seed"] == "2"
    assert app.chart(KEY)["data"] != before
    app.press("next_hit")
    found = app.state.view.drawn_batch
    run = drawn_run(app.scenario, 2, found)
    assert run.hits[-1] > 0
    assert not run.hits[21:-1].any()
    app.act("drawn_batch", 1)
    assert app.control("previous_batch").disabled
    app.act("drawn_batch", MOST_DRAWN_BATCHES)
    assert all(app.control(key).disabled for key in ("next_batch", "next_hit", "play_batches"))


def test_one_batch_that_hits_is_told_in_the_singular_and_a_range_of_one_number_as_such():
    rare = varied(SHOWN, num_subsequences=4, series_lengths=(10_000,))
    said = hits_sentence(rare, np.array([999, 1]), 1)
    assert said.startswith("**1 of 1,000 batches holds a protected value; expected: 0.0")
    assert said.endswith(" (95 % range 0).")
    walk = varied(rare, top_level=SHUFFLED)
    assert "**1 of 1 step that uses the series holds" in hits_sentence(walk, np.array([0, 1]), 1)


def test_a_next_hit_that_there_is_not_or_that_costs_too_much_is_said(opened, monkeypatch):
    app = opened(LINK | {"series_length": "100000", "drawn_batch": "1999"})
    app.press("next_hit")
    assert "No later batch of this run has a hit" in app.notes
    costly = Mock(side_effect=TooCostlyError(Limits(), "time"))
    monkeypatch.setattr(batch_drawing, "_next_hit", costly)
    app.press("next_hit")
    assert "The next hit is not known: it takes more than 2 s of computing." in app.warnings
    assert app.state.view.drawn_batch == 1999


def test_coupling_is_that_of_the_shown_batch_or_of_the_next_that_hits(opened):
    hits = drawn_run(SHOWN, 1, MOST_DRAWN_BATCHES).hits
    with_hit = (np.flatnonzero(hits) + 1).tolist()
    first, second = with_hit[:2]
    for number, drawn in ((1, first), (first, first), (first + 1, second), (2000, 2000)):
        app = opened(LINK | {"drawn_batch": str(number)}, ("open_coupled",))
        title = app.chart_title(COUPLED)
        assert title.startswith(f"Batch {drawn:,}, drawn from x and from x′: distance ")
        assert f"distance {hits[drawn - 1]}, " in title
        assert ("is the next with a hit" in app.said) == (drawn != number)


def test_playing_sends_the_next_batches_once_and_stops_for_who_leaves(opened):
    app = opened(LINK | {"drawn_batch": "30"})
    app.press("play_batches")
    app.assert_sound(KEY)
    sent = app.chart(KEY)
    assert len(sent["frames"]) == 21
    assert sent["frames"][20]["alt"].startswith("Batch 50 (")
    assert app.control("next_batch").disabled
    assert app.query_params["drawn_batch"] == "30"
    # A setting that changes meanwhile is drawn, and played on from the same batch.
    app.act("num_subsequences", 2)
    app.assert_sound(KEY)
    assert len(app.chart(KEY)["frames"]) == 21
    app.go_to("glossary").go_to(KEY)
    assert "frames" not in app.chart(KEY)
    assert not app.control("next_batch").disabled


def test_file_has_every_window_of_the_batch_and_the_counts(opened, downloads):
    opened(LINK | {"drawn_batch": "17", "drawing_seed": "3"})
    batch = drawn_batch(SHOWN, 3, 17)
    table = rows_of(downloads["Download CSV"]())
    assert [int(row["series"]) for row in table] == batch.series.tolist()
    assert [int(row["start"]) for row in table] == batch.starts.tolist()
    counted = rows_of(downloads["Download the counted hits as CSV"]())
    hits = drawn_run(SHOWN, 3, 2000).hits
    for name, last in (("batches 1 to 17", 17), ("batches 1 to 2000", 2000)):
        own = [row for row in counted if row["counted_over"] == name]
        assert {int(row["hits"]): int(row["counted"]) for row in own if row["counted"] != "0"} == {
            number: count for number, count in enumerate(np.bincount(hits[:last])) if count
        }
    assert float(counted[1]["probability"]) == pytest.approx(0.1 * 6 / 19)


def test_code_prints_the_windows_of_the_batch(opened, capsys):
    app = opened(LINK | {"bottom_level": "poisson", "drawn_batch": "5"}, parts=("open_code",))
    exec(compile(app.code[0].value, "shown", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    batch = drawn_batch(app.scenario, 1, 5)
    assert printed[0] == f"batch 5: {len(batch)} windows"
    assert printed[1] == (
        f"series {batch.series[0] + 1}: forecast from value {batch.starts[0] + 1} on"
    )
    assert len(printed) == len(batch) + 1


def test_rates_have_an_answer_without_a_drawing_and_a_way_back(opened):
    app = opened(LINK | RATES)
    assert "Theorem 4.4" in app.headline
    assert app.chart_keys == {OUTPUTS}
    app.press("batch_shape")
    app.assert_sound(KEY)
