"""Whoever follows a link of the documentation arrives."""

import re
from collections import Counter

from tests.documentation.pages import PAGES, ROOT, name_of, without_blocks

LINK = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(<?([^)>\s]+)>?(?:\s+\"[^\"]*\")?\)")
ELSEWHERE = ("http://", "https://", "mailto:")
HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)
FILE = re.compile(r"`((?:bench|deploy|docs|dpviz|tests)/[\w/.-]+\.\w+|test_\w+\.py)`")


def anchors(page):
    """Return the anchors of a page's headings, as GitHub makes them."""
    found = Counter()
    for heading in HEADING.findall(without_blocks(page.read_text(encoding="utf-8"))):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        found[re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")] += 1
    repeated = {f"{anchor}-{at}" for anchor, count in found.items() for at in range(1, count)}
    return found.keys() | repeated


def broken(page):
    text = without_blocks(page.read_text(encoding="utf-8"))
    for link in LINK.findall(text):
        if link.startswith(ELSEWHERE):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        is_there = target.exists() and ROOT in [target, *target.parents]
        if is_there and anchor:
            is_there = target.suffix == ".md" and anchor in anchors(target)
        if not is_there:
            yield link


def test_every_link_and_anchor_is_there():
    assert [(name_of(page), link) for page in PAGES for link in broken(page)] == []


def missing(text):
    """Return the files of the repository that a text names and that are not there."""
    for name in FILE.findall(text):
        if not ((ROOT / name).exists() or any((ROOT / "tests").rglob(name))):
            yield name


def test_every_file_that_is_named_is_there():
    pages = [page for page in PAGES if page.stem != "CHANGELOG"]
    assert pages
    assert [
        (name_of(page), name) for page in pages for name in missing(page.read_text("utf-8"))
    ] == []


def test_every_page_is_reached_from_the_readme():
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or page.suffix != ".md" or not page.exists():
            continue
        reached.add(page)
        links = LINK.findall(without_blocks(page.read_text(encoding="utf-8")))
        local = [link.partition("#")[0] for link in links if not link.startswith(ELSEWHERE)]
        waiting += [(page.parent / name).resolve() for name in local if name]
    assert {name_of(page) for page in PAGES} - {name_of(page) for page in reached} == set()


def test_every_target_of_make_that_is_named_is_there():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([\w-]+):", makefile, re.MULTILINE))
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        named = set(re.findall(r"(?:`|^)make ([\w-]+)", text, re.MULTILINE))
        assert named <= targets, name_of(page)
