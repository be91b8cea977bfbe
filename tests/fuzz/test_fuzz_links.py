"""Links of all kinds: what is used is exactly what was given, and all else is told."""

import pytest
from _pytest.monkeypatch import MonkeyPatch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpviz.scenario import PRESETS
from dpviz.ui.state import START, State
from tests.fuzz.bounds import bounded
from tests.fuzz.broken_links import broken_links
from tests.fuzz.link_checks import check_opened, visitor_of
from tests.scenario.address_bar import AddressBar
from tests.scenario.strategies import BARE, RATES, SHAPE

# What may be open before: nothing, or any kind of scenario.
OPEN = (None, SHAPE, RATES, BARE, PRESETS["traffic"].scenario)
MANY = settings(max_examples=4000, suppress_health_check=list(HealthCheck))
FEW = settings(max_examples=100, suppress_health_check=list(HealthCheck))


def check(query: str, open_before) -> None:
    with MonkeyPatch.context() as patch, bounded():
        visit = visitor_of(patch, AddressBar)
        before = None if open_before is None else State(scenario=open_before)
        state = visit(query, before)
        check_opened(query, state, open_before or START)
        again = visit(state.link)
        assert again.problems == []
        assert (again.scenario, again.pins, again.view) == (state.scenario, state.pins, state.view)
        assert again.link == state.link


@FEW
@given(broken_links(), st.sampled_from(OPEN))
def test_a_hundred_broken_links_are_used_exactly_or_told(query, open_before):
    """No error escapes, nothing is dropped or replaced in silence, and what is open reopens."""
    check(query, open_before)


@pytest.mark.slow
@MANY
@given(broken_links(), st.sampled_from(OPEN))
def test_thousands_of_broken_links_are_used_exactly_or_told(query, open_before):
    check(query, open_before)
