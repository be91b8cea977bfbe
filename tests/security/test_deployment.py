"""What is shipped for a public server: container files that are not built here, nginx, promises."""

import re

import pytest
from streamlit import config

from tests.browser.server import REPOSITORY

DEPLOY = REPOSITORY / "deploy"
CONFIGURATION = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
DOCKERFILE = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
PAGES = [REPOSITORY / "docs" / name for name in ("threat-model.md", "deploy.md")]
SETTING = re.compile(r"`((?:server|client|browser)\.\w+)")


def test_all_that_is_copied_into_the_image_is_there_and_let_through():
    let_through = (REPOSITORY / ".dockerignore").read_text(encoding="utf-8").splitlines()
    copied = set(re.findall(r"^COPY (?!--from)(\S+) ", DOCKERFILE, re.MULTILINE))
    assert len(copied) == 8
    for name in copied:
        assert (REPOSITORY / name).exists()
        assert f"!{name.rstrip('/')}" in let_through


def test_the_app_does_not_run_as_root():
    assert DOCKERFILE.index("\nUSER 10001:10001\n") < DOCKERFILE.index("\nCMD ")


def test_compose_finds_the_line_that_names_the_servers():
    before, after = re.search(r"s/(server [^/]+)/([^/]+)/", COMPOSE).groups()
    assert CONFIGURATION.count(before) == 1
    named = re.findall(r"server (\w+):8501;", after)
    assert named == ["first", "second"]
    for name in named:
        assert f"\n  {name}:\n" in COMPOSE


def test_an_address_for_each_browser_is_a_number_of_nginx_or_none():
    """What a visitor writes into the cookie decides nothing but the server."""
    assert '"~^[0-9a-f]{32}$" $cookie_dpviz_visitor;' in CONFIGURATION
    assert CONFIGURATION.count("hash $dpviz_visitor consistent;") == 1


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_settings_that_a_promise_rests_on_are_known_to_streamlit(page):
    for name in SETTING.findall(page.read_text(encoding="utf-8")):
        config.get_option(name)


def test_proxy_lets_files_through_that_the_app_takes_and_no_larger_ones():
    (most,) = re.findall(r"client_max_body_size (\d+)m;", CONFIGURATION)
    options = (REPOSITORY / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    (allowed,) = re.findall(r"^maxUploadSize = (\d+)$", options, re.MULTILINE)
    # Streamlit adds a little for what surrounds the file.
    assert int(most) == int(allowed) + 1


def test_proxy_headers_are_not_lost_in_a_location():
    """A location with one header of its own would drop all that the server has."""
    for location in re.findall(r"location [^{]*\{([^}]*)\}", CONFIGURATION):
        assert "add_header" not in location
        assert "proxy_set_header" not in location
