"""The laws of how many drawn windows are touched, against 40 digits."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from dpviz.guarantees import MixturePair
from dpviz.guarantees.weights import NEGLIGIBLE_WEIGHT, CountLaw, binomial_law, hypergeometric_law
from dpviz.guarantees.with_replacement import listed_counts, touched_mixture
from tests.accounting.exact_mixtures import DIGITS, binomial, hypergeometric

# Correctly rounded: half a unit in the last place, plus what 60 digits lose.
with mp.workdps(DIGITS):
    HALF_UNIT = mpf(2) ** -53 * (1 + mpf(10) ** -20)
# Rounded weights sum to 1 but for half a unit in the last place of each.
SUM_ERROR = 2.0**-53
QUICK = settings(max_examples=60, derandomize=True, deadline=None)


def assert_is(law, exact, largest):
    assert law.largest == largest
    last = law.first + len(law.weights) - 1
    with mp.workdps(DIGITS):
        for weight, right in zip(law.weights, exact[law.first : last + 1], strict=True):
            assert weight > 0.0
            assert abs(mpf(weight) - right) <= right * HALF_UNIT
        below, above = sum(exact[: law.first]), sum(exact[last + 1 :])
        # In 60 digits: what is left above is known to that many places after the point only.
        for told, left_out in ((law.below, below), (law.above, above)):
            assert abs(mpf(told) - left_out) <= left_out * HALF_UNIT + mpf(10) ** -57
        assert below + above < mpf(str(NEGLIGIBLE_WEIGHT))
        assert abs(sum(map(mpf, (*law.weights, law.below, law.above))) - 1) <= SUM_ERROR


@QUICK
@given(st.integers(1, 150), st.floats(1e-12, 1, exclude_max=True))
def test_binomial_law_is_correctly_rounded(trials, probability):
    assert_is(binomial_law(trials, probability), binomial(trials, probability), trials)


@pytest.mark.parametrize(
    ("trials", "probability"),
    [(64, 1e-9), (1, 5e-324), (3, 1 - 2**-53), (600, 0.5), (600, 1 / 600), (600, 0.999)],
)
def test_binomial_law_at_the_ends(trials, probability):
    assert_is(binomial_law(trials, probability), binomial(trials, probability), trials)


@pytest.mark.parametrize("trials", [0, 1, 64, 10**5])
def test_certain_and_impossible_touches(trials):
    """One count has all the weight; for p = 1 it is the largest possible."""
    never, always = binomial_law(trials, 0.0), binomial_law(trials, 1.0)
    assert (never.first, never.weights, never.below, never.above) == (0, (1.0,), 0.0, 0.0)
    assert (always.first, always.weights, always.below, always.above) == (trials, (1.0,), 0.0, 0.0)
    assert never.largest == always.largest == trials


@QUICK
@given(st.data())
def test_hypergeometric_law_is_correctly_rounded(data):
    population = data.draw(st.integers(1, 400))
    marked = data.draw(st.integers(0, population))
    drawn = data.draw(st.integers(0, population))
    law = hypergeometric_law(population, marked, drawn)
    assert_is(law, hypergeometric(population, marked, drawn), min(marked, drawn))
    # Symmetric in what is marked and what is drawn.
    assert law == hypergeometric_law(population, drawn, marked)


@pytest.mark.parametrize(
    ("population", "marked", "drawn"),
    [(10**6, 32, 1000), (10**6, 1000, 10**5), (10**5, 1, 10**5 - 1), (2000, 1500, 1200)],
)
def test_hypergeometric_law_of_large_bags(population, marked, drawn):
    law = hypergeometric_law(population, marked, drawn)
    last = law.first + len(law.weights) - 1
    if population <= 2000:
        assert_is(law, hypergeometric(population, marked, drawn), min(marked, drawn))
    mean = sum(i * weight for i, weight in enumerate(law.weights, start=law.first))
    assert mean == pytest.approx(marked * drawn / population, rel=1e-13)
    assert sum(law.weights) == pytest.approx(1.0, rel=1e-14)
    assert last <= law.largest
    assert law.below + law.above < 1e-40


@pytest.mark.parametrize(("population", "marked"), [(1, 1), (5, 3), (320, 8), (10**6, 2)])
def test_drawing_everything_or_nothing(population, marked):
    everything = hypergeometric_law(population, marked, population)
    assert (everything.first, everything.weights) == (marked, (1.0,))
    nothing = hypergeometric_law(population, marked, 0)
    assert (nothing.first, nothing.weights, nothing.largest) == (0, (1.0,), 0)
    assert everything.below == everything.above == nothing.below == nothing.above == 0.0


def test_hypergeometric_law_of_two_of_one_series():
    """Worked by hand: 5 of 10 with 2 marked, C(8, 5), 2 C(8, 4), C(8, 3) of C(10, 5) = 252."""
    law = hypergeometric_law(10, 2, 5)
    assert law.weights == (56 / 252, 140 / 252, 56 / 252)


@pytest.mark.parametrize("rate", [1.0, 0.5, 0.1, 1e-9])
@pytest.mark.parametrize(("trials", "probability"), [(2000, 0.5), (600, 0.999), (20000, 0.01)])
def test_a_series_that_may_not_be_drawn_keeps_all_its_weight(trials, probability, rate):
    """What the law leaves out at its small counts lies between 0 and the first listed one."""
    law = binomial_law(trials, probability)
    assert law.first > 0
    assert law.below > 0.0
    pair = touched_mixture(law, 1.0, reflected=True, rate=rate)
    is_drawn_always = rate == 1.0
    assert pair.means[0 if is_drawn_always else 1] == law.first
    assert pair.weight_below == (law.below if is_drawn_always else 0.0)
    assert pair.weight_between == (0.0 if is_drawn_always else rate * law.below)
    assert pair.weight_above == rate * law.above


def test_weight_between_two_means_needs_both():
    with pytest.raises(ValueError, match="weight_between"):
        MixturePair(
            means=(0.0,),
            weights=(0.9,),
            noise_multiplier=1.0,
            reflected=True,
            weight_between=0.1,
            largest_mean=0.0,
        )


@pytest.mark.parametrize(("below", "above"), [(0.0, 1e-45), (1e-45, 0.0), (2e-45, 1e-45)])
def test_no_weight_of_counts_is_dropped(below, above):
    """What is not worth a component of its own counts as revealing everything, from both ends."""
    law = CountLaw(first=3, weights=(1e-42, 0.4, 0.6, 3e-43), largest=9, below=below, above=above)
    counts, unlisted = listed_counts(law)
    assert counts == [(4, 0.4), (5, 0.6)]
    assert unlisted == pytest.approx(1.3e-42 + below + above, rel=1e-12, abs=0.0)


def test_of_very_many_windows_nearly_all_of_which_come_the_law_is_known():
    """None comes with a probability of 10^-1,204,120, far beyond usual exponents."""
    law = binomial_law(200_000, 1.0 - 2.0**-20)
    assert law.first + len(law.weights) - 1 == 200_000
    assert sum(law.weights) == pytest.approx(1.0, abs=1e-12)
    assert law.weights[-1] == pytest.approx((1.0 - 2.0**-20) ** 200_000, rel=1e-9)
