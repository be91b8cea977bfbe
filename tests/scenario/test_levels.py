"""Levels as text: what a link and the command line write is read back, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.scenario import ScenarioError
from dpviz.scenario.levels import MOST_LEVELS, Level, levels_in, levels_text

LEVEL = st.integers(1, 60).flatmap(
    lambda size: st.builds(Level, drawn=st.integers(1, size), size=st.just(size))
)


@given(st.lists(LEVEL, min_size=1, max_size=MOST_LEVELS).map(tuple))
def test_a_text_gives_its_levels_back(levels):
    assert levels_in("levels", levels_text(levels)) == levels


@pytest.mark.parametrize(
    "text",
    ["", "5", "5:", ":5", "5:20:3", "5:20,", "a:b", "6:5", "0:5", "1:0", "-1:5", "1.5:3", "1:1e3",
     "1:9999999999", " 1:2", "1:2;1:2", "1:2," * 10 ** 5, "1:99999,1:99999", "\u0661:2", None],
)  # fmt: skip
def test_anything_else_is_refused_by_name(text):
    with pytest.raises(ScenarioError) as raised:
        levels_in("levels", text)
    assert raised.value.field == "levels"
    assert len(str(raised.value)) < 300


def test_a_page_may_ask_for_two_levels_at_least():
    with pytest.raises(ScenarioError, match="2 to 5 levels"):
        levels_in("levels", "1:2", least=2)


def test_a_level_draws_no_more_than_there_are():
    with pytest.raises(ScenarioError, match="from 1 to 3"):
        Level(drawn=4, size=3)
