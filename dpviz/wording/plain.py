"""Somebody's own words inside Markdown."""

_SPECIAL = str.maketrans({character: f"\\{character}" for character in r"\`*_{}[]()<>#+-!|~$:&"})


def plain(words: str) -> str:
    r"""Return somebody's words as Markdown that shows them as they are.

    >>> print(plain("series *A* [1]"))
    series \*A\* \[1\]
    """
    return words.translate(_SPECIAL)
