"""A drawing and a table of the documentation are made from the code."""

import subprocess
import sys

from docs import import_graph, settings_table
from tests.documentation.pages import ROOT


def test_drawing_of_the_page_is_that_of_the_code():
    """Otherwise: python docs/import_graph.py."""
    assert import_graph.committed() == import_graph.drawn()


def test_arrows_of_the_drawing_lead_wherever_an_import_leads():
    graph = import_graph.import_graph()
    arrows = import_graph.without_implied(graph)
    for area in graph:
        assert import_graph.reached(arrows, area) == import_graph.reached(graph, area)
        assert arrows[area] <= graph[area]


def test_script_runs_from_anywhere(tmp_path):
    script = ROOT / "docs" / "import_graph.py"
    before = import_graph.PAGE.read_bytes()
    subprocess.run([sys.executable, script], check=True, cwd=tmp_path)
    assert import_graph.PAGE.read_bytes() == before


def test_the_table_is_that_of_the_declarations():
    """Otherwise: python docs/settings_table.py."""
    committed = settings_table.FILE.read_text(encoding="utf-8")
    assert settings_table.with_table(committed) == committed
