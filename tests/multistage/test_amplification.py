"""The numbers of one episode, against values computed elsewhere, and how they move."""

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.accounting.gaussian import gaussian_delta
from dpviz.guarantees import Kind
from dpviz.multistage import (
    StagedDraw,
    amplified,
    comparison,
    printed_amplified,
    printed_claim,
    staged_guarantee,
)
from dpviz.multistage.counterexample import proven_delta
from dpviz.multistage.guarantee import amplified_epsilon, draw_in, epsilon_before
from dpviz.scenario.levels import Level
from tests.accounting.exact import DIGITS, exact_gaussian_delta

LEVEL = st.integers(1, 50).flatmap(
    lambda size: st.builds(Level, drawn=st.integers(1, size), size=st.just(size))
)
DRAWS = st.lists(LEVEL, min_size=1, max_size=5).map(lambda found: StagedDraw(levels=tuple(found)))
SIGMAS, EPSILONS = st.floats(0.1, 20.0), st.floats(0.0, 20.0)


@pytest.mark.parametrize(
    ("text", "sigma", "truth", "printed"),
    [("1:2", 1.0, 0.2549, 0.0635), ("10:100", 2.0, 0.01269, 0.00068)],
)
def test_counterexamples_have_their_known_values(text, sigma, truth, printed):
    """A fixed number of one level: the truth is the sound reading's, far above the claim."""
    draw = draw_in(text)
    digits = 10.0 ** -len(str(printed).partition(".")[2])
    assert amplified(draw, sigma, 1.0).delta == pytest.approx(truth, abs=digits / 2)
    assert printed_amplified(draw, sigma, 1.0).delta == pytest.approx(printed, abs=digits / 2)
    found = comparison(draw, sigma, amplified_epsilon(draw.rate, 1.0))
    assert found.attained.delta == pytest.approx(amplified(draw, sigma, 1.0).delta, rel=1e-9)


def test_levels_that_share_records_amplify_delta_alone():
    """Three records of each of two classes: only the classes' pupils amplify epsilon."""
    draw = draw_in("1:4,2:10,3:30")
    assert (draw.hidden_from, draw.outer_rate, draw.inner_rate) == (2, 0.05, 0.1)
    assert draw.records == 6
    assert [draw.records_of_unit(at) for at in range(3)] == [6, 3, 1]
    found = amplified(draw, 1.0, 1.0)
    assert found.epsilon == pytest.approx(float(mpmath.log(1 + 0.1 * (mpmath.e - 1))))
    assert found.delta == pytest.approx(0.005 * gaussian_delta(1.0, 2.0))


def test_only_where_units_give_one_record_the_bound_is_tight():
    assert staged_guarantee(draw_in("5:20,1:10"), 1.0, 1).upper.kind is Kind.TIGHT
    assert staged_guarantee(draw_in("3:3,5:10"), 1.0, 1).upper.kind is Kind.TIGHT
    assert staged_guarantee(draw_in("1:2,5:10"), 1.0, 1).upper.kind is Kind.UPPER
    assert printed_claim(draw_in("5:20,1:10"), 1.0, 1).kind is Kind.UNPROVEN


@settings(max_examples=40)
@given(DRAWS, SIGMAS, EPSILONS)
def test_readings_keep_their_order(draw, sigma, epsilon):
    """What is attained is never above what is proven, and the claim never above either."""
    found = comparison(draw, sigma, epsilon)
    assert found.attained.delta <= found.proven * (1 + 1e-9) + 1e-15
    assert found.corrected_distance <= found.proven * (1 + 1e-9)
    assert found.printed <= found.corrected_distance * (1 + 1e-9)


@given(DRAWS, SIGMAS, EPSILONS, st.integers(0, 4), st.integers(1, 20))
def test_larger_units_and_more_noise_never_give_away_more(draw, sigma, epsilon, at, more):
    """So that the smallest size of each level is the one to give."""
    levels = list(draw.levels)
    at %= len(levels)
    levels[at] = Level(drawn=levels[at].drawn, size=levels[at].size + more)
    before = proven_delta(draw, sigma, epsilon)
    assert proven_delta(StagedDraw(levels=tuple(levels)), sigma, epsilon) <= before + 1e-15
    assert proven_delta(draw, sigma * 1.5, epsilon) <= before + 1e-15
    assert proven_delta(draw, sigma, epsilon + 0.5) <= before + 1e-15


@given(st.floats(1e-9, 1.0), st.floats(0.0, 1500.0))
def test_epsilon_before_and_after_the_draw_belong_together(rate, epsilon):
    assert epsilon_before(rate, amplified_epsilon(rate, epsilon)) == pytest.approx(
        epsilon, rel=1e-9, abs=1e-9
    )


@given(DRAWS, SIGMAS, EPSILONS)
def test_epsilon_and_delta_of_one_episode_are_rounded_up(draw, sigma, epsilon):
    """By 60 digits, from the chances as they are given."""
    with mpmath.workdps(DIGITS):
        before = mpmath.log1p(mpmath.expm1(epsilon) / mpmath.mpf(draw.inner_rate))
        exact = [
            draw.rate * exact_gaussian_delta(one, mpmath.mpf(2) / sigma)
            for one in (before, mpmath.mpf(epsilon))
        ]
        own = mpmath.log1p(mpmath.mpf(draw.inner_rate) * mpmath.expm1(epsilon))
        found = amplified(draw, sigma, epsilon)
        if epsilon > 1e-290:
            assert own * (1 - mpmath.mpf(10) ** -40) <= found.epsilon <= own * (1 + 1e-14)
    told = proven_delta(draw, sigma, epsilon), found.delta
    for least, delta in zip(exact, told, strict=True):
        if least > 1e-290:
            assert least <= delta
            assert delta <= least * (1 + 1e-10) + 1e-14
