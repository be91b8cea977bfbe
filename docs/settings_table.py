"""Write the table of settings in ``docs/notation.md`` from their declarations.

Run ``python docs/settings_table.py`` after a change of ``dpviz/settings``.
"""

from pathlib import Path

from dpviz.settings import VIEW_SETTINGS, Setting

FILE = Path(__file__).parent / "notation.md"
_BEGIN = "<!-- Made by docs/settings_table.py: begin -->\n"
_END = "<!-- Made by docs/settings_table.py: end -->\n"


def table() -> str:
    """Return a row for each setting of a page, as Markdown; the runs of a ledger are one."""
    rows = ["| parameter | what it sets | allowed | at first |", "| --- | --- | --- | --- |"]
    rows += [_row(one) for one in VIEW_SETTINGS.values() if not one.name.startswith("run_")]
    return "\n".join(rows) + "\n"


def _row(one: Setting) -> str:
    said = f"{one.called}. {one.help}".strip() if one.help else one.called
    if one.choices:
        allowed = ", ".join(f"`{name}`" for name in one.choices)
    elif one.check is not None:
        allowed = "a text of its own form"
    else:
        low, high = one.limits
        allowed = f"{low:,} to {high:,}" if isinstance(low, int) else f"{low:g} to {high:g}"
    first = f"`{one.default}`" if one.default != "" else "nothing"
    return f"| `{one.name}` | {said} | {allowed} | {first} |"


def with_table(document: str) -> str:
    """Return the document with the table as it has to be."""
    before, rest = document.split(_BEGIN)
    return before + _BEGIN + "\n" + table() + "\n" + _END + rest.split(_END)[1]


if __name__ == "__main__":
    FILE.write_text(with_table(FILE.read_text(encoding="utf-8")), encoding="utf-8")
