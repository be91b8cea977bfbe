"""The link to what is shown: as a QR code, and for readers of a report."""

import re
import sys
from dataclasses import replace
from unittest.mock import Mock
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
import zxingcpp

from dpviz.export.qr_code import MOST_CHARACTERS, QUIET_ZONE
from dpviz.scenario import PRESETS, Pin, from_query
from dpviz.scenario.errors import MissingPackageError
from dpviz.settings import View
from dpviz.settings.lessons import OWN
from dpviz.ui.questions import lessons
from dpviz.ui.sharing import public_address, qr_drawing, shared_link
from dpviz.ui.state import State
from tests.pages.app import ROOT

HOST = "https://privacy.example.org/"
PIXELS = 4  # to a module


def pixels(drawing: str) -> np.ndarray:
    """Return a code's pixels, drawn from its one path of rows of runs."""
    side = int(re.search(r'viewBox="0 0 (\d+) \1"', drawing)[1])
    dark = np.zeros((side, side), dtype=bool)
    (path,) = re.findall(r'stroke="#000" d="([^"]+)"', drawing)
    x, y = 0.0, 0.0
    for kind, numbers in re.findall(r"([Mmh])([-\d. ]+)", path):
        values = [float(number) for number in re.findall(r"-?\d*\.?\d+", numbers)]
        if kind == "h":
            dark[int(y), round(x) : round(x + values[0])] = True
            x += values[0]
        else:
            x, y = (values[0], values[1]) if kind == "M" else (x + values[0], y + values[1])
    return np.where(np.kron(dark, np.ones((PIXELS, PIXELS))), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("length", [40, 320, MOST_CHARACTERS])
def test_a_phone_reads_the_link(length):
    link = (HOST + "planner?delta=1e-07&" + "a=%2C" * MOST_CHARACTERS)[:length]
    drawn = pixels(qr_drawing(link))
    (code,) = zxingcpp.read_barcodes(drawn)
    assert code.text == link
    edge = QUIET_ZONE * PIXELS
    assert drawn[:edge].all()
    assert drawn[:, -edge:].all()
    assert not drawn[edge, edge]


def test_the_longest_code_is_as_large_as_is_said():
    """89 modules and the white around them."""
    assert f'viewBox="0 0 {89 + 2 * QUIET_ZONE} ' in qr_drawing("x" * MOST_CHARACTERS)


def test_longer_links_get_a_sentence_with_both_numbers():
    with pytest.raises(ValueError, match=r"has 701 characters.* holds 700\. Copy the link"):
        qr_drawing("x" * (MOST_CHARACTERS + 1))


def test_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "segno", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'segno>=1\.6,<2'"):
        qr_drawing(HOST)


def test_every_prepared_link_without_pins_fits():
    for preset in PRESETS.values():
        state = State(scenario=preset.scenario, view=View(lesson="windows"))
        assert len(shared_link(state, HOST + "privacy_curve")) < MOST_CHARACTERS


def test_link_for_others_has_the_settings_but_neither_answers_nor_the_presenter():
    own = View(answers="leak-a", revealed="leak", present=1, lesson="leak", prior=0.1)
    own = replace(own, participant=5, class_code="BCDFG", class_key="0" * 32)
    own = replace(own, game_seed=7, game_answers="0123abcd-yn")
    pin = Pin(slot="a", scenario=PRESETS["traffic"].scenario)
    link = shared_link(State(view=own, pins=(pin,)), HOST + "epsilon_meaning")
    given = parse_qs(urlsplit(link).query)
    assert link.startswith(HOST + "epsilon_meaning?")
    assert given.keys().isdisjoint({*OWN, "present"})
    assert (given["prior"], given["lesson"]) == (["0.1"], ["leak"])
    assert given["class_code"] == ["BCDFG"]
    assert from_query(given["pin_a"][0]) == pin.scenario


def test_copied_link_leaves_out_the_same_as_the_code():
    script = (ROOT / "dpviz" / "ui" / "browser" / "copy_link.js").read_text(encoding="utf-8")
    (names,) = re.findall(r"OWN = /\^\((.*)\)=/;", script)
    assert names.split("|") == [*OWN]


@pytest.mark.parametrize(("lesson", "query"), [("steps", "?lesson=steps"), ("none", "")])
def test_link_of_a_lesson_is_short(lesson, query):
    state = State(view=View(lesson=lesson, answers="leak-a"))
    assert shared_link(state, HOST + "lessons") == f"{HOST}lessons{query}"


@pytest.mark.parametrize(
    ("page", "app"),
    [
        ("https://dp.example.org/privacy_curve", "https://dp.example.org/"),
        ("http://dp.example.org:8501/a/b/planner?x=1", "http://dp.example.org:8501/a/b/"),
        ("http://8.8.8.8:8501/planner", "http://8.8.8.8:8501/"),
    ],
)
def test_public_address_is_kept_without_the_page(page: str, app: str) -> None:
    assert public_address(page) == app


HOSTS = (
    *("localhost", "localhost:8501", "127.0.0.1:8501", "[::1]:8501", "0.0.0.0", "teacher"),
    *("192.168.1.7:8501", "10.0.0.2", "172.16.5.4", "169.254.1.1", "[fd00::1]", "[fe80::1]"),
    *("teacher.local", "teacher.local.", "dp.lan", "a.localhost"),
)


@pytest.mark.parametrize(
    "url", [None, "", "javascript:alert(1)", "file:///a.b/c", *(f"http://{one}/a" for one in HOSTS)]
)
def test_what_is_no_web_address_or_cannot_be_opened_by_others_is_none(url: str | None) -> None:
    assert public_address(url) is None


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://localhost:8501/lessons", None),
        ("http://192.168.0.7:8501/app/lessons", "http://192.168.0.7:8501/app/"),
    ],
)
def test_kit_leads_to_the_address_that_others_can_open(url, address, monkeypatch):
    handed = Mock()
    monkeypatch.setattr(lessons, "st", Mock(context=Mock(url=url)))
    monkeypatch.setattr(lessons, "hand_over", handed)
    monkeypatch.setattr(lessons, "result_of", lambda part: part.key)
    monkeypatch.setattr(lessons, "kit_zip", lambda *given: given)
    lessons.draw_kit_button()
    _, make, file, *_ = handed.call_args.args
    assert (make(), file) == (("teacher's kit", address), "dpviz-kit.zip")
