"""Files that visitors open, and what they save."""

import tomllib

import pytest

from dpviz.jobs import Limits, LongRun, State, TooCostlyError
from dpviz.scenario import PRESETS, from_json
from dpviz.ui import file_reading, frame
from dpviz.ui.results import RESULTS
from tests.pages.app import ROOT, link_of, series_csv
from tests.pages.train_page import AtOnce


def test_file_gives_number_and_lengths_of_the_series_and_all_it_has_changed_is_said(open_page):
    app = open_page(parts=("open_data",))
    app.act("batch_size", "16")  # a batch that nobody has chosen is asked for instead
    app.open_series("mine.csv", series_csv([30] * 3))
    assert "N = 3 series of 30 values" in app.notes
    assert app.scenario.shape.num_series == 3
    # Three series cannot fill a batch of 16, and the page says what it did about it.
    assert app.scenario.sampling.batch_size == 3
    assert "The batch size was lowered from 16 to 3" in app.notes
    said = app.state.said["use_file"].notes
    assert len(said) > 1
    assert all(note in app.notes for note in said)
    # It stays until the next change.
    app.run()
    assert all(note in app.notes for note in said)
    app.act("noise_multiplier", 2.0)
    assert said[0] not in app.notes


def test_a_file_without_time_stamps_is_not_given_the_hours_of_a_preset(open_page):
    app = open_page(link_of(PRESETS["traffic"].scenario))
    rows = [f"{name},{','.join('1' * 200)}" for name in "abcdefgh"]
    app.open_series(
        "m4.csv", "\n".join(["V1," + ",".join(f"V{at}" for at in range(2, 202)), *rows]).encode()
    )
    assert app.scenario.units.time_step is None
    assert "The file gives no time step" in app.notes.replace("\\", "")
    # What the visitor has set stays.
    app.act("time_step", "1 day")
    app.open_series("again.csv", b"a,b\n1,2\n3,4\n", "upload_1")
    assert str(app.scenario.units.time_step) == "1 day"


def test_a_file_of_another_time_step_asks_again_for_what_is_meant_as_a_time(open_page):
    """As many values are another time then: a week of hours became 24 weeks."""
    hours = [f"{name},2024-01-{d:02} {h:02}:00,5" for name in "abcd" for d in (1, 2, 3)
             for h in range(24)]  # fmt: skip
    app = open_page(parts=("open_data",))
    app.open_series("hours.csv", "\n".join(["id,time,value", *hours]).encode())
    chosen = {"context_length": 4, "forecast_length": 2, "batch_size": 2, "relation_width": 3}
    app.acts([(f"first_{field}", value) for field, value in (chosen | {"training": 20}).items()])
    assert not app.state.unchosen
    days = [f"{name},2024-01-{d:02},5" for name in "abcd" for d in range(1, 29)]
    app.open_series("days.csv", "\n".join(["id,day,value", *days]).encode(), "upload_1")
    assert app.state.unchosen == {"context_length", "forecast_length", "relation_width"}


def test_a_time_step_that_was_set_stays_when_something_else_changes(open_page):
    rows = [f"{name},2024-01-{day:02},{day}" for name in "abcd" for day in range(1, 29)]
    app = open_page().open_series("mine.csv", "\n".join(["id,day,value", *rows]).encode())
    assert str(app.scenario.units.time_step) == "1 day"
    app.act("time_step", "1 hour").act("series_per_person", 2)
    assert str(app.scenario.units.time_step) == "1 hour"
    app.act("series_length", "60 x 40, 50 x 30")
    assert "As typed" in app.all_words
    assert "time step" not in app.notes


def test_a_file_that_was_read_otherwise_meanwhile_is_not_used_unseen(open_page):
    app = open_page().upload("upload_0", "mine.csv", b"a,b,c\n1,2,3\n4,5,6\n")
    seen = app.control("use_file").spec["means"]
    app.act("layout_of_file", "rows").act("use_file", seen)
    assert app.state.file is None
    assert app.press("use_file").state.file is not None


def test_what_is_saved_opens_as_the_same_scenario_to_go_back_to_or_from(open_page, downloads):
    app = open_page()
    app.act("noise_multiplier", 2.0)
    saved = downloads["Save scenario"]()
    assert saved.endswith("}\n")
    assert from_json(saved) == app.scenario
    again = open_page()
    before = again.scenario
    again.upload("upload_0", "s.json", saved.encode())
    assert again.scenario == again.state.origin == app.scenario != before
    assert again.control("reset_all").disabled
    again.press("undo")
    assert again.scenario == before


def test_limits_are_told_before_a_file_is_chosen_and_in_the_refusal(open_page):
    """What a server takes is its own setting; what is read of that, the reader's."""
    app = open_page()
    field = app.file_uploader(key="upload_0")
    assert "500 MB unpacked, 10,000,000 rows, 100,000 series" in field.help
    assert "`python -m dpviz shape FILE`" in field.help
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert field.proto.max_upload_size_mb == config["server"]["maxUploadSize"]
    field.set_value(("mine.csv", b"load\n" + b"1\n" * 10_000_001, "text/csv")).run()
    assert "more than 10,000,000 rows" in app.warnings


@pytest.fixture
def reading_place(monkeypatch):
    """Have files read where processes would read them, but here and now."""
    place = AtOnce()
    monkeypatch.setattr(file_reading, "_places", {True: place, False: place})
    return place


def test_a_file_that_another_process_reads_is_used_as_any_other_unless_too_many_wait(
    open_page, reading_place
):
    app = open_page()
    app.open_series("a.csv", b"a,b\n1,2\n")
    assert "N = 2 series" in app.notes
    assert not reading_place.runs  # with its result it is forgotten
    app.upload("upload_1", "b.csv", b"")
    assert "The file was not used. The file is empty." in app.warnings
    reading_place.is_full = True
    app.upload("upload_2", "c.csv", b"a,b\n1,2\n")
    assert "try again in a minute" in app.warnings


def test_a_file_that_is_read_shows_how_far_and_can_be_stopped(
    open_page, reading_place, monkeypatch
):
    def start(key, steps, visitor, *, size):
        run = reading_place.runs[key] = LongRun(key, steps, size)
        run.begin()
        run.tell(0.4)
        return run

    monkeypatch.setattr(reading_place, "start", start)
    monkeypatch.setattr(frame, "follow_reading", lambda _: None)  # it would wait for ever
    app = open_page()
    before = app.scenario
    app.upload("upload_0", "a.csv", b"a,b\n1,2\n")
    (run,) = reading_place.runs.values()
    assert [bar.proto.value for bar in app.get("progress")] == [40]
    app.press("stop_reading")
    assert run.state is State.CANCELLED
    assert "stop_reading" not in app.controls
    assert app.scenario == before


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (TooCostlyError(Limits(seconds=20.0), "time"), "takes more than 20 s of computing"),
        (ValueError("what is inside"), "Something went wrong on this server"),
    ],
)
def test_a_process_that_fails_is_told_as_the_files_refusal(error, said, open_page, reading_place):
    def start(key, steps, visitor, *, size):
        run = LongRun(key, steps, size)
        run.begin()
        run.end(State.FAILED, error)
        return run

    reading_place.start = start
    app = open_page()
    app.upload("upload_0", "a.csv", b"a,b\n1,2\n")
    assert said in app.warnings
    assert "what is inside" not in app.warnings


def test_nothing_of_a_file_is_kept_where_other_visitors_ask(open_page, reading_place, monkeypatch):
    kept = []
    monkeypatch.setattr(RESULTS, "put", lambda key, outcome: kept.append((key, outcome)))
    app = open_page({"trained_on": "file"}, "train", ())
    kept.clear()
    for at, content in enumerate((b"secret\n1234567\n3\n", b"")):
        app.upload(f"panel_upload_{at}", "mine.csv", content)
    assert not reading_place.runs
    assert "secret" not in str(kept)
    assert "1234567" not in str(kept)
