"""Tables as Markdown."""

from collections.abc import Iterable, Sequence

_RULES = {"l": "---", "r": "--:"}


def markdown_table(heads: Sequence[str], rows: Iterable[Sequence[str]], columns: str = "l") -> str:
    """Return a table as Markdown.

    ``columns`` has "l" for a column of words, "r" for one of numbers; the last letter also stands
    for all columns that follow. No cell has a bar of its own.

    Raises:
        ValueError: a row has more or fewer cells than there are heads.

    >>> print(markdown_table(["Run", "ε", "by"], [["now", "1", ""]], "lrl"))
    | Run | ε | by |
    | --- | --: | --- |
    | now | 1 | |
    """
    rules = [_RULES[letter] for letter in columns.ljust(len(heads), columns[-1])]
    lines = [heads, rules, *rows]
    for cells in lines:
        if len(cells) != len(heads):
            raise ValueError(f"{len(heads)} columns have {len(cells)} cells: {cells}")
    return "\n".join(
        "|" + "".join(f" {cell} |" if cell else " |" for cell in cells) for cells in lines
    )
