"""What has to hold for the numbers, as Markdown: the same for pages, statements and reports."""

import re
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_FORMULA = re.compile(r"\$([^$]+)\$")
_LETTERS = {r"\sigma": "σ", r"\Lambda": "Λ"}
# A symbol in words, for Python and JavaScript: its letter and index, as of L_C; or a letter alone,
# which is no unit after a number and no part of a word. What pins are called, A to F, is none.
SYMBOLS = (
    r"(?<![\wΑ-ω'’`{\\=.-])(?<!\d )"
    r"(?:([A-Za-zΑ-ω])_([A-Za-z]+)|([α-ωKLNTfkmnpqrvw])(?!['’]\w|-))(?![`\wΑ-ω])"
)
_SYMBOL = re.compile(SYMBOLS)


@cache
def wording_text(name: str) -> str:
    """Return the Markdown text of this name; formulas are TeX between dollar signs.

    >>> wording_text("conditions").startswith("## clipping")
    True
    """
    return (_FOLDER / f"{name}.md").read_text(encoding="utf-8")


def sections(markdown: str) -> dict[str, str]:
    r"""Return a text's parts by their headings of the second level, that before them by ``""``.

    >>> sections("# A\n\n## b\none\n\n## c\ntwo\n")
    {'': '# A', 'b': 'one', 'c': 'two'}
    """
    first, *rest = _HEADING.split(markdown)
    parts = {"": first} | dict(zip(rest[::2], rest[1::2], strict=True))
    return {heading: body.strip() for heading, body in parts.items()}


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


def with_formulas(markdown: str) -> str:
    r"""Return a text without formulas with its Latin symbols as such: Greek ones have a face.

    >>> with_formulas("N_total of λ, σ_F and r: [rate](glossary?term=r)")
    '$N_{total}$ of λ, $\\sigma_{F}$ and $r$: [rate](glossary?term=r)'
    >>> with_formulas("e^ε times")
    '$e^ε$ times'
    """
    commands = {letter: command for command, letter in _LETTERS.items()}

    def formula(symbol: re.Match[str]) -> str:
        letter, index, alone = symbol.groups()
        if alone:
            return f"${alone}$" if alone.isascii() else alone
        return f"${commands.get(letter, letter)}_{{{index}}}$"

    return _SYMBOL.sub(formula, markdown).replace("e^ε", "$e^ε$")
