"""Every mechanism beside the others, over all that the page can be set to."""

import itertools
import math

import pytest

from dpviz.release import ReleaseSettings
from dpviz.release.calibration import proposition_1_epsilon, weighed_all
from dpviz.settings import SETTINGS
from dpviz.settings.release import RELEASE_WAYS

EXTREMES = list(
    itertools.product(
        *(SETTINGS[name].limits for name in ("release_epsilon", "release_delta", "release_rate")),
        SETTINGS["filter_width"].limits,
        ((1, 1), (2000, 2000)),
    )
)


@pytest.mark.parametrize(("epsilon", "delta", "rate", "width", "size"), EXTREMES)
def test_the_ends_of_every_slider_have_finite_noise_that_keeps_to_the_budget(
    epsilon, delta, rate, width, size
):
    settings = ReleaseSettings(
        length=size[0], participation=size[1], epsilon=epsilon, delta=delta, rate=rate,
        filter_width=width,
    )  # fmt: skip
    found = weighed_all(settings, SETTINGS["participation_factor"].limits[1])
    assert len(found) >= 2  # the Gaussian mechanism and the projection always have an answer
    for one in found:
        assert 0.0 < one.calibration.noise < math.inf
        assert one.calibration.delta_at(epsilon) <= delta
        assert one.more_steps == size[0]  # nobody is in more steps than there are


def test_ways_of_the_page_are_those_of_the_mechanisms():
    found = weighed_all(ReleaseSettings(length=1800, participation=180), 1.0)
    names = [f"{one.calibration.mechanism}-{one.calibration.accounting}" for one in found]
    assert tuple(names) == tuple(RELEASE_WAYS)


def test_as_many_steps_as_planned_keep_the_planned_epsilon():
    for one in weighed_all(ReleaseSettings(length=1800, participation=180), 1.0):
        assert one.more_epsilon <= 0.5 * (1 + 1e-6)


def test_twice_as_many_steps_cost_about_root_two_where_the_noise_is_exact():
    """Proposition 1's size of the effect, by the exact accounting and without its larger delta."""
    for one in weighed_all(ReleaseSettings(length=10_000, participation=100), 2.0):
        ratio = one.more_epsilon / 0.5
        if one.calibration.accounting in ("analytic", "exact"):
            assert 1.0 < ratio < 1.5
        else:
            assert ratio < 1.0  # its noise was generous


def test_proposition_1_is_told_where_it_is_printed():
    found = weighed_all(ReleaseSettings(length=10_000, participation=100), 4.0)
    printed = [proposition_1_epsilon(one.calibration, one.more_steps) for one in found]
    assert [value for value in printed if value is not None] == [pytest.approx(1.0)]
