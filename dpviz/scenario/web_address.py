"""The address of an app, as documents have it in links to a scenario."""

import re

from dpviz.scenario.errors import ScenarioError

# Nothing that could end a link, be read as more than an address, or stand before what is added.
_ADDRESS = re.compile(r"""https?://(\[[\da-fA-F:.]+\])?[^\s()<>\[\]"'`\\?#]+""")
_LONGEST = 2000


def checked_address(field: str, value: str) -> str:
    """Return the address of an app, or raise :class:`ScenarioError`.

    >>> checked_address("base_url", "https://dp.example.org/app/")
    'https://dp.example.org/app/'
    """
    if len(value) > _LONGEST or not value.isprintable() or not _ADDRESS.fullmatch(value):
        allowed = "it must begin with https:// and have no spaces, brackets, quotes, ? or #"
        raise ScenarioError(field, value, allowed)
    return value
