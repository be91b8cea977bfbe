"""What holds for every page in every state that is recorded, to which test_goldens holds it."""

import re
from collections import Counter, defaultdict
from functools import cache
from importlib import import_module
from itertools import takewhile
from json import loads

import pytest

from dpviz.export.document import document_page
from dpviz.settings import SETTINGS
from dpviz.settings.destinations import PAGE_NAMES, destination_of
from dpviz.settings.pages import WITHOUT_SCENARIO
from dpviz.ui.question import Question
from dpviz.ui.static_files import DOCUMENTS, FOLDER
from dpviz.wording.glossary import glossary, symbols, symbols_line, tokens
from dpviz.wording.how_to_choose import CHOICES
from dpviz.wording.theorems import SECTIONS, section_anchor
from tests.goldens.test_goldens import RECORDED
from tests.pages.app import NO_NUMBER, ROOT

QUESTIONS: dict[str, Question] = {
    page.stem: import_module(f"dpviz.ui.questions.{page.stem}").QUESTION
    for page in sorted((ROOT / "pages").glob("*.py"))
    if "import ask\n" in page.read_text(encoding="utf-8")
}
PAGES = {name: seen for name, seen in RECORDED.items() if not seen.visit.is_command}
# What links may lead to within a page.
ANCHORS = {
    "theorems": {section_anchor(one) for sections in SECTIONS.values() for one in sections},
    "how_to_choose": {one.key for one in CHOICES},
}
# Without a run there is nothing in these files but the reason.
WITHOUT_ROWS = ("train", "ledger")
# Controls of dpviz's own, and Streamlit's besides (see tests/architecture).
CONTROL = re.compile(r"(?:control \S+ is|button|download_button|file_uploader) (\{.*\})")
# What needs no help, and why.
SELF_EVIDENT = {
    r"(Download|Save) .*|QR code": "the label says what comes",
    r"(Privacy statement|Report|Training script).*": "the file; the text above says more",
    r"Chart|Show|Axes|Goal|Count training in": "a heading or the options "
    "themselves say it, and the label is for screen readers only",
    r"(Previous|Next)( panel| table)?": "the place among others is shown beside it",
    r"Table|Column": "what is shown stands in it",
    r"(Yes, it was|No, it was not)|Your prediction": "answers to the question above them",
    r"How (many|long) .*": "a question, with an example in its box",
    r"Organisation|Data set|Author|Your word for one series": "stands in the documents as typed",
    r"Name of run \d": "stands in the ledger as typed",
    r"Back to the data's shape": "the sentence above it says what that is",
    r"((Use|Forget) this|Discard the new) file|Forget what is kept": "says what it does",
    r"Back to the example|Leave \(Esc\)": "says what it does",
    r"Layout of the file|Column (of|that names) the .*": "the file's first rows stand below it",
}
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
    "π", "σ_g",  # where a formula of the paper on releases has them
}  # fmt: skip
HEADLINE = re.compile(r"markdown: (?=.*\*\*).*ε ≤ ")
# How pages say what a bound means (docs/style.md). One that is exact has its mechanism, and what is
# typed was promised by somebody else.
MEANING = {
    "side": r"[Uu]pper bound|at most",
    "theorem": r"Theorem|Proposition|exact|Laplace mechanism|promised for|meets ε ≤ ",
    "δ": r"δ = ",
    "individual": r"values?[^.;]{0,60}\b(of|in) (one|each)|individual|one record|promised for",
}
OTHER_SIDE = {"upper": r"lower bound|≥|at least", "lower": r"upper bound|≤|at most"}
# Where files quote the bound first.
QUOTING = {
    "download Privacy statement": re.compile(r"ε ≤ ([\d.,]*\d)"),
    "download Report (": re.compile(r"ε ≤ ([\d.,]*\d)"),
    "download Training script": re.compile(r"TARGET_EPSILON = ([\d.]+)"),
}
WORDS = re.compile(r"markdown|caption|info|warning|error|success|control|chart \w+ in words")


def on_page(seen) -> list[str]:
    """Return what stands on the page; what its buttons hand out comes after that."""
    return [*takewhile(lambda entry: not entry.startswith("download "), seen.entries)]


@cache
def control_in(entry: str) -> dict | None:
    found = CONTROL.fullmatch(entry)
    return found and loads(found[1])


def controls_of(seen) -> list[dict]:
    return [*filter(None, map(control_in, on_page(seen)))]


def label_of(control) -> str:
    return control.get("plainLabel", control.get("label", "")).replace("\\", "")


@cache
def greek_symbols(text: str) -> set[str]:
    """Return Greek letters and letters with something below them; none of a program."""
    found = tokens(text) if not text.startswith(("code: ", "link ")) else []
    return {token for token in found if GREEK.search(token) or SUBSCRIPT.fullmatch(token)}


@pytest.fixture(scope="module")
def labels() -> dict[str, set[str]]:
    """Return what the controls of each page are called."""
    found = defaultdict(set)
    for seen in PAGES.values():
        found[seen.visit.group] |= {*map(label_of, controls_of(seen))}
    return found


def test_every_control_is_explained():
    hidden = {
        (seen.visit.group, label_of(control))
        for seen in PAGES.values()
        for control in controls_of(seen)
        if not control.get("help")
        and not any(re.fullmatch(known, label_of(control)) for known in SELF_EVIDENT)
    }
    assert hidden == set(), "give these a help, or a term of dpviz/wording/texts/glossary.toml"


def test_every_symbol_is_in_the_glossary_and_in_the_list_below_the_answer(labels):
    """Or in the label of a control, whose help explains it."""
    for name, seen in PAGES.items():
        there, page = on_page(seen), seen.visit.group
        found = set().union(*map(greek_symbols, there)) - NO_SYMBOLS
        assert found - symbols().keys() == set(), name
        listed = symbols_line(page)
        if any(entry.startswith(f"markdown: {listed}") for entry in there):
            labelled = symbols().keys() & tokens(" ".join(labels[page]))
            told = {symbols()[one].symbol for one in found}
            told -= {symbols()[one].symbol for one in labelled}
            assert [one for one in told if f"{one}, [" not in listed] == [], (
                f"list these of {name} under [symbols] in dpviz/wording/texts/glossary.toml"
            )


@pytest.mark.parametrize(
    "name", ["privacy_curve: all parts", "planner: all parts", "theorems: first"]
)
def test_single_letters_are_symbols_of_the_glossary(name):
    said = [entry.partition(": ") for entry in on_page(PAGES[name])]
    written = [text for kind, _, text in said if kind in ("markdown", "caption")]
    fields = (one for one in controls_of(PAGES[name]) if one.get("kind") in ("number", "text"))
    # Code, the insides of links and the numbers of theorems are no symbols.
    plain = " ".join(
        re.sub(r"`[^`]*`|\]\([^)]*\)|[A-Z]\.\d|Appendix [A-Z]", " ", text)
        for text in (*written, *map(label_of, fields))
    )
    letters = {token for token in tokens(plain) if LETTER.fullmatch(token)}
    assert len(letters) > 4
    assert letters - symbols().keys() - NO_SYMBOLS == set()


def test_each_term_is_set_where_the_glossary_says(labels):
    """A page that the glossary names for a field has its control."""
    for term in glossary():
        shown = {SETTINGS[field].title for field in term.fields if field in SETTINGS}
        if shown and term.page:
            assert shown & labels[term.page], term.key


def test_every_box_has_a_name_of_its_own():
    """A screen reader says which level or run a box belongs to."""
    for name, seen in PAGES.items():
        boxes = (one for one in controls_of(seen) if one.get("kind") in ("number", "text"))
        named = Counter(map(label_of, boxes))
        repeated = {label for label, times in named.items() if times > 1}
        # Of a file that tells none it is asked for above the answer, too.
        assert repeated <= {"Time from value to value"}, name


@cache
def anchors_on(page):
    if page in ANCHORS:
        return ANCHORS[page]
    document = DOCUMENTS[page.removeprefix(f"{FOLDER}docs/")]
    return set(re.findall(' id="([^"]+)"', document_page(document.decode())))


def test_links_lead_to_what_there_is():
    keys = {term.key for term in glossary()}
    targets = {*PAGE_NAMES, *(f"{FOLDER}docs/{name}" for name in DOCUMENTS)}
    for name, seen in PAGES.items():
        for text in on_page(seen):
            for address, section in re.findall(r"\]\(([^)#]*)#?([^)]*)\)", text):
                page = address.partition("?")[0] or seen.visit.group
                assert page in targets, (name, address)
                assert not section or section in anchors_on(page), (name, section)
            terms = {*re.findall(r"glossary\?term=([\w-]+)", text)}
            assert terms <= keys, (name, terms - keys)


def test_headlines_explain_their_symbols():
    helped = re.compile(r"markdown, when pointed at: .*\[ε\]\(glossary\?term=epsilon\)", re.DOTALL)
    for page in ("privacy_curve", "subsequences", "planner", "protection", "ledger"):
        assert any(map(helped.match, PAGES[f"{page}: all parts"].entries)), page


def test_a_bound_is_told_with_its_side_theorem_delta_and_individual():
    for name, seen in PAGES.items():
        said = [entry for entry in on_page(seen) if entry.startswith(("markdown: ", "caption: "))]
        if any(map(HEADLINE.match, said)):
            told = " ".join(said)
            lacking = [what for what, way in MEANING.items() if not re.search(way, told)]
            assert lacking == [], name
            if "Theorem G.1 composed" in told:
                change = "no value changes( in any of [0-9,]+ channels)? by more than"
                assert re.search(change, told), name


def test_a_line_that_is_pointed_at_is_of_its_side():
    for name, seen in PAGES.items():
        for entry in on_page(seen):
            uid = re.match(r'trace \d+: .*"uid": "\S*(upper|lower)"', entry)
            assert uid is None or not re.search(OTHER_SIDE[uid[1]], entry), name


def test_one_question_has_one_number():
    """What is taken away quotes the upper bound of the headline."""
    quoted = 0
    for name, seen in PAGES.items():
        headline = next(filter(HEADLINE.match, seen.entries), "")
        taken, label, pattern = {}, "", None
        for entry in seen.entries:
            if entry.startswith("download "):
                label = entry
                pattern = next((one for of, one in QUOTING.items() if entry.startswith(of)), None)
            if pattern is not None and label not in taken and (found := pattern.search(entry)):
                taken[label] = found[1].removesuffix(".0")
        quoted += len(taken)
        assert [one for one in taken.values() if f"ε ≤ {one} " not in headline] == [], name
    assert quoted > 100


def test_no_word_is_a_number_that_there_is_not():
    for name, seen in PAGES.items():
        for entry in filter(WORDS.match, on_page(seen)):
            assert not NO_NUMBER.search(entry), (name, entry)


def test_every_question_has_a_file_of_its_own():
    assert len({question.file for question in QUESTIONS.values()}) == len(QUESTIONS)


@pytest.mark.parametrize("page", QUESTIONS)
def test_a_page_has_its_title_and_all_of_it_can_be_pinned_and_taken_away(page):
    question = QUESTIONS[page]
    entries = next(seen.entries for seen in PAGES.values() if seen.visit.group == page)

    def times(beginning):
        return sum(entry.startswith(beginning) for entry in entries)

    assert f"title: {destination_of(page)}" in entries
    is_pinned = question.is_live and page not in WITHOUT_SCENARIO
    assert times("control pin is ") == is_pinned
    assert times("folded shut: Holds if your training meets ") == (question.held is not None)
    # Its numbers, and its settings where it has such.
    table = entries[entries.index(f"download Download CSV {question.file}:") + 1 :]
    assert table[0].startswith("# ")
    assert any(re.match(r"[\d,]+ rows of ", line) for line in table) == (page not in WITHOUT_ROWS)
    assert times("download Save scenario ") == question.is_saved
