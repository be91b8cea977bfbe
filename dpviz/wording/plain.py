"""Somebody's own words inside Markdown."""

import re

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
