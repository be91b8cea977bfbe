"""Whatever somebody types, or puts into a link or a file, is shown as words: never as markup."""

import json

import pytest

from dpviz.scenario import to_fields
from dpviz.settings import View
from dpviz.ui.texts import plain
from tests.pages.app import FOLDED_PARTS, link_of
from tests.security.hostile import pin_with, scenario_with

WORDS = "]q](//e.example)*q*<b>$q$`q`|:q: www.e.io"
TELLING = ("label_noise", "protection", "planner")
OTHERS = ("start", "privacy_curve", "one_bag", "epsilon_meaning", "ledger", "batch_drawing")
PAGES = [*TELLING, *(pytest.param(page, marks=pytest.mark.slow) for page in OTHERS)]
VIEWS = {
    "first": View(),
    "second": View(chart="training", noise_chart="map", bag_chart="curve", plan_chart="compare"),
}
SEEN = [pytest.param("first", id="first"), pytest.param("second", marks=pytest.mark.slow)]
AS_MARKDOWN = ("value", "label", "help", "placeholder", "options")
# What Streamlit shows as it is.
AS_IT_IS = {"code": ("value",)}


def markdown_of(app):
    """Return all texts of a page that are read as Markdown, or drawn by a chart.

    A control has been taken apart already: it shows its words as they are, and has addresses.
    """
    found = []
    for element in app.elements:
        names = set(AS_MARKDOWN) - set(AS_IT_IS.get(element.type, ()))
        found += [getattr(element, name, None) for name in names]
        if element.type == "bidi_component" and element.proto.component_name != "dpviz_control":
            found.append(element.proto.bytes.decode())
    found += [part for spec in app.control_specs for part in marked_in(spec)]
    return [text for text in found if isinstance(text, str)]


def marked_in(spec):
    """Return what a control sets in another way than as words: emphasised, or leading to a page."""
    lines = [spec["label"], *spec["help"]]
    return [
        part for line in lines for text, kind, address in line for part in (kind and text, address)
    ]


def assert_words_only(texts, words=WORDS):
    """Check that hostile words are in no text but in the form that shows them as they are."""
    for text in texts:
        # The first rows of a file show no more of a cell than can be read.
        rest = text.replace(plain(words), "").replace(plain(words[:21]), "")
        assert "//e.example" not in rest, text
        assert "*q*" not in rest, text


@pytest.mark.every(2)
@pytest.mark.parametrize("view", SEEN)
@pytest.mark.parametrize("page", PAGES)
def test_unit_of_a_link_is_words_on_every_page_and_in_no_chart(open_page, made_up_map, page, view):
    words = WORDS[1:]  # a unit has at most 40 characters
    link = link_of(scenario_with(words), (pin_with(words),), VIEWS[view])
    app = open_page(link, page=page, parts=(*FOLDED_PARTS, "open_take_away"))
    texts = markdown_of(app)
    assert_words_only(texts, words)
    for element in app.get("bidi_component"):
        if element.proto.component_name != "dpviz_control":
            assert "e.example" not in element.proto.bytes.decode()
    if page in ("label_noise", "protection"):
        assert any(plain(words) in text for text in texts)
    if page in TELLING:
        assert app.control("value_unit").value == words


def test_what_a_link_has_wrong_is_repeated_as_words(open_page):
    link = link_of(scenario_with("cars")) | {
        WORDS: WORDS,
        "delta": WORDS,
        "value_unit": WORDS + "\a",
        "first_date": WORDS,
        "chart": WORDS,
        "pin_a": WORDS,
        "pins_hidden": WORDS,
    }
    app = open_page(link)
    assert len(app.state.problems) == 7
    assert_words_only([warning.value for warning in app.warning])
    assert WORDS in app.warnings.replace("\N{WORD JOINER}", "")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (f"{WORDS}.csv", b""),
        (f"{WORDS}.csv", f"{WORDS},t,value\na,1,{WORDS}\na,2,2\n".encode()),
        ("mine.csv", f"series_id,t,value\n{WORDS},{WORDS},1\n{WORDS},{WORDS},2\n".encode()),
        ("mine.csv", f"{WORDS},{WORDS}\n1,2\n3,4\n".encode()),
        ("mine.csv", f"{WORDS},t,{WORDS} 2\n{WORDS},1,1\n{WORDS},2,1\n".encode()),
        (f"{WORDS}.json", WORDS.encode()),
        ("s.json", json.dumps({WORDS: WORDS}).encode()),
        ("s.json", json.dumps(to_fields(scenario_with("c")) | {"relation": WORDS}).encode()),
    ],
)
def test_what_a_file_has_wrong_is_repeated_as_words(open_page, name, content):
    app = open_page(parts=FOLDED_PARTS)
    app.upload("upload_0", name, content)
    assert app.warnings + app.notes or "use_file" in app.controls
    assert_words_only([*markdown_of(app), *(toast.value for toast in app.toast)])
