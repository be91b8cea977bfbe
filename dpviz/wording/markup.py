"""Markdown of somebody's own words and of tables; and charts in words, for who cannot see them."""

import re
from collections.abc import Iterable, Sequence

from dpviz.wording.numbers import joined

_SPECIAL = str.maketrans({character: f"\\{character}" for character in r"\`*_{}[]()<>#+-!|~$:&"})
# No backslash keeps these from becoming links, icons, emoji and arrows: the page looks for them in
# the finished text. A word joiner, which nobody sees, takes them apart.
_JOINER = "\N{WORD JOINER}"
_FOUND_LATER = re.compile(
    r"""
      (?<=https:)(?=//) | (?<=http:)(?=//) | (?<=www)(?=\.) | (?=@)  # links
    | (?<=:)(?=[a-z+-])                                              # icons and emoji
    | (?<!\S)[<>~-](?=[->=]+(?!\S))                                  # arrows and the like
    """,
    re.IGNORECASE | re.VERBOSE,
)


def plain(words: str) -> str:
    r"""Return somebody's words as Markdown that shows them as they are.

    >>> print(plain("series *A* [1]"))
    series \*A\* \[1\]
    """
    return _FOUND_LATER.sub(lambda found: found[0] + _JOINER, words).translate(_SPECIAL)


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


DELTA_OVER_EPSILON = "Delta falls as epsilon grows, on logarithmic axes."
DELTA_OVER_STEPS = "Delta, on a logarithmic axis, grows with the steps."
PROBABILITIES = "Probabilities are on a logarithmic axis."


def chart_description(title: str, lines: Iterable[tuple[str, str]], *notes: str) -> str:
    """Return a chart of lines or bands in words.

    Empty notes are left out.

    >>> chart_description("Two runs", [("A", "at most 3"), ("B", "at most 2")], PROBABILITIES)
    'Two runs. A: at most 3. B: at most 2. Probabilities are on a logarithmic axis.'
    """
    return joined(f"{title}.", *(f"{label}: {says}." for label, says in lines), *notes)
