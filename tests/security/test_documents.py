"""What docs/ promises about a public server rests on settings that are there."""

import re

import pytest
from streamlit import config

from tests.browser.server import REPOSITORY

PAGES = [REPOSITORY / "docs" / name for name in ("threat-model.md", "deploy.md")]
SETTING = re.compile(r"`((?:server|client|browser)\.\w+)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_settings_that_a_promise_rests_on_are_known_to_streamlit(page):
    for name in SETTING.findall(page.read_text(encoding="utf-8")):
        config.get_option(name)


def test_proxy_lets_files_through_that_the_app_takes_and_no_larger_ones():
    text = (REPOSITORY / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    (most,) = re.findall(r"client_max_body_size (\d+)m;", text)
    options = (REPOSITORY / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    (allowed,) = re.findall(r"^maxUploadSize = (\d+)$", options, re.MULTILINE)
    # Streamlit adds a little for what surrounds the file.
    assert int(most) == int(allowed) + 1


def test_proxy_headers_are_not_lost_in_a_location():
    """A location with one header of its own would drop all that the server has."""
    text = (REPOSITORY / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    for location in re.findall(r"location [^{]*\{([^}]*)\}", text):
        assert "add_header" not in location
        assert "proxy_set_header" not in location
