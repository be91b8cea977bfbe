"""Limits of observed shares hold together, by exact binomial tails."""

import pytest
from scipy.stats import binom, hypergeom

from dpviz.loaders.shares import FALSE_ALARM, Share, judged


def share(count, cases, expected):
    return Share(check="a", event="b", count=count, cases=cases, expected=expected)


@pytest.mark.parametrize("p", [0.0, 1e-4, 0.03, 0.5, 0.97, 1.0])
@pytest.mark.parametrize("cases", [1, 7, 200])
@pytest.mark.every(3)
def test_what_is_judged_otherwise_has_at_most_the_stated_probability(p, cases):
    for tests in (1, 100):
        wrong = 0.0
        for count in range(cases + 1):
            (verdict, *_) = judged([share(count, cases, p)] * tests)
            if not verdict.as_expected:
                wrong += binom.pmf(count, cases, p)
        assert wrong <= FALSE_ALARM / tests


def test_draws_without_replacement_are_judged_otherwise_even_less():
    law = hypergeom(40, 10, 10)
    wrong = sum(
        law.pmf(count) for count in range(11) if not judged([share(count, 10, 0.25)])[0].as_expected
    )
    assert wrong <= FALSE_ALARM


@pytest.mark.parametrize(("count", "cases"), [(0, 50), (3, 50), (50, 50), (500, 1000)])
def test_limits_are_where_the_verdict_turns(count, cases):
    verdict = judged([share(count, cases, 0.4)])[0]
    assert verdict.low <= count / cases <= verdict.high
    for limit, inwards in ((verdict.low, 1.001), (verdict.high, 0.999)):
        if limit in (0.0, 1.0):
            continue
        inside = limit * inwards
        assert judged([share(count, cases, inside)])[0].as_expected
        assert not judged([share(count, cases, limit * (2 - inwards))])[0].as_expected


def test_no_case_says_nothing():
    verdict = judged([share(0, 0, 0.3)])[0]
    assert verdict.as_expected
    assert (verdict.low, verdict.high) == (0.0, 1.0)
