"""Links of all kinds: what is used is exactly what was given, and all else is told."""

from _pytest.monkeypatch import MonkeyPatch
from hypothesis import strategies as st

from dpviz.ui.state import START, State
from tests.fuzz.bounds import bounded, check_examples, few_or_many
from tests.fuzz.broken_links import broken_links
from tests.fuzz.link_checks import check_opened, visitor_of
from tests.scenario.address_bar import AddressBar
from tests.scenario.changes import TRAFFIC
from tests.scenario.strategies import BARE, RATES, SHAPE

# What may be open before: nothing, or any kind of scenario.
OPEN = (None, SHAPE, RATES, BARE, TRAFFIC)


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


@few_or_many(50, 4000)
def test_broken_links_are_used_exactly_or_told(most):
    """No error escapes, nothing is dropped or replaced in silence, and what is open reopens."""
    check_examples(check, most, broken_links(), st.sampled_from(OPEN))
