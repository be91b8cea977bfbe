"""The guide's numbers, states and pictures are true."""

import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from PIL import Image

from docs.pictures import PICTURE, PICTURES, all_pictures, pictures_in
from dpviz.command_line.commands import COMMANDS
from dpviz.scenario import PRESETS, scenario_from_link
from dpviz.scenario.fields import FIELD_NAMES
from dpviz.scenario.ledger import LEDGER_PARAMETERS, ledger_from_query
from dpviz.scenario.pins import PIN_PARAMETERS, pins_from_query
from dpviz.settings.destinations import DESTINATIONS
from dpviz.settings.view import VIEW_PARAMETERS, view_from_query
from tests.documentation.pages import FENCE, GUIDE, ROOT, commands_of, name_of

SHOWN = all_pictures()
MOST_BYTES, MOST_TOGETHER = 80_000, 1_500_000
DECIMAL = re.compile(r"\d[\d,]*\.\d+|\d{1,3}(?:,\d{3})+")


@pytest.mark.parametrize("picture", SHOWN, ids=lambda picture: picture.name)
def test_picture_is_a_link_to_a_state_that_dpviz_reads_without_complaint(picture):
    assert picture.path.parent == PICTURES
    assert picture.path.exists()
    assert len(picture.alt) >= 40
    parts = urlsplit(picture.address)
    assert parts.path in {"", *(one.stem for one in (ROOT / "pages").glob("*.py"))}
    query = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
    known = FIELD_NAMES.union(PIN_PARAMETERS, VIEW_PARAMETERS, LEDGER_PARAMETERS)
    assert query.keys() <= known
    fields = {name: value for name, value in query.items() if name in FIELD_NAMES}
    if fields:
        _, problems = scenario_from_link(fields, PRESETS["toy"].scenario)
        assert problems == []
    assert pins_from_query(query)[1] == []
    view = {name: value for name, value in query.items() if name in VIEW_PARAMETERS}
    assert view_from_query(view)[1] == []
    runs = {name: value for name, value in query.items() if name in LEDGER_PARAMETERS}
    assert len(ledger_from_query(runs)) == sum(name.startswith("run_") for name in runs)


def test_pictures_are_those_that_pages_show_and_small():
    shown = {picture.path for picture in SHOWN}
    assert shown == set(PICTURES.iterdir())
    sizes = [path.stat().st_size for path in shown]
    assert max(sizes) <= MOST_BYTES
    assert sum(sizes) <= MOST_TOGETHER
    for path in shown:
        with Image.open(path) as picture:
            assert picture.format == "WEBP"
            assert picture.size == (1200, 820)


@pytest.mark.parametrize("page", GUIDE, ids=name_of)
def test_numbers_in_the_text_are_those_of_answers_pictures_and_settings(page):
    """Each is in an answer, a command or a picture's description: those are held to dpviz."""
    text = page.read_text(encoding="utf-8")
    given = [picture.alt for picture in pictures_in(page)]
    for command in commands_of(page):
        given += [command.answer or "", " ".join(command.arguments)]
    given += ["17,544"]  # the length of the series, in the task itself
    prose = FENCE.sub("", PICTURE.sub("", text))
    sources = " ".join(given)
    unknown = [number for number in DECIMAL.findall(prose) if number not in sources]
    if page.name == "check.md":
        unknown = [number for number in unknown if number != "0.6374"]  # the question's
    assert unknown == []


@pytest.mark.parametrize("page", GUIDE, ids=name_of)
def test_menus_that_the_guide_names_lead_to_the_page(page):
    tabs = {name: set(pages.values()) for name, pages in DESTINATIONS.items()}
    text = " ".join(page.read_text(encoding="utf-8").split())
    for name, tab in re.findall(r"\*\*([\w ]+) → ([^*]+)\*\*", text):
        assert tab in tabs[name], f"{name} → {tab}"


def test_python_of_the_guide_runs(capsys):
    blocks = [
        block[4]
        for page in GUIDE
        for block in FENCE.finditer(page.read_text(encoding="utf-8"))
        if block[3] == "python"
    ]
    assert blocks
    for block in blocks:
        exec(block, {})
    assert capsys.readouterr().out.startswith("0.63737")


def test_the_readme_calls_pages_what_the_menu_calls_them():
    """In the menu's order, with a row for each entry of several pages."""
    rows = re.findall(r"^\| ([^|]+) \| [^|]*\|$", (ROOT / "README.md").read_text(), re.MULTILINE)
    first = rows.index("Start")
    named = [name for row in rows[first:] for name in row.strip("*").split(", ")]
    wanted = []
    for name, pages in DESTINATIONS.items():
        wanted += [name] if len(pages) > 1 else []
        wanted += pages.values()
    assert named[: len(wanted)] == wanted


def test_the_readme_names_every_command():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if not re.search(rf"(`|-m dpviz ){name}\b", readme)] == []
