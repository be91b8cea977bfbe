"""Files that visitors open, and what they save."""

import json
import tomllib

import pytest

from dpviz.jobs import Limits, LongRun, State, TooCostlyError
from dpviz.scenario import PRESETS, from_json, to_fields
from dpviz.ui import file_reading, frame, offered_file
from dpviz.ui.shared import RESULTS
from tests.pages.acts import act, control, controls, open_series, press
from tests.pages.app import ROOT, checked, link_of, notes, scenario_of, state_of, warnings
from tests.pages.train_page import AtOnce


def test_file_gives_number_and_lengths_of_the_series(open_page):
    app = open_page()
    rows = [f"{name},{t},{t}" for name in "abc" for t in range(30)]
    content = "\n".join(["series_id,t,value", *rows]).encode()
    open_series(app, "mine.csv", content)
    checked(app)
    assert "N = 3 series of 30 values" in notes(app)
    assert scenario_of(app).shape.num_series == 3
    # Three series cannot fill a batch of 32, and the page says what it did about it.
    assert scenario_of(app).sampling.batch_size == 3
    assert "batch" in notes(app)


def test_a_file_without_time_stamps_is_not_given_the_hours_of_a_preset(open_page):
    app = open_page(link_of(PRESETS["traffic"].scenario))
    rows = [f"{name},{','.join('1234'[:1] * 200)}" for name in "abcdefgh"]
    open_series(
        app,
        "m4.csv",
        "\n".join(["V1," + ",".join(f"V{at}" for at in range(2, 202)), *rows]).encode(),
    )
    assert scenario_of(checked(app)).units.time_step is None
    assert "The file gives no time step" in notes(app).replace("\\", "")
    # What the visitor has set stays.
    act(app, "time_step", "1 day")
    open_series(app, "again.csv", b"a,b\n1,2\n3,4\n", "upload_1")
    assert str(scenario_of(checked(app)).units.time_step) == "1 day"


def test_all_that_a_file_has_changed_is_said_at_the_top(open_page):
    app = open_page()
    rows = [f"{name},{t},{t}" for name in "abc" for t in range(30)]
    content = "\n".join(["series_id,t,value", *rows]).encode()
    open_series(app, "mine.csv", content)
    said = state_of(checked(app)).said["use_file"].notes
    assert len(said) > 1
    assert all(note in notes(app) for note in said)
    # It stays until the next change.
    app.run()
    assert all(note in notes(app) for note in said)
    act(app, "noise_multiplier", 2.0)
    assert said[0] not in notes(app)


def test_unreadable_file_is_refused_with_the_reason_and_nothing_is_lost(open_page):
    app = open_page()
    before = scenario_of(app)
    app.file_uploader(key="upload_0").set_value(("mine.csv", b"", "text/csv")).run()
    assert "The file was not used." in warnings(checked(app))
    assert scenario_of(app) == before


def test_saved_scenario_can_be_opened_again(open_page):
    fixture = json.dumps(to_fields(PRESETS["solar_10_minutes"].scenario)).encode()
    app = open_page()
    app.file_uploader(key="upload_0").set_value(("s.json", fixture, "application/json")).run()
    assert scenario_of(checked(app)) == PRESETS["solar_10_minutes"].scenario


def test_what_is_saved_opens_as_the_same_scenario(open_page, downloads):
    app = open_page()
    act(app, "noise_multiplier", 2.0)
    saved = downloads["Save scenario"]()
    assert saved.endswith("}\n")
    assert from_json(saved) == scenario_of(app)
    again = open_page()
    content = saved.encode()
    again.file_uploader(key="upload_0").set_value(("s.json", content, "application/json")).run()
    assert scenario_of(checked(again)) == scenario_of(app)


def test_opened_file_can_be_taken_back_and_is_what_reset_goes_back_to(open_page):
    app = open_page()
    before = scenario_of(app)
    saved = json.dumps(to_fields(PRESETS["traffic"].scenario)).encode()
    app.file_uploader(key="upload_0").set_value(("s.json", saved, "application/json")).run()
    assert state_of(checked(app)).origin == PRESETS["traffic"].scenario
    assert control(app, "reset_all").disabled
    press(app, "undo")
    assert scenario_of(checked(app)) == before


def test_limits_are_told_before_a_file_is_chosen_and_in_the_refusal(open_page):
    """What a server takes is its own setting; what is read of that, the reader's."""
    app = open_page()
    field = app.file_uploader(key="upload_0")
    assert "500 MB, unpacked, 10,000,000 rows and 100,000 series" in field.help
    assert "`python -m dpviz shape FILE`" in field.help
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert field.proto.max_upload_size_mb == config["server"]["maxUploadSize"]
    nginx = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    assert f"client_max_body_size {config['server']['maxUploadSize'] + 1}m;" in nginx
    field.set_value(("mine.csv", b"load\n" + b"1\n" * 10_000_001, "text/csv")).run()
    assert "more than 10,000,000 rows" in warnings(checked(app))


@pytest.fixture
def reading_place(monkeypatch):
    """Have files read where processes would read them, but here and now."""
    place = AtOnce()
    monkeypatch.setattr(file_reading, "_places", {True: place, False: place})
    return place


def test_a_file_that_another_process_reads_is_shown_and_used_as_any_other(open_page, reading_place):
    app = open_page()
    open_series(app, "a.csv", b"a,b\n1,2\n")
    assert "N = 2 series" in notes(checked(app))
    assert not reading_place.runs  # with its result it is forgotten
    app.file_uploader(key="upload_1").set_value(("b.csv", b"", "text/csv")).run()
    assert "The file was not used. The file is empty." in warnings(checked(app))


def test_when_too_many_wait_the_visitor_is_asked_to_come_again(open_page, reading_place):
    reading_place.is_full = True
    app = open_page()
    app.file_uploader(key="upload_0").set_value(("a.csv", b"a,b\n1,2\n", "text/csv")).run()
    assert "try again in a minute" in warnings(checked(app))


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
    before = scenario_of(app)
    app.file_uploader(key="upload_0").set_value(("a.csv", b"a,b\n1,2\n", "text/csv")).run()
    (run,) = reading_place.runs.values()
    assert [bar.proto.value for bar in checked(app).get("progress")] == [40]
    press(app, "stop_reading")
    assert run.state is State.CANCELLED
    assert "stop_reading" not in controls(checked(app))
    assert scenario_of(app) == before


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
    app.file_uploader(key="upload_0").set_value(("a.csv", b"a,b\n1,2\n", "text/csv")).run()
    assert said in warnings(checked(app))
    assert "what is inside" not in warnings(app)


def test_a_file_that_costs_too_much_to_read_is_refused_in_words(open_page, monkeypatch):
    def read(*_, **__):
        raise TooCostlyError(Limits(seconds=20.0), "time")

    monkeypatch.setattr(offered_file, "read_offer", read)
    app = open_page()
    before = scenario_of(app)
    app.file_uploader(key="upload_0").set_value(("mine.csv", b"a\n1\n", "text/csv")).run()
    assert "too much: it takes more than 20 s of computing." in warnings(checked(app))
    assert scenario_of(app) == before


def test_nothing_of_a_file_is_kept_where_other_visitors_ask(open_page, reading_place, monkeypatch):
    kept = []
    monkeypatch.setattr(RESULTS, "put", lambda key, outcome: kept.append((key, outcome)))
    app = open_page({"trained_on": "file"}, "train", ())
    kept.clear()
    for at, content in enumerate((b"secret\n1234567\n3\n", b"")):
        file = ("mine.csv", content, "text/csv")
        app.file_uploader(key=f"panel_upload_{at}").set_value(file).run()
        checked(app)
    assert not reading_place.runs
    assert "secret" not in str(kept)
    assert "1234567" not in str(kept)
