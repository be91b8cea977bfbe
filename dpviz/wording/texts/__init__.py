"""What has to hold for the numbers, as Markdown: the same for pages, statements and reports."""

import re
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent
_FORMULA = re.compile(r"\$([^$]+)\$")
_LETTERS = {r"\sigma": "σ", r"\Lambda": "Λ"}


@cache
def wording_text(name: str) -> str:
    """Return the Markdown text of this name; formulas are TeX between dollar signs.

    >>> wording_text("conditions").startswith("## clipping")
    True
    """
    return (_FOLDER / f"{name}.md").read_text(encoding="utf-8")


def wording_data(file: str) -> str:
    """Return a file of data beside the texts."""
    return (_FOLDER / file).read_text(encoding="utf-8")


def without_formulas(markdown: str) -> str:
    r"""Return a text with its formulas in plain letters.

    >>> without_formulas(r"standard deviation $\sigma_C v$ and $T = L - L_F + 1$")
    'standard deviation σ_C v and T = L - L_F + 1'
    """

    def plain_letters(formula: re.Match[str]) -> str:
        letters = formula[1]
        for command, letter in _LETTERS.items():
            letters = letters.replace(command, letter)
        return letters

    return _FORMULA.sub(plain_letters, markdown)
