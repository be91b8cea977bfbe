"""Proofs that pages name can be read where the app runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from dpviz.export.document import LIST
from dpviz.ui.static_files import DOCUMENTS, file_in_memory
from dpviz.ui.texts import text, with_documents

ROOT = Path(__file__).parents[2]
TEXTS = ROOT / "dpviz" / "ui" / "texts"
LINK = re.compile(r"\[docs/([a-z-]+\.md)\]\(app/static/docs/\1\)")


def answer_to(path):
    return file_in_memory({"path": path, "method": "GET", "headers": []})


def test_every_document_that_a_text_names_is_a_link_that_leads_to_it():
    found = set()
    for path in TEXTS.rglob("*.md"):
        told = text(path.relative_to(TEXTS).with_suffix("").as_posix())
        named = set(re.findall(r"docs/([a-z-]+\.md)", path.read_text(encoding="utf-8")))
        assert set(LINK.findall(told)) == named, path
        found |= named
    assert {"tighter-bounds.md", "many-steps.md", "augmentation.md", "multistage.md"} <= found
    for name in found:
        answer = answer_to(f"/below/app/static/docs/{name}")
        title = (ROOT / "docs" / name).read_text(encoding="utf-8").partition("\n")[0]
        assert f">{title.removeprefix('# ')}</h1>" in answer.body.decode()
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.headers["cache-control"] == "no-cache"


def test_links_in_documents_lead_to_other_documents_their_headings_and_the_app():
    pages = {name: answer_to(f"/app/static/docs/{name}").body.decode() for name in DOCUMENTS}
    places = {name: re.findall(r'<(?:h\d|p) id="([^"]+)"', page) for name, page in pages.items()}
    of_app = {"", *(path.stem for path in (ROOT / "pages").glob("*.py"))}
    for name, page in pages.items():
        for link in re.findall(r'href="([^"]*)"', page):
            address, _, heading = link.partition("#")
            if address.startswith("../../../"):
                assert address.removeprefix("../../../").partition("?")[0] in of_app, (name, link)
            elif not address.startswith("https://"):
                assert (address or name) in pages, (name, link)
                assert not heading or heading in places[address or name], (name, link)
    assert 'href="tighter-bounds.md#propositions"' in pages["accounting.md"]
    assert any('href="../../../release"' in page for page in pages.values())
    assert not any("&lt;!--" in page for page in pages.values())


def test_every_document_leads_back_to_the_app_and_to_the_list_which_leads_to_each():
    for name in DOCUMENTS:
        page = answer_to(f"/app/static/docs/{name}").body.decode()
        ways = re.findall('<a href="([^"]+)">', page.partition("</nav>")[0])
        assert ways == ["../../../", LIST][: 1 if name == LIST else 2]
    page = answer_to(f"/app/static/docs/{LIST}").body.decode()
    assert {path.name for path in (ROOT / "docs").glob("*.md")} <= {
        *re.findall('href="([^"]+)"', page)
    }
    for not_served in ("user guide", "CONTRIBUTING", "changes"):
        assert not_served not in page


def test_a_document_of_several_sections_has_a_list_of_them_and_of_its_propositions():
    for name, kept in DOCUMENTS.items():
        page = answer_to(f"/app/static/docs/{name}").body.decode()
        listed = re.findall('<li class="in-h2"><a href="#([^"]+)"', page)
        sections = re.findall('<h2 id="([^"]+)"', page)
        assert listed == (sections if "Contents</summary>" in page else []), name
        assert listed or kept.decode().count("\n## ") < 3, name
    page = answer_to("/app/static/docs/tighter-bounds.md").body.decode()
    assert '<a href="#proposition-24">24. Balls into bins</a>' in page


@pytest.mark.parametrize("name", DOCUMENTS)
def test_formulas_are_typeset_as_symbols_are(name):
    page = answer_to(f"/app/static/docs/{name}").body.decode().partition("<main>")[2]
    read = re.sub(r"<code\b.*?</code>|<[^>]+>", "", page, flags=re.DOTALL)
    assert re.findall(r"\S*\^\S*|\b[A-Za-zΑ-ω]'?_\S*|\w+_[{(]\S*|\S*\*\*\S*", read) == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_an_index_is_never_read_as_the_begin_of_italics(name):
    """Asterisks alone do that: of ``g'_t on y_(t-1)`` two underscores would be lost."""
    parts = MarkdownIt("commonmark").enable("table").parse(DOCUMENTS[name].decode())
    signs = [one for part in parts for one in part.children or () if one.markup in ("_", "__")]
    assert [one.markup for one in signs] == []


def test_a_document_is_dark_where_the_screen_is():
    page = answer_to("/app/static/docs/release.md").body.decode()
    assert "@media screen and (prefers-color-scheme: dark)" in page


def test_links_to_documents_are_made_once():
    once = with_documents("Proven in docs/release.md and `docs/many-steps.md`.")
    assert LINK.findall(once) == ["release.md", "many-steps.md"]
    assert with_documents(once) == once


@pytest.mark.parametrize("name", ["../pyproject.toml", "docs.py", "guide/README.md", "nothing.md"])
def test_nothing_else_is_served_beside_them(name):
    assert answer_to(f"/app/static/docs/{name}") is None
    assert Path(name).name not in DOCUMENTS


def test_nothing_of_other_programs_is_served_where_pip_installed_the_app(tmp_path):
    package = tmp_path / "dpviz"
    for folder in (package / "dashboard", tmp_path / "docs"):
        folder.mkdir(parents=True)
    (tmp_path / "docs" / "release.md").write_text("Of another package.", encoding="utf-8")
    for part in (ROOT / "dpviz").iterdir():
        (package / part.name).symlink_to(part)
    for part in ("app.py", "pages"):
        (package / "dashboard" / part).symlink_to(ROOT / part)
    asked = "from dpviz.ui.static_files import DOCUMENTS as all; print(all)"
    told = subprocess.run(
        [sys.executable, "-c", asked], check=True, cwd=tmp_path, capture_output=True
    )
    assert told.stdout.strip() == b"{}"
