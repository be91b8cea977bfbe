"""Links in fewer characters open the same."""

import base64
import zlib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.scenario import PRESETS, ScenarioError, to_query
from dpviz.scenario.short_link import expanded, shortened

QUERIES = [to_query(preset.scenario) for preset in PRESETS.values()]


def code_of(query: str) -> str:
    return shortened(query).removeprefix("z=")


@pytest.mark.parametrize("query", QUERIES)
def test_links_of_scenarios_become_less_than_half(query):
    assert expanded(code_of(query)) == query
    assert len(shortened(query)) < len(query) / 2


@given(st.text(max_size=3000))
def test_any_text_comes_back(text):
    text = text.encode("utf-8", "ignore").decode()
    assert expanded(code_of(text)) == text


@given(st.text(max_size=80))
def test_no_code_breaks_anything(code):
    with suppress(ScenarioError):  # any other error fails
        assert isinstance(expanded(code), str)


def test_what_unpacks_to_more_than_any_link_is_refused():
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = packer.compress(b"a" * 10**7) + packer.flush()
    with pytest.raises(ScenarioError):
        expanded(base64.urlsafe_b64encode(bomb).decode().rstrip("="))


def test_a_code_that_is_cut_off_is_refused():
    with pytest.raises(ScenarioError):
        expanded(code_of(QUERIES[0])[:-8])
