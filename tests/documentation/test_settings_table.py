"""The table of what pages show, in docs/notation.md, is that of the code."""

from docs import settings_table


def test_the_table_is_that_of_the_declarations():
    """Otherwise: python docs/settings_table.py."""
    committed = settings_table.FILE.read_text(encoding="utf-8")
    assert settings_table.with_table(committed) == committed
