"""What has to hold for the numbers, as Markdown: the same for pages, statements and reports."""

import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_FORMULA = re.compile(r"\$([^$]+)\$")
_INDEX = re.compile(r"([_^])\{([^{},]+)\}")
_LETTERS = {r"\sigma": "σ", r"\Lambda": "Λ"}
# A symbol in words, for Python and JavaScript: its letter and index, as of L_C; or a letter alone,
# which is no unit after a number and no part of a word. What pins are called, A to F, is none.
SYMBOLS = (
    r"(?<![\wΑ-ω'’`{\\=.-])(?<!\d )"
    r"(?:([A-Za-zΑ-ω])_([A-Za-zα-ω]+)|([α-ωKLNTfkmnpqrvw])(?!['’]\w|-))(?![`\wΑ-ω])"
)
_UNBROKEN = "\u00a0"
# Where no line ends: in "ε ≤ 2" and "5 %". Code is found to be left as it is.
_NO_END = re.compile(
    r"(```.*?```|`[^`]*`)|(?:(?<=[$Α-ω]) )?[≤≥=≈] (?=[\d−])|(?<=\d) (?=%)", re.DOTALL
)
# What is set as it is written: formulas, code, links, whose names have to be text for readers of
# screens, and where they lead to.
_AS_WRITTEN = re.compile(r"((?<!\\)\$[^$]+\$|(?<!\\)`[^`]*`|\[[^]$]*\]\([^)]*\)|\]\([^)]*\))")
# Beside an escaped character letters are a visitor's words, which are set as they are.
_SYMBOL = re.compile(
    rf"(?<!\\.)(?:{SYMBOLS}|\b([eB])([_^])(ε|\d[\d.,]*(?<![.,])|\{{\w,\w\}}))(?!\\)"
)


@cache
def wording_text(name: str) -> str:
    """Return the Markdown text of this name; formulas are TeX between dollar signs."""
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def sections(markdown: str) -> dict[str, str]:
    r"""Return a text's parts by their headings of the second level, that before them by ``""``.

    >>> sections("# A\n\n## b\none\n\n## c\ntwo\n")
    {'': '# A', 'b': 'one', 'c': 'two'}
    """
    first, *rest = _HEADING.split(markdown)
    parts = {"": first} | dict(zip(rest[::2], rest[1::2], strict=True))
    return {heading: body.strip() for heading, body in parts.items()}


def without_formulas(markdown: str) -> str:
    r"""Return a text with its formulas in plain letters, whose lines may end at every blank.

    >>> without_formulas(r"standard deviation $\sigma_C v$ and $T = L - L_F + 1$")
    'standard deviation σ_C v and T = L - L_F + 1'
    >>> without_formulas(with_formulas("e^20.33 of N_total"))
    'e^20.33 of N_total'
    """

    def plain_letters(formula: re.Match[str]) -> str:
        letters = formula[1]
        for command, letter in _LETTERS.items():
            letters = letters.replace(command, letter)
        return _INDEX.sub(r"\1\2", letters)

    return _FORMULA.sub(plain_letters, markdown).replace(_UNBROKEN, " ")


def with_formulas(markdown: str) -> str:
    r"""Return a text with its Latin symbols as formulas: Greek ones have a face.

    No line ends inside of a comparison, nor before a percent sign.

    >>> with_formulas("N_total of λ, σ_F and r: [rate](glossary?term=r)")
    '$N_{total}$ of λ, $\\sigma_{F}$ and $r$: [rate](glossary?term=r)'
    >>> with_formulas("e^ε times, $N$, `L_C`, H_α")
    '$e^{ε}$ times, $N$, `L_C`, $H_{α}$'
    >>> print(with_formulas(r"v is 3 \$ or \*q\*, $N$"))
    $v$ is 3 \$ or \*q\*, $N$
    >>> with_formulas("ε ≤ 2, ≥ 1 at 5 %, not `T = 1`")
    'ε\xa0≤\xa02, ≥\xa01 at 5\xa0%, not `T = 1`'
    >>> with_formulas("[N](glossary?term=series) of N")
    '[N](glossary?term=series) of $N$'
    """
    commands = {letter: command for command, letter in _LETTERS.items()}

    def formula(symbol: re.Match[str]) -> str:
        letter, index, alone, base, place, exponent = symbol.groups()
        if base:
            return f"${base}{place}{{{exponent.strip('{}')}}}$"
        if alone:
            return f"${alone}$" if alone.isascii() else alone
        return f"${commands.get(letter, letter)}_{{{index}}}$"

    parts = _AS_WRITTEN.split(markdown)
    parts[::2] = [_SYMBOL.sub(formula, part) for part in parts[::2]]
    return _NO_END.sub(lambda found: found[1] or found[0].replace(" ", _UNBROKEN), "".join(parts))
