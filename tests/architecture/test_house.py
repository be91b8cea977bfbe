"""The rules of the house: who may import whom, what is pinned, how long a file may be."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from docs.import_graph import RANKS, areas_imported, modules_imported
from dpviz.settings.destinations import PAGE_NAMES

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "dpviz"
MODULES = sorted(PACKAGE.rglob("*.py"))
# Streamlit's fields that hold a value, and may report an old one late.
REPORTING_FIELDS = {
    *("selectbox", "multiselect", "select_slider", "slider", "radio", "checkbox", "toggle"),
    *("pills", "segmented_control", "feedback", "text_input", "text_area", "number_input"),
    *("date_input", "time_input", "datetime_input", "color_picker", "data_editor"),
    *("chat_input", "audio_input", "camera_input"),
}
LONGEST_FILE = 400
LONGEST_PAGE = 90


def test_imports_run_one_way():
    against = []
    for path in MODULES:
        own = path.relative_to(PACKAGE).parts[0]
        if own not in RANKS:
            assert path.name in ("__init__.py", "__main__.py")
            continue
        against += [
            f"{path.relative_to(ROOT)} imports {area}"
            for area in areas_imported(path) - {own}
            if RANKS[area] >= RANKS[own]
        ]
    assert against == []


def test_every_area_has_its_rank():
    areas = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    assert areas == set(RANKS)


@pytest.mark.parametrize(
    ("library", "allowed"),
    [
        ("streamlit", {"ui", "rehearsal"}),
        ("plotly", set()),
        ("dp_accounting", {"accounting"}),
    ],
)
def test_libraries_stay_in_their_rooms(library, allowed):
    users = {
        path.relative_to(PACKAGE).parts[0]
        for path in MODULES
        if any(module.split(".")[0] == library for module in modules_imported(path))
    }
    assert users <= allowed


def test_core_imports_neither_streamlit_nor_plotly_nor_dp_accounting():
    """A training script on another machine can import the accountant alone."""
    program = (
        "import sys, dpviz.accounting, dpviz.planning, dpviz.export.report, dpviz.__main__\n"
        "print([m for m in ('streamlit', 'plotly', 'dp_accounting') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "[]"


def test_requirements_and_package_name_the_same_ranges():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = set(project["dependencies"]) | set(project["optional-dependencies"]["app"])
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert {line for line in lines if line and not line.startswith("#")} == named


def test_pages_are_those_of_the_destinations():
    assert {page.stem for page in (ROOT / "pages").glob("*.py")} == set(PAGE_NAMES)


def test_pages_are_drawn_in_turn():
    """``st.fragment`` by itself would draw a part of a page beside all others."""
    for page in (ROOT / "pages").glob("*.py"):
        assert "st.fragment" not in page.read_text(encoding="utf-8"), page.name


def names_of_elements(path: Path) -> set[str]:
    """Return what stands after a point, as in ``st.name``, or is imported from Streamlit."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("streamlit"):
            found |= {alias.name for alias in node.names}
    return found


def test_settings_change_by_acts_alone():
    """Controls are those of ``dpviz.ui.acts``: no page has a field that reports its value."""
    drawing = [ROOT / "app.py", *(ROOT / "pages").glob("*.py"), *(PACKAGE / "ui").rglob("*.py")]
    found = {path.name: names_of_elements(path) & REPORTING_FIELDS for path in drawing}
    assert {name: fields for name, fields in found.items() if fields} == {}


def test_files_stay_short():
    """Those of the package, and those of its tests."""
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in [*MODULES, *(ROOT / "tests").rglob("*.py")]
    }
    assert {path: lines for path, lines in lengths.items() if lines > LONGEST_FILE} == {}


def test_pages_stay_thin():
    for page in [*(ROOT / "pages").glob("*.py"), ROOT / "app.py"]:
        assert len(page.read_text(encoding="utf-8").splitlines()) <= LONGEST_PAGE
