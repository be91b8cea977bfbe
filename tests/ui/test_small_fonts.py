"""Small fonts stand in for Streamlit's whole ones, with all that the pages show."""

import re
import sys
from functools import partial
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

import dpviz
from deploy import small_fonts as made
from deploy.small_fonts import CHARACTERS, ICONS, LETTERS, glyphs_of_icons, make, whole_font
from dpviz.figures.browser_files import packed_plotly_script
from dpviz.ui import static_files as served
from dpviz.ui.answer_headers import Answers
from dpviz.ui.static_files import CHART_FILE, MODULES, PLOTLY_FILE, SMALL_FONTS
from tests.goldens.store import FOLDER
from tests.loops import answered

STREAMLIT = made.folder_of_streamlit()
FAMILY, LICENCE = 1, 13
ADDRESS = "/below/static/media/"
KEPT = {code for first, last in CHARACTERS for code in range(first, last + 1)}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Return where each font was made small, by the whole one's name."""
    folder = tmp_path_factory.mktemp("fonts")
    return {path.name: path for path in make(STREAMLIT, folder)}


@pytest.fixture
def of(small):
    """Return a whole font and the small one, opened."""

    def opened(stem):
        whole = whole_font(STREAMLIT, stem)
        return TTFont(whole), TTFont(small[whole.name])

    return opened


@pytest.mark.parametrize("stem", LETTERS)
def test_all_that_pages_were_seen_to_say_has_its_letters(stem):
    said = {
        ord(letter)
        for file in FOLDER.glob("*.txt")
        for letter in file.read_text(encoding="utf-8")
        if letter.isprintable()
    }
    there = said & TTFont(whole_font(STREAMLIT, stem)).getBestCmap().keys()
    assert {ord("ε"), ord("⁻"), ord("≤"), ord("–")} <= there <= KEPT


@pytest.mark.slow
@pytest.mark.parametrize("stem", LETTERS)
def test_a_small_font_has_letters_as_they_were_and_a_name_of_its_own(of, stem):
    """The licence reserves the name "Source" for the font as it was."""
    whole, reduced = of(stem)
    kept = KEPT & whole.getBestCmap().keys()
    assert kept <= reduced.getBestCmap().keys()
    for code in kept:
        widths = [font["hmtx"][font.getBestCmap()[code]] for font in (whole, reduced)]
        assert widths[0] == widths[1]
    weights = [font["fvar"].axes[0] for font in (whole, reduced)]
    assert weights[0].axisTag == weights[1].axisTag == "wght"
    assert weights[0].maxValue == weights[1].maxValue
    assert "Source" in whole["name"].getDebugName(FAMILY)
    assert reduced["name"].getDebugName(FAMILY) == "dpviz Sans"
    assert "Open Font License" in reduced["name"].getDebugName(LICENCE)


@pytest.mark.slow
def test_each_icon_that_a_page_names_is_drawn_and_all_is_a_fifth_of_the_whole(of, small):
    whole, reduced = of(ICONS)
    drawn, every = glyphs_of_icons(reduced), glyphs_of_icons(whole)
    named = made.icons_of(STREAMLIT) & every.keys()
    assert {"push_pin", "expand_more", "content_copy"} <= named
    assert named <= drawn.keys()
    assert all(reduced["glyf"][drawn[name]].numberOfContours for name in named)
    assert "1x_mobiledata" in every.keys() - drawn.keys()
    size = sum(whole_font(STREAMLIT, stem).stat().st_size for stem in (*LETTERS, ICONS))
    assert sum(path.stat().st_size for path in small.values()) < 0.2 * size


def test_no_page_makes_up_an_icon_s_name():
    """One that is put together when it is drawn would not be found at installation."""
    for path in Path(dpviz.__file__).parent.rglob("*.[jp][sy]"):
        for line in path.read_text(encoding="utf-8").splitlines():
            if ":material/" in line and not line.startswith("_ICON = "):
                assert served._ICON.search(line), f"{path}: {line}"


@pytest.mark.parametrize("missing", ["fontTools.ttLib", "brotli"])
def test_without_what_makes_them_installation_goes_on_and_says_so(monkeypatch, capsys, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    made.main()
    assert capsys.readouterr().out == (
        f"Pages load Streamlit's whole fonts: {missing} is not installed.\n"
    )


@pytest.mark.parametrize("name", ["Makefile", "deploy/Dockerfile"])
def test_what_makes_them_is_installed_in_the_range_that_is_tested(name):
    root = Path(__file__).parents[2]
    (tested,) = re.findall(r'"(fonttools[^"]+)"', (root / "pyproject.toml").read_text("utf-8"))
    assert f'"{tested}"' in (root / name).read_text("utf-8")


def test_another_streamlit_keeps_its_whole_fonts(tmp_path):
    with pytest.raises(made.NotMadeError, match="Streamlit has 0 fonts called SourceSansVF"):
        list(make(tmp_path, tmp_path / "fonts"))


def asked(path, method="GET", headers=(), kind="http"):
    """Return status, headers and body of the server's answer; the app's own is 'whole'."""

    async def whole(_scope, _receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"whole"})

    scope = {"type": kind, "method": method, "path": path, "headers": list(headers)}
    start, body = answered(partial(Answers(whole), scope, None))
    told = {name.decode(): value.decode() for name, value in start["headers"]}
    return start["status"], told, body


@pytest.fixture
def loaded(monkeypatch, tmp_path):
    """Load one small font, as a server does at its start."""
    SMALL_FONTS.clear()
    monkeypatch.setattr(served, "folder_of_small_fonts", lambda: tmp_path)
    (tmp_path / "Some.1a2b.woff2").write_bytes(b"small")
    own = served.icons_named(Path(served.__file__).parent)
    (tmp_path / "icons.txt").write_text("\n".join(sorted(own)))
    served.load_small_fonts()
    yield
    SMALL_FONTS.clear()


@pytest.mark.parametrize("name", [CHART_FILE, PLOTLY_FILE])
def test_what_runs_in_the_browser_is_served_out_of_memory_and_kept_there(name):
    path = f"/below/app/static/{name}"
    status, told, body = asked(path)
    assert (status, body) == (200, MODULES.get(name) or packed_plotly_script())
    assert "immutable" in told["cache-control"]
    headers = [(b"if-none-match", f"W/{told['etag']}".encode())]
    assert asked(path, headers=headers)[0] == 304


@pytest.mark.usefixtures("loaded")
def test_the_small_one_is_served_in_the_whole_one_s_place():
    status, told, body = asked(f"{ADDRESS}Some.1a2b.woff2")
    assert (status, body) == (200, b"small")
    assert (told["content-type"], told["content-length"]) == ("font/woff2", "5")
    assert "content-security-policy" in told


@pytest.mark.usefixtures("loaded")
def test_a_browser_that_has_it_is_told_so_and_asks_again():
    """A later version of the app may have more icons at the same address."""
    tag = asked(f"{ADDRESS}Some.1a2b.woff2")[1]["etag"]
    headers = [(b"if-none-match", tag.encode())]
    status, told, body = asked(f"{ADDRESS}Some.1a2b.woff2", headers=headers)
    assert (status, told["cache-control"], body) == (304, "no-cache", b"")
    other = [(b"if-none-match", b'"other"')]
    assert asked(f"{ADDRESS}Some.1a2b.woff2", headers=other)[0] == 200


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize(
    "request_",
    [
        {"path": f"{ADDRESS}Some.3c4d.woff2"},  # of another Streamlit
        {"path": f"{ADDRESS}Some.1a2b.woff2", "method": "POST"},
        {"path": f"{ADDRESS}Some.1a2b.woff2/"},
        {"path": f"{ADDRESS}Some.1a2b.woff2", "kind": "websocket"},
    ],
)
def test_all_else_is_answered_as_ever(request_):
    assert asked(**request_)[2] == b"whole"


@pytest.mark.usefixtures("loaded")
def test_fonts_that_are_not_there_or_lack_a_later_icon_are_not_served(
    monkeypatch, tmp_path, caplog
):
    icons = (tmp_path / "icons.txt").read_text().split()
    (tmp_path / "icons.txt").write_text("\n".join(set(icons) - {"undo"}))
    SMALL_FONTS.clear()
    served.load_small_fonts()
    assert asked(f"{ADDRESS}Some.1a2b.woff2")[2] == b"whole"
    [line] = caplog.messages
    assert "lack icons (undo): python -m deploy.small_fonts makes them anew" in line
    monkeypatch.setattr(served, "folder_of_small_fonts", lambda: tmp_path / "none")
    served.load_small_fonts()
    assert asked(f"{ADDRESS}Some.1a2b.woff2")[2] == b"whole"


def test_installation_lists_the_icons_that_it_kept(monkeypatch, tmp_path):
    monkeypatch.setattr(made, "make", lambda *_: [whole_font(STREAMLIT, ICONS)])
    monkeypatch.setattr(served, "folder_of_small_fonts", lambda: tmp_path)
    monkeypatch.setattr(made, "folder_of_small_fonts", lambda: tmp_path)
    made.main()
    listed = (tmp_path / "icons.txt").read_text().split()
    assert served.icons_named(Path(served.__file__).parent) < set(listed)
