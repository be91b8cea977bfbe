"""Tables 1 and 2 of Koga et al., beside what follows from their settings."""

import re

import pytest
from scipy.stats import binom

from dpviz.release.published import PUBLISHED, hoeffding_sensitivity
from dpviz.wording.release_published import published_text


def test_all_printed_numbers_and_the_formula_stand_in_the_tables():
    said = published_text()
    for one in PUBLISHED:
        for number in one.errors:
            assert f" {number:.1f} |" in said
        assert f" {one.gaussian_error:.1f} |" in said
    assert len(re.findall(r"^\| \d+ \| \d+ \| \d+ \|$", said, re.MULTILINE)) == 15


def test_venues_that_break_the_assumption_are_counted():
    said = published_text()
    assert "I = 73 is exceeded at 2 of 15 venues of Gowalla" in said
    assert "I = 213 is exceeded at 3 of 15 venues of Foursquare" in said
    assert all(one.most_often[0] <= one.settings.participation for one in PUBLISHED[1:])


@pytest.mark.parametrize("participation", [10, 180, 1000])
@pytest.mark.parametrize("rate", [0.01, 0.1, 0.9])
@pytest.mark.parametrize("failure", [1e-2, 1e-4, 1e-9])
def test_the_tail_beyond_hoeffding_is_never_more_than_the_chance(participation, rate, failure):
    kept = hoeffding_sensitivity(participation, rate, failure) ** 2
    assert binom.sf(int(kept), participation, rate) <= failure
