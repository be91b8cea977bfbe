"""Words: each term is explained, found and set as a symbol, and none is of another's style."""

import ast
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from dpviz.accounting.gaussian import gaussian_delta
from dpviz.export.report_first_page import _NOT_COVERED
from dpviz.scenario.fields import FIELD_NAMES
from dpviz.settings import SETTINGS
from dpviz.settings.destinations import PAGE_NAMES
from dpviz.wording.glossary import (
    LONGEST_SEARCH,
    field_help,
    found_terms,
    glossary,
    linked_term,
    named_term,
    search_problem,
    symbols,
    symbols_help,
    symbols_line,
)
from dpviz.wording.texts import with_formulas
from dpviz.wording.theorems import SECTIONS

ROOT = Path(__file__).parents[2]
SECTION_NAMES = {section for sections in SECTIONS.values() for section in sections}
KEYS = [term.key for term in glossary()]


def rows_of_notation() -> list[tuple[str, str, str]]:
    """Return symbol, names and meaning of the rows of the first table of docs/notation.md."""
    first = (ROOT / "docs/notation.md").read_text(encoding="utf-8").split("\n\n")[2]
    rows = [re.split(r"(?<!\\)\|", line)[1:4] for line in first.splitlines()[2:]]
    return [(symbol.strip(), names.strip(), meaning.strip()) for symbol, names, meaning in rows]


def test_every_symbol_of_the_documents_is_in_the_glossary_under_the_same_names():
    rows = rows_of_notation()
    assert len(rows) > 20
    for symbol, names, _ in rows:
        fields = re.findall(r"`(\w+)`", names)
        terms = [term for term in glossary() if symbol and term.symbol == symbol]
        terms += [one for one in map(named_term, fields) if one is not None]
        assert terms or symbol == "ε, δ", symbol
        for field in fields:
            assert any(field in term.fields for term in glossary()), field
            of_field = next(term for term in glossary() if field in term.fields)
            assert of_field.symbol in symbol or not symbol, (field, symbol)


def test_every_field_of_a_scenario_is_explained_in_the_documents():
    explained = (ROOT / "docs/notation.md").read_text(encoding="utf-8")
    assert [field for field in sorted(FIELD_NAMES) if f"`{field}`" not in explained] == []


def test_every_formula_of_the_glossary_is_that_of_the_documents():
    """What a symbol follows from is written in both places in the same way."""
    documented = " ".join(meaning for _, _, meaning in rows_of_notation())
    formulas = [term.formula for term in glossary() if term.formula]
    assert len(formulas) > 7
    for formula in formulas:
        assert formula in documented or formula == "N · T", formula


def test_every_symbol_and_key_stands_for_one_term():
    shown = [term.symbol for term in glossary() if term.symbol]
    assert len(set(shown)) == len(shown)
    assert len(set(KEYS)) == len(KEYS)
    assert all(re.fullmatch(r"[a-z0-9-]+", key) for key in KEYS)


def test_groups_stand_together():
    groups = [term.group for term in glossary()]
    assert len(set(groups)) == len(list(groupby(groups)))


def test_every_term_says_what_it_is_and_links_to_what_there_is():
    for term in glossary():
        assert term.says.endswith((".", ")", "?")), term.key
        # Hover help would draw a formula between dollar signs.
        assert "$" not in term.says + term.name, term.key
        assert set(term.theorems) <= SECTION_NAMES, term.key
        assert term.page in ("", *PAGE_NAMES), term.key
        # To be read while hovering.
        assert len(re.split(r"(?<=[.?]) ", term.says)) <= 4, term.key


def test_every_scenario_field_that_has_a_label_has_hover_help():
    # Told by files, never typed into a control.
    told_only = {"longer_series_beyond"}
    fields = {name for name in SETTINGS if name in FIELD_NAMES} - told_only
    assert len(fields) > 20
    assert [name for name in fields if not field_help(name)] == []


def test_controls_are_helped_by_the_terms_that_they_name():
    for name, setting in SETTINGS.items():
        assert setting.term in ("", *KEYS)
        assert field_help(name) or not setting.term, name


def test_epsilon_and_delta_say_what_is_true_of_every_page():
    """Releases train nothing; a privacy loss beyond ε is likelier than δ, as δ(ε) is less."""
    assert "(a trained model, a release, a forecast)" in named_term("epsilon").says
    # Of the Gaussian mechanism at ε = 1, with means one standard deviation apart.
    assert gaussian_delta(1.0, 1.0) < 0.13 < 0.3 < norm.sf(1.0 - 0.5)
    for said in (named_term("delta").says, field_help("delta"), *_NOT_COVERED):
        assert not re.search(r"may fail|may be revealed", said)
    assert "the probability of any event may be larger by this much" in field_help("delta")
    report = " ".join(_NOT_COVERED)
    assert "The probability of any event may exceed what ε allows by up to δ" in report
    # Some schemes shuffle and reuse windows themselves.
    assert "shuffles" not in report


def test_headline_help_explains_its_symbols_and_no_words():
    told = symbols_help("At δ = 1e-7, λ = 1 and I add: **ε ≤ 2** (Theorem 4.4)")
    assert told is not None
    assert re.findall(r"\[(.)\]", told) == ["δ", "λ", "ε"]
    assert symbols_help("No symbol at all.") is None


@pytest.mark.parametrize("page", ["privacy_curve", "label_noise", "paper_tables"])
def test_line_of_symbols_is_whole(page):
    listed = symbols_line(page).split(" · ")
    assert len(set(listed)) == len(listed) > 8
    assert all(any(one.startswith(f"{symbol}, [") for one in listed) for symbol in "Cvεδ")
    assert any(one.startswith("q, [") for one in listed) == (page == "label_noise")
    # Symbols are set as formulas, with their index below.
    set_by = with_formulas(symbols_line(page))
    assert not re.search(r"[A-Za-z]_[a-zA-Z]", set_by)
    assert ("$N_{total}$, [windows in the bag](" in set_by) == (page != "paper_tables")


def test_a_term_is_found_first_by_its_own_symbol_and_words():
    for term in glossary():
        for name in filter(None, (term.symbol, term.name, term.key)):
            assert found_terms(name)[0] == term
            assert named_term(name) == term


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("eps", "epsilon"),
        ("Λ", "batch-size"),
        ("add/remove", "insertion-removal"),
        ("event-level", "relation"),
        ("gradient clipping", "clipping-norm"),
    ],
)
def test_other_words_find_a_term_with_hyphens_and_apart(typed, key):
    assert found_terms(typed)[0].key == key
    assert found_terms(f"zebra {typed}") == []


def test_beginnings_of_words_find_terms_and_parts_of_words_do_not():
    assert "label-noise" in [term.key for term in found_terms("LABEL N")]
    assert found_terms("bel noise") == []
    assert "label-noise" in [term.key for term in found_terms("_F")]


def test_a_single_letter_finds_the_terms_that_are_called_so_and_not_all_with_a_word_in_it():
    keys = [term.key for term in found_terms("C")]
    assert keys[0] == "clipping-norm"
    assert len(keys) < 4
    assert {"series-length", "context-length"} <= {term.key for term in found_terms("L")}
    assert found_terms("gradient")[0].key == "gradient"


@given(st.text(max_size=200))
def test_no_text_of_a_link_breaks_the_glossary(text):
    term, problem = linked_term(text)
    assert (term is None) == bool(problem or not text)
    assert len(problem) < 100 + LONGEST_SEARCH
    assert "\n" not in problem
    assert bool(search_problem(text)) == (len(text) > LONGEST_SEARCH or not text.isprintable())
    found_terms(text)


def test_symbols_are_known_as_tex_writes_them():
    assert symbols()["\\sigma_C"].key == "context-noise"
    assert symbols()["\\Lambda"].key == "batch-size"


def test_windows_drawn_by_coins_have_a_probability_even_where_lambda_is_large():
    """Algorithm 6 takes min(1, lambda / T), and then all windows."""
    said = named_term("bottom-level").says
    assert "min(1, λ / T)" in said


BANNED = re.compile(
    r"""
      \bgiv(?:e|es|en|ing)\ away\b | \bgave\ away\b | \bmodel\ really\b | \breally\ leaks?\b
    | \bwhat\ (?:then\ )?came\b | \berrs\ least\b | \bdigit\ by\ digit\b | \bthere\ is\ left\b
    | \bproven\ (?:the\ most|more|less)\ private\b | \bproven\ not\ to\ be\b | \bmore\ is\ true\b
    | \blooked\ at\ \S+\ times\b | \bevery\ factor\ of\ 10\b | \bwherever\ δ\ is\ not\b
    | \btold\ apart\b | \bstock\ accountants?\b | \bstock\ promise\b | \bnot\ about\ it\b
    | \bone\ (?:row|column)\ a\ \w+ | \bdearest\b | \bbreaks\ off\b | \bworth\ the\ name\b
    | \bcomputed\ so\ far\b | \blooked\ for\b | \btake\ it\ away\b | \bequal\ chance\b
    | \bwhat\ has\ to\ hold\b | \bbudget\ ledger\b | \bfind\ out\b | \bsee\ most\ elsewhere\b
    | \bsensitive\ (?:values?|windows?)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield a file, or a module's strings but for those that document it, with their lines."""
    content = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield 1, content
        return
    tree = ast.parse(content)
    documenting = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in documenting:
            yield node.lineno, node.value


@pytest.mark.parametrize("folder", ["wording", "ui", "settings", "figures", "export"])
def test_texts_keep_to_the_words(folder):
    found = [
        f"{path.relative_to(ROOT)}:{line}: {banned[0]!r}"
        for path in sorted((ROOT / "dpviz" / folder).rglob("*"))
        if path.suffix in (".py", ".md", ".toml")
        for line, text in texts(path)
        for banned in BANNED.finditer(" ".join(text.split()))
    ]
    assert found == []
