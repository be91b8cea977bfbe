"""Settings and fixtures of all tests."""

import functools
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# Before anything imports streamlit: the app shows visitors no details of an error, and AppTest
# would not see them either.
os.environ["STREAMLIT_CLIENT_SHOW_ERROR_DETAILS"] = "full"

import pytest
from hypothesis import settings

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


def pytest_collection_finish() -> None:
    """Have Streamlit search the installed packages for components once, not at each opened page."""
    if "streamlit.testing.v1" in sys.modules:
        from streamlit.components.v2 import manifest_scanner

        manifest_scanner.scan_component_manifests = functools.cache(
            manifest_scanner.scan_component_manifests
        )


@pytest.hookimpl(trylast=True)  # once it is known which ones drive a browser
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Where tests run side by side, put those first that have to be begun first."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        from tests.side_by_side import in_order_of_start

        items[:] = in_order_of_start(items)


@pytest.hookimpl(optionalhook=True)  # pytest-xdist may be left out
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Hand out tests file by file; see :mod:`tests.side_by_side`."""
    if config.getoption("dist") != "loadgroup":
        return None
    from tests.side_by_side import FileByFile

    return FileByFile(config, log)
