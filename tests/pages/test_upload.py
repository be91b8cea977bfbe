"""Files that visitors open, and what they save."""

import json
import tomllib

from dpviz.jobs import Limits, TooCostlyError
from dpviz.scenario import PRESETS, from_json, to_fields
from dpviz.ui import offered_file, upload
from tests.pages.acts import act, control, controls, open_series, press
from tests.pages.app import ROOT, checked, notes, scenario_of, state_of, warnings


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


def test_while_another_file_is_read_the_visitor_is_asked_to_wait(open_page, monkeypatch):
    """One large file after another: together they would hold up everybody."""
    monkeypatch.setattr(upload, "_LONGEST_WAIT", 0.01)
    app = open_page()
    with upload._ONE_AT_A_TIME:
        app.file_uploader(key="upload_0").set_value(("a.csv", b"a,b\n1,2\n", "text/csv")).run()
    assert "try again in a minute" in warnings(checked(app))
    open_series(app, "a.csv", b"a,b\n1,2\n", "upload_1")
    assert "N = 2 series" in notes(checked(app))


def test_a_file_that_costs_too_much_to_read_is_refused_in_words(open_page, monkeypatch):
    def read(*_, **__):
        raise TooCostlyError(Limits(seconds=20.0), "time")

    monkeypatch.setattr(offered_file, "read_offer", read)
    app = open_page()
    before = scenario_of(app)
    app.file_uploader(key="upload_0").set_value(("mine.csv", b"a\n1\n", "text/csv")).run()
    assert "too much: it takes more than 20 s of computing." in warnings(checked(app))
    assert scenario_of(app) == before


def test_nothing_of_a_file_is_kept_among_what_visitors_share(open_page, monkeypatch):
    seen = []
    monkeypatch.setattr(upload.RESULTS, "put", noting(upload.RESULTS.put, seen))
    app = open_page()
    for at, content in enumerate((b"a,b\n1,2\n3,4\n", b"")):
        app.file_uploader(key=f"upload_{at}").set_value(("mine.csv", content, "text/csv")).run()
        checked(app)
    of_files = [key for key in seen if key.startswith("file ")]
    assert len(set(of_files)) == 2
    assert not any(upload.RESULTS.outcome(key) for key in of_files)


def noting(put, seen):
    """Return ``put``, with its keys noted."""

    def noted(key, outcome):
        seen.append(key)
        put(key, outcome)

    return noted


SALES = b"shop,day,sales,price\n" + b"".join(
    f"{shop},2024-01-{day:02},{day},2.5\n".encode() for shop in "abc" for day in range(1, 31)
)


def test_a_file_is_shown_as_it_was_read_and_used_when_asked_to(open_page):
    app = open_page()
    before = scenario_of(app)
    app.file_uploader(key="upload_0").set_value(("sales.csv", SALES, "text/csv")).run()
    said = " ".join(one.value for one in checked(app).markdown)
    assert "N = 3 series of 30 values.** Not used yet." in said
    assert "| **series** | **time** | **value** | not read |" in said
    assert scenario_of(app) == before
    assert not state_of(app).unchosen
    press(app, "use_file")
    assert scenario_of(checked(app)).shape.num_series == 3
    assert state_of(app).unchosen
    assert "use_file" not in controls(app)
    assert not state_of(app).opened  # nor is the file kept


def test_columns_and_layout_can_be_chosen_before_a_file_is_used(open_page):
    app = open_page()
    app.file_uploader(key="upload_0").set_value(("sales.csv", SALES, "text/csv")).run()
    assert control(checked(app), "file_value").spec["value"] == "2"
    act(app, "file_value", "3")
    assert state_of(app).opened["file of series"].offer.roles.values == (3,)
    act(app, "file_series", "-1")
    assert "appears a second time" in control(app, "file_series").spec["problem"]
    assert "use_file" not in controls(app)
    act(app, "file_series", "0")
    press(app, "use_file")
    assert scenario_of(app).shape.num_series == 3


def test_a_doubtful_reading_is_asked_about(open_page):
    app = open_page()
    content = b"a,b,c,d\n1,2,3,4\n5,6,7,8\n"
    app.file_uploader(key="upload_0").set_value(("rows.csv", content, "text/csv")).run()
    asked = control(checked(app), "file_doubt").spec
    assert "more series than values" in asked["plainLabel"]
    assert [option[0] for option in asked["options"]] == ["wide", "rows"]
    act(app, "file_doubt", "rows")
    press(app, "use_file")
    assert state_of(app).file.lengths == (4, 4)


def test_a_file_that_is_discarded_is_forgotten(open_page):
    app = open_page()
    app.file_uploader(key="upload_0").set_value(("sales.csv", SALES, "text/csv")).run()
    press(app, "discard_file")
    assert not state_of(app).opened
    assert "use_file" not in controls(app)


def test_several_lengths_can_be_typed_with_their_numbers_of_series(open_page):
    app = open_page()
    for field, value in (
        ("series_length", 2000),
        ("context_length", 300),
        ("forecast_length", 100),
    ):
        act(app, field, value)
    act(app, "series_length", "1,095 x 800, 730 x 400, 50 x 3")
    shape = scenario_of(checked(app)).shape
    # Those of 50 values are shorter than a forecast, and left out.
    assert shape.num_series == 1200
    assert shape.series_lengths[0] == 730
    assert "3 of the 1,203 series" in control(app, "series_length").spec["note"]
    assert state_of(app).file.num_series == 1203
    act(app, "series_length", "60000 x 100001")
    assert "more than 100,000 series" in control(app, "series_length").spec["problem"]
    assert scenario_of(app).shape == shape
    act(app, "series_length", "1095")
    assert scenario_of(app).shape.series_lengths == (1095,)
    assert state_of(app).file is None
