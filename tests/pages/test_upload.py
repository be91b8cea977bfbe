"""Files that visitors open, and what they save."""

import json

from dpviz.scenario import PRESETS, from_json, to_fields
from tests.pages.app import checked, notes, scenario_of, state_of, warnings


def test_file_gives_number_and_lengths_of_the_series(open_page):
    app = open_page()
    rows = [f"{name},{t},{t}" for name in "abc" for t in range(30)]
    content = "\n".join(["series_id,t,value", *rows]).encode()
    app.file_uploader(key="upload_0").set_value(("mine.csv", content, "text/csv")).run()
    checked(app)
    assert "N = 3 series of 30 values" in notes(app)
    assert scenario_of(app).shape.num_series == 3
    # Three series cannot fill a batch of 32, and the page says what it did about it.
    assert scenario_of(app).sampling.batch_size == 3
    assert "batch" in notes(app)


def test_one_toast_leads_to_all_that_is_said_at_the_top(open_page):
    app = open_page()
    rows = [f"{name},{t},{t}" for name in "abc" for t in range(30)]
    content = "\n".join(["series_id,t,value", *rows]).encode()
    app.file_uploader(key="upload_0").set_value(("mine.csv", content, "text/csv")).run()
    said = state_of(checked(app)).notes
    assert len(said) > 1
    (toast,) = app.toast
    told = toast.value.replace("\\", "")
    assert told == f"{said[0]} (and {len(said) - 1} more, at the top)"
    assert all(note in notes(app) for note in said)
    # It is said once; at the top it stays until the next change.
    app.run()
    assert not app.toast
    assert said[0] in notes(app)


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
    app.select_slider(key="noise_multiplier_slider").set_value(2.0).run()
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
    assert app.button(key="reset_all").disabled
    app.button(key="undo").click().run()
    assert scenario_of(checked(app)) == before
