"""Names of ways to sample tell them apart."""

from dpviz.scenario.mechanism import TOP_LEVELS
from dpviz.wording.scope import TOP_LEVEL_NAMES


def test_every_way_of_choosing_series_has_a_name_of_its_own():
    assert set(TOP_LEVEL_NAMES) == set(TOP_LEVELS)
    assert len(set(TOP_LEVEL_NAMES.values())) == len(TOP_LEVELS)


def test_names_have_the_field_s_own_word_where_there_is_one():
    assert "Poisson" in TOP_LEVEL_NAMES["poisson"]
    assert "shuffled" in TOP_LEVEL_NAMES["shuffled"]
