"""Settings and fixtures of all tests."""

import math
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# Before anything imports streamlit: the app shows visitors no details of an error, and AppTest
# would not see them either.
os.environ["STREAMLIT_CLIENT_SHOW_ERROR_DETAILS"] = "full"

# Short series and few steps, so that pages answer at once.
os.environ["DPVIZ_START"] = "toy"
os.environ["DPVIZ_CLASSES"] = str(Path(tempfile.gettempdir(), f"dpviz-{os.getpid()}.sqlite"))

import pytest
from hypothesis import settings

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell that starts tests in the background has them, and all they start, ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)

BEGAN = pytest.StashKey[float]()
_CASES: Counter[str] = Counter()  # collected of each test that is marked with every(n)
SECONDS_OF_SLOW_ONES = 3600
OUT_OF_TIME = "further from the change than the time allows"

# The same examples at each run, and no failure because a machine was busy.
settings.register_profile("dpviz", derandomize=True, deadline=None)
settings.load_profile("dpviz")


@pytest.fixture(autouse=True)
def _own_main_module() -> Iterator[None]:
    """Leave Python's main module as it was: AppTest puts its script there.

    Processes that a later test starts would run that script.
    """
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


@pytest.fixture(scope="session")
def reference_dir() -> Path:
    """Return the folder of the published reference values, or skip the test without it."""
    name = os.environ.get("DPVIZ_REFERENCE_DIR")
    if not name:
        pytest.skip("DPVIZ_REFERENCE_DIR does not name the folder of reference values")
    folder = Path(name)
    if not folder.is_dir():
        pytest.skip(f"DPVIZ_REFERENCE_DIR names {folder}, which does not exist")
    return folder


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take what ``make check`` asks for."""
    parser.addoption(
        "--nearest", metavar="COMMIT", help="first what is nearest to the change since a commit"
    )
    parser.addoption(
        "--for-minutes", type=float, default=math.inf, help="begin no test after so long"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Look at the clock."""
    config.stash[BEGAN] = time.monotonic()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Begin no test after the time that was given."""
    minutes = item.config.getoption("--for-minutes")
    if time.monotonic() - item.config.stash[BEGAN] > 60 * minutes:
        pytest.skip(OUT_OF_TIME)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say what there was no time for."""
    skipped = terminalreporter.stats.get("skipped", [])
    late = {one.nodeid.partition("::")[0] for one in skipped if OUT_OF_TIME in str(one.longrepr)}
    if late:
        terminalreporter.write_line(
            f"No time for tests of {len(late)} files further away: make test runs all of them."
        )


def pytest_itemcollected(item: pytest.Item) -> None:
    """Leave to the long run what a sample of a test's many cases stands for.

    The sample has one case of n, of each n another one: cases are products, and the same one would
    always have the same value of the last parameter.
    """
    mark = item.get_closest_marker("every")
    if mark is not None:
        of_test, [n] = item.nodeid.partition("[")[0], mark.args
        block, place = divmod(_CASES[of_test], n)
        if place != block % n:
            item.add_marker("slow")
        _CASES[of_test] += 1


@pytest.hookimpl(trylast=True)  # once it is known which ones drive a browser
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put those first that are nearest to a change, or that have to be begun first."""
    for item in items:
        if item.get_closest_marker("slow") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SECONDS_OF_SLOW_ONES))
    since = config.getoption("--nearest")
    if since is not None:
        from tests.selection.nearest import distances_of_tests

        files = {item: item.nodeid.partition("::")[0] for item in items}
        distance = distances_of_tests(set(files.values()), since)
        items.sort(key=lambda item: distance[files[item]])
    elif "PYTEST_XDIST_WORKER" in os.environ:
        from tests.selection.side_by_side import in_order_of_start

        items[:] = in_order_of_start(items)


@pytest.hookimpl(optionalhook=True)  # pytest-xdist may be left out
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Hand out tests file by file; see :mod:`tests.selection.side_by_side`."""
    if config.getoption("dist") != "loadgroup":
        return None
    from tests.selection.side_by_side import FileByFile

    return FileByFile(config, log)
