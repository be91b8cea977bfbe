"""A box says what may be typed into it, as people write it."""

import pytest

from dpviz.scenario import ScenarioError
from dpviz.ui.typed_number import typed_number


@pytest.mark.parametrize("typed", ["", "loud", "1e", "٣", "inf"])
def test_limits_of_whole_numbers_are_written_out(typed):
    with pytest.raises(ScenarioError) as refused:
        typed_number("steps", typed, (1, 10**7), whole=True)
    assert str(refused.value) == (
        f"steps = {typed!r} is not allowed: it must be a whole number from 1 to 10,000,000."
    )


def test_limits_of_other_numbers_keep_their_powers_of_ten():
    with pytest.raises(ScenarioError, match=r"it must be a number from 1e-15 to 0\.999"):
        typed_number("delta", "small", (1e-15, 0.999), whole=False)
