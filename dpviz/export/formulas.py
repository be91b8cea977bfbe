"""Formulas that documents write in plain text as HTML: what is low or high stands so."""

import re

_LETTER = "[A-Za-zΑ-ω]"
_BRACKETS = r"\([^()]*\)"
for _ in range(3):  # as deep as they are in each other
    _BRACKETS = rf"\((?:[^()]|{_BRACKETS})*\)"
# A prime behind a letter is the letter's own; behind a word, as in δ_Gauss'(m), it is the symbol's.
_WORD = rf"{_LETTER}(?!{_LETTER})(?:'(?!\w))?|[A-Za-z]+|\d[\d.,]*(?<![.,])|∞"
_SMALL = rf"\{{[^{{}}]*\}}|{_BRACKETS}|−?(?:{_WORD})"
# Between words an underscore is part of a name, such as public_series.
_INDEXED = rf"\b{_LETTER}'?(?=_)|\b{_LETTER}+(?=_(?:[{{(]|{_LETTER}\b))"
_SCRIPT = re.compile(rf"({_INDEXED})_({_SMALL})|(?<=\S)\^((?:{_SMALL})(?:_[A-Za-z]+)?)")


def typeset(text: str) -> str:
    r"""Return a text, which may be HTML, with its indices and exponents as such.

    >>> typeset("H_α'(P‖Q) of d_i², e^(−V_(k−1)) and public_series")
    "H<sub>α'</sub>(P‖Q) of d<sub>i</sub>², e<sup>−V<sub>k−1</sub></sup> and public_series"
    """

    def script(found: re.Match[str]) -> str:
        letter, low, high = found.groups()
        small = low or high
        small = typeset(small[1:-1] if small[0] in "{(" else small)
        return f"{letter}<sub>{small}</sub>" if low else f"<sup>{small}</sup>"

    return _SCRIPT.sub(script, text)
