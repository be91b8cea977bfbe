"""Which tests go together to one of the processes that run them side by side.

Those of a file do, since they ask for the same answers, which a process computes once; and in the
quick run all that drive a browser do (``tests/browser/conftest.py``), while in the long run they
alone would outlast all else by half an hour. What comes first is begun first: nothing long is to be
left for the end. A browser does, then the checks of all files, then all else as it stands.
"""

from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

BROWSER = "browser"
EARLY = "tests/architecture/"


class FileByFile(LoadScopeScheduling):
    """Hands out whole files, and in the quick run all tests of the browser at once."""

    def __init__(self, config: pytest.Config, log: Any = None) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False  # would begin with the most tests, not the longest
        self._is_quick = config.option.markexpr.startswith("not slow")

    def _split_scope(self, nodeid: str) -> str:
        is_of_one = self._is_quick and nodeid.endswith(f"@{BROWSER}")
        return BROWSER if is_of_one else nodeid.partition("::")[0]


def in_order_of_start(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the same tests, those first that have to be begun first."""

    def place(item: pytest.Item) -> int:
        groups = [mark.args for mark in item.iter_markers("xdist_group")]
        return 0 if (BROWSER,) in groups else 1 if item.nodeid.startswith(EARLY) else 2

    return sorted(items, key=place)
