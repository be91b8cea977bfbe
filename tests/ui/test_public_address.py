"""What is taken away links to the app only where its readers can open it."""

import pytest

from dpviz.ui.sharing import public_address


@pytest.mark.parametrize(
    ("page", "app"),
    [
        ("https://dp.example.org/privacy_curve", "https://dp.example.org/"),
        ("http://dp.example.org:8501/a/b/planner?x=1", "http://dp.example.org:8501/a/b/"),
        ("http://8.8.8.8:8501/planner", "http://8.8.8.8:8501/"),
    ],
)
def test_public_address_is_kept_without_the_page(page: str, app: str) -> None:
    assert public_address(page) == app


@pytest.mark.parametrize(
    "host",
    [
        *("localhost", "localhost:8501", "127.0.0.1:8501", "[::1]:8501", "0.0.0.0", "teacher"),
        *("192.168.1.7:8501", "10.0.0.2", "172.16.5.4", "169.254.1.1", "[fd00::1]", "[fe80::1]"),
        *("teacher.local", "teacher.local.", "dp.lan", "a.localhost"),
    ],
)
def test_address_that_others_cannot_open_is_none(host: str) -> None:
    assert public_address(f"http://{host}/privacy_curve") is None


@pytest.mark.parametrize("url", [None, "", "javascript:alert(1)", "file:///a.b/c"])
def test_what_is_no_web_address_is_none(url: str | None) -> None:
    assert public_address(url) is None
