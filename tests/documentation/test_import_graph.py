"""A drawing and a table of the documentation are made from the code."""

from docs import import_graph, settings_table


def test_drawing_of_the_page_is_that_of_the_code():
    """Otherwise: python docs/import_graph.py."""
    assert import_graph.committed() == import_graph.drawn()


def test_the_table_is_that_of_the_declarations():
    """Otherwise: python docs/settings_table.py."""
    committed = settings_table.FILE.read_text(encoding="utf-8")
    assert settings_table.with_table(committed) == committed
