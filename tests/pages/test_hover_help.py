"""Nobody has to guess: every control is explained, and every symbol stands in the glossary."""

import re

import pytest

from dpviz.scenario import Pin
from dpviz.settings import SETTINGS, View
from dpviz.settings.destinations import PAGE_NAMES
from dpviz.wording.glossary import glossary, symbols, symbols_line, tokens
from tests.pages.app import FOLDED_PARTS, TOY, Control, elements_of, link_of

PARTS = (
    *FOLDED_PARTS,
    *("open_rates", "open_symbols", "open_ways", "open_take_away", "open_mechanism"),
    *("open_hidden_rate", "open_hidden_noise", "open_failure", "open_sampling"),
)
PAGES = list(PAGE_NAMES)
SHAPELESS = link_of(TOY.with_rates(bottom_rate=0.2))
PINS = (Pin(slot="a", scenario=TOY),)
# Pages with what only some choices show.
STATES = {
    "training": ("privacy_curve", link_of(TOY, view=View(chart="training"))),
    "rates": ("privacy_curve", SHAPELESS),
    "protection-of-rates": ("protection", SHAPELESS),
    "windows-over-training": ("subsequences", link_of(TOY, view=View(chart="training"))),
    "noise-map": ("label_noise", link_of(TOY, view=View(noise_chart="map"))),
    "bag-curve": ("one_bag", link_of(TOY, view=View(bag_chart="curve"))),
    "success": ("planner", link_of(TOY, view=View(goal="success", free_quantity="training"))),
    "trained-as-set": ("train", {"trained_noise": "set", "trained_on": "file"}),
    "compared-runs": ("train", {"training_chart": "compare"}),
    "hits": ("planner", link_of(TOY, view=View(goal="hits"))),
    "map": ("planner", link_of(TOY, view=View(plan_chart="map"))),
    "pins": ("planner", link_of(TOY, PINS, View(plan_chart="compare"))),
    "hours": ("protection", link_of(TOY) | {"time_step": "1 hour", "relation_width": "3"}),
}
CASES = {page: (page, {}) for page in PAGES} | STATES
# These have most of the controls; the others can wait for the long run.
QUICK = {"start", "privacy_curve", "planner", "epsilon_meaning", "how_to_choose", "glossary"}
ONE_BY_ONE = [
    case if case in QUICK else pytest.param(case, marks=pytest.mark.slow) for case in CASES
]
# Streamlit's own, besides those of settings (see tests/architecture).
CONTROLS = ("button", "download_button", "file_uploader")
# What needs no help, and why.
SELF_EVIDENT = {
    r"Download .*": "the label says what comes",
    r"(Privacy statement|Report|Training script).*": "the file; the text above says more",
    r"Chart|Show|Axes|Left open|Goal|Count training in": "a heading or the options "
    "themselves say it, and the label is for screen readers only",
    r"(Previous|Next)( panel| table)?": "the place among others is shown beside it",
    r"Table|Column": "what is shown stands in it",
    r"(Yes, it was|No, it was not)": "answers to the question above them",
    r"QR code": "the label says what comes",
    r"Organisation|Data set|Author|Your word for one series": "stands in the documents as typed",
    r"Back to the data's shape": "the sentence above it says what that is",
}  # fmt: skip
# Greek letters and what stands below a letter; of single Latin letters those that are no words.
GREEK = re.compile(r"[α-ωΑ-Ω]|\\(?:alpha|delta|epsilon|lambda|Lambda|mu|phi|rho|sigma|tau|var\w+)$")
SUBSCRIPT = re.compile(r"[A-Zα-ω]_\w+")
LETTER = re.compile(r"[B-HJ-Zb-z]'?")
NO_SYMBOLS = {
    "s",  # seconds
    "u", "b",  # gradients, explained where Proposition 7 names them
    "K", "U", "V", "c",  # batches, mixtures and a share, where Propositions 24 and 25 name them
    "e",  # the base of natural logarithms
    "x", "y",  # axes
}  # fmt: skip


def controls_of(app) -> list:
    return [*app.drawn, *(one for one in app.elements if one.type in CONTROLS)]


def help_of(control) -> str:
    return control.help if isinstance(control, Control) else control.proto.help


def needs_help(control) -> bool:
    label = control.label.replace("\\", "")
    return not any(re.fullmatch(known, label) for known in SELF_EVIDENT)


def greek_symbols(text: str) -> set[str]:
    """Return Greek letters and letters with something below them."""
    found = tokens(text)
    return {token for token in found if GREEK.search(token) or SUBSCRIPT.fullmatch(token)}


@pytest.mark.usefixtures("made_up_map", "small_picture")
@pytest.mark.parametrize("case", ONE_BY_ONE)
def test_every_control_is_explained_and_every_symbol_is_in_the_glossary(open_page, case):
    page, query = CASES[case]
    app = open_page(query, page, PARTS)
    hidden = [
        control.label
        for control in controls_of(app)
        if not help_of(control).strip() and needs_help(control)
    ]
    assert hidden == [], "give these a help from dpviz/wording/texts/glossary.toml"
    seen = set().union(*map(greek_symbols, app.texts))
    assert seen - symbols().keys() == set(), "put these into dpviz/wording/texts/glossary.toml"
    # Below the answer, of this page's symbols alone.
    if any(one.value.startswith(symbols_line(page)) for one in app.markdown):
        told = {symbols()[one].symbol for one in seen}
        controls = " ".join(control.label for control in controls_of(app))
        told -= {symbols()[one].symbol for one in symbols().keys() & tokens(controls)}
        assert [one for one in told if f"[{one}, " not in symbols_line(page)] == [], (
            "list these under [symbols] in dpviz/wording/texts/glossary.toml"
        )


@pytest.mark.parametrize(
    "page", ["privacy_curve", pytest.param("planner", marks=pytest.mark.slow), "theorems"]
)
def test_single_letters_are_symbols_of_the_glossary(open_page, page):
    app = open_page(page=page, parts=PARTS)
    written = [text.value for text in (*app.markdown, *app.caption)]
    written += [one.label for one in app.drawn if one.kind in ("number", "text")]
    # Code, the insides of links and the numbers of theorems are no symbols.
    plain = " ".join(
        re.sub(r"`[^`]*`|\]\([^)]*\)|[A-Z]\.\d|Appendix [A-Z]", " ", str(text)) for text in written
    )
    letters = {token for token in tokens(plain) if LETTER.fullmatch(token)}
    assert len(letters) > 4
    assert letters - symbols().keys() - NO_SYMBOLS == set()


@pytest.mark.slow
def test_each_term_is_set_where_the_glossary_says(open_page):
    """A page that the glossary names for a field has its control."""
    labels = {}
    for page in sorted({term.page for term in glossary() if term.page}):
        app = open_page(page=page, parts=PARTS)
        labels[page] = {control.label for control in controls_of(app)}
    for term in glossary():
        shown = {SETTINGS[field].title for field in term.fields if field in SETTINGS}
        if shown and term.page:
            assert shown & labels[term.page], term.key


def test_headline_and_symbols_below_the_answer_are_explained(open_page):
    app = open_page(parts=PARTS)
    (answer,) = [block for block in app.elements if block.key == "answer"]
    (headline,) = [one for one in elements_of(answer) if one.type == "markdown"]
    assert "[ε](glossary?term=epsilon)" in headline.proto.help
    assert any(
        "[T, start positions](glossary?term=start-positions)" in text.value for text in app.markdown
    )
