"""docs/coverage.md names everything that the papers have, and its numbers are those computed."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest

from bench.studies import STUDIES, made_by
from dpviz.settings.destinations import PAGE_NAMES
from dpviz.settings.view import VIEW_PARAMETERS, view_from_query
from dpviz.wording.theorems import THEOREM_ANCHORS
from tests.documentation.coverage import PAPERS
from tests.documentation.pages import ROOT

TEXT = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
HEAD = ("item", "what", "where", "printed", "ours", "verdict")
APP = re.compile(r"\[([^\]]*)\]\(http://localhost:8501/([^)]*)\)")
NUMBER = re.compile(r"([≤≥]? ?)(?<![\w.])(\d+(?:\.\d+)?)")
# Of the last digit that stands there: an upper bound is rounded up, a lower one down.
LAST_DIGIT = {"≤": (-1.0, 0.0), "≥": (0.0, 1.0), "": (-0.5, 0.5)}
ROUNDING = 1e-3
NOTHING = "–"
# "Theorems 4.2, 4.3", "Lemmas E.2 to E.7": a kind, and labels that follow it.
LABELLED = re.compile(
    r"(?:(Definition|Theorem|Lemma|Proposition|Corollar|Algorithm|Figure|Table|Example|Remark)\w*"
    r"|and|,|to)? ?\b((?:[A-I]\.|\d\.)?\d+)\b"
)


def rows_of(paper):
    """Return the rows of a paper's tables, each by column."""
    section = re.split(r"^## ", TEXT, flags=re.MULTILINE)
    [text] = [one for one in section if one.startswith(f"{paper}\n")]
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return [
        dict(zip(HEAD, one, strict=True))
        for one in cells
        if tuple(one) != HEAD and "---" not in one
    ]


ROWS = [(paper, row) for paper in PAPERS for row in rows_of(paper)]


def differs(cell, computed):
    """Return what is wrong with the numbers of a cell; empty if nothing is."""
    found = NUMBER.findall(cell)
    if len(found) != len(computed):
        return f"{len(found)} numbers in {cell!r}, {len(computed)} computed"
    for (side, text), exact in zip(found, computed, strict=True):
        digit = 10.0 ** -len(text.partition(".")[2])
        low, high = LAST_DIGIT[side.strip()]
        off = (float(exact) - float(text)) / digit
        if not low - ROUNDING <= off <= high + ROUNDING:
            return f"{side}{text} in {cell!r}, computed {exact}"
    return ""


@pytest.mark.parametrize("paper", PAPERS)
def test_numbers_of_ours_are_computed(paper):
    ours, printed = PAPERS[paper]
    for row in rows_of(paper):
        item = row["item"]
        assert differs(row["ours"], ours.get(item, list)()) == "", item
        if item in printed:
            assert differs(row["printed"], printed[item]()) == "", item


@pytest.mark.parametrize("paper", PAPERS)
def test_every_computation_has_its_row(paper):
    items = [row["item"] for row in rows_of(paper)]
    assert len(set(items)) == len(items)
    for computed in PAPERS[paper]:
        assert computed.keys() <= set(items)


def test_a_wrong_number_is_noticed():
    assert differs("ε ≤ 5.397, at 12 %", [5.3966, 12.4]) == ""
    assert differs("ε ≤ 5.396", [5.3966]) != ""
    assert differs("ε ≥ 5.397", [5.3966]) != ""
    assert differs("5.397", [5.398]) != ""
    assert differs("5.397 of 6", [5.397]) != ""
    assert differs(NOTHING, []) == ""


def test_links_lead_to_pages_that_read_them():
    links = [link for _, row in ROWS for link in APP.findall(row["where"])]
    assert len(links) > 50
    for name, address in links:
        parts = urlsplit(address)
        query = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
        assert query.keys() <= set(VIEW_PARAMETERS), address
        assert view_from_query(query)[1] == [], address
        if parts.fragment:
            assert parts.path == "theorems", address
            assert parts.fragment in THEOREM_ANCHORS.values(), address
        else:
            assert name == PAGE_NAMES[parts.path], address


def test_tables_of_runs_are_told_with_what_made_them():
    """Otherwise: python -m bench.studies tells it."""
    told = re.findall(r"^\| `([^`]+)` \| ([\d-]+) \| ([\w. ]+) \|$", TEXT, re.MULTILINE)
    package = ROOT / "dpviz"
    tables = [path for _, paths in STUDIES.values() for path in paths]
    assert told == [(path.relative_to(package).as_posix(), *made_by(path)) for path in tables]


def test_verdicts_are_those_that_are_explained():
    known = re.findall(r"^\| ([^|]+) \| [^|]+ \|$", TEXT, re.MULTILINE)[2:]
    for _, row in ROWS:
        assert row["verdict"].startswith(tuple(known)), row
        assert row["where"] != NOTHING or row["verdict"].startswith("not in dpviz")


def labels(items):
    """Return what items name, each by its kind and label."""
    found = set()
    for item in items:
        kind, last = "", ""
        for match in LABELLED.finditer(item):
            kind = match[1] or kind
            label = match[2]
            if match[0].startswith("to") and last:
                head, _, end = label.rpartition(".")
                begin = int(last.rpartition(".")[2])
                prefix = f"{head}." if head else ""
                found |= {(kind, f"{prefix}{at}") for at in range(begin, int(end) + 1)}
            found.add((kind, label))
            last = label
    return found


# Everything that has a number in a paper, and how much that is.
NUMBERED = {
    "Schuchardt et al.": (
        "Definitions 3.1 to 3.7, D.3, D.5, D.9, D.14, E.4, E.5, E.9, "
        "Theorems 4.1 to 4.5, E.1, E.8, F.1, F.2, F.7, F.8, G.1, Propositions C.1, C.2, G.2, "
        "Lemmas D.1, D.2, D.4, D.6 to D.8, D.10 to D.13, D.15, D.16, E.2, E.3, E.6, E.7, "
        "E.10 to E.16, F.3 to F.6, G.3, G.4, Algorithms 1 to 6, Figures 1 to 13, Tables 1 to 13",
        90,
    ),
    "Koga et al.": (
        "Theorems 1 to 4, Corollaries 1 to 3, Proposition 1, Definitions 1, 2, Algorithm 1, "
        "Figures 1, 2, Tables 1, 2",
        15,
    ),
    "Tombs et al.": ("Theorems 1 to 3, Example 3.1, Algorithm 1", 5),
    "Bale et al.": ("Tables 1 to 3, Figures 1 to 7, Algorithms 1, 2, Remarks 1, 2", 14),
}


@pytest.mark.parametrize("paper", NUMBERED)
def test_everything_that_has_a_number_in_a_paper_has_a_row(paper):
    text, count = NUMBERED[paper]
    wanted = labels([text])
    assert len(wanted) == count
    assert wanted - labels(row["item"] for row in rows_of(paper)) == set()
