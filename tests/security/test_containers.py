"""The container files name what is there; they are not built here."""

import re

from tests.browser.server import REPOSITORY

DEPLOY = REPOSITORY / "deploy"
CONFIGURATION = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
DOCKERFILE = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")


def test_all_that_is_copied_into_the_image_is_there_and_let_through():
    let_through = (REPOSITORY / ".dockerignore").read_text(encoding="utf-8").splitlines()
    copied = set(re.findall(r"^COPY (?!--from)(\S+) ", DOCKERFILE, re.MULTILINE))
    assert len(copied) == 6
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
