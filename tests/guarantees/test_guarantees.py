"""What is promised of one unit and of many: kinds, rates, counts; laws of touched windows."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from dpviz.guarantees import (
    SUBSTITUTION_SHIFT,
    Bound,
    Composition,
    Kind,
    MixturePair,
    ShiftedMixturePair,
    Unit,
    as_in_the_paper,
    deterministic_top_level,
    guarantee_for,
    sampled_top_level,
)
from dpviz.guarantees.noise_on_windows import attained_by_part
from dpviz.guarantees.poisson import poisson_sampled
from dpviz.guarantees.weights import NEGLIGIBLE_WEIGHT, CountLaw, binomial_law, hypergeometric_law
from dpviz.guarantees.with_replacement import listed_counts, touched_mixture
from tests.accounting.exact_mixtures import DIGITS, binomial, hypergeometric
from tests.scenario.changes import TOY, varied
from tests.scenario.strategies import scenarios

COVERED_TOP_LEVELS = ("without-replacement", "deterministic")


def bound(kind, composition, count):
    return Bound(
        theorem="4.4",
        kind=kind,
        unit=Unit.STEP,
        count=count,
        pair=ShiftedMixturePair(rate=0.1, noise_multiplier=1.0),
        composition=composition,
    )


@pytest.mark.parametrize(
    ("kind", "composition", "count", "after"),
    [
        (Kind.TIGHT, Composition.MIRRORED, 1, Kind.TIGHT),
        (Kind.TIGHT, Composition.ATTAINED, 1, Kind.TIGHT),
        (Kind.TIGHT, Composition.MIRRORED, 2, Kind.UPPER),
        (Kind.TIGHT, Composition.ATTAINED, 2, Kind.LOWER),
        (Kind.UPPER, Composition.MIRRORED, 2, Kind.UPPER),
        (Kind.LOWER, Composition.ATTAINED, 2, Kind.LOWER),
        (Kind.LOWER, Composition.MIRRORED, 1, Kind.LOWER),
        (Kind.LOWER, Composition.MIRRORED, 2, Kind.UNPROVEN),
    ],
)
def test_tight_for_one_unit_becomes_one_sided_after_several(kind, composition, count, after):
    """Only what dominates at every order may be called an upper bound after composition."""
    assert bound(kind, composition, count).kind_after_composition is after


@pytest.mark.parametrize("count", [1, 2, 1000])
def test_what_the_paper_draws_of_a_lower_bound_is_a_bound_for_one_unit_only(count):
    """4.3 and F.7; Poisson windows' F.8 is its own mirror image and stays a lower bound."""
    of_epochs = deterministic_top_level(
        bottom_rate=0.1, noise_multiplier=1.0, epochs=count, subsequences=4
    )
    of_steps = sampled_top_level(
        bottom_rate=0.1, top_rate=0.1, noise_multiplier=1.0, steps=count, subsequences=4
    )
    for guarantee in (of_epochs, of_steps):
        drawn = as_in_the_paper(guarantee.lower)
        assert drawn.composition is Composition.MIRRORED
        assert drawn.kind_after_composition is (Kind.LOWER if count == 1 else Kind.UNPROVEN)
        assert not drawn.bounds_from_above
    poisson = poisson_sampled(
        touched=[(4, 40, 0.1)], top_rate=0.1, noise_multiplier=1.0, steps=count
    )
    assert as_in_the_paper(poisson.lower).kind_after_composition is Kind.LOWER


@pytest.mark.parametrize("count", [2, 1000])
def test_what_the_paper_draws_of_a_tight_bound_is_an_upper_bound(count):
    guarantee = sampled_top_level(bottom_rate=0.1, top_rate=0.1, noise_multiplier=1.0, steps=count)
    drawn = as_in_the_paper(guarantee.lower)
    assert drawn == guarantee.upper
    assert drawn.kind_after_composition is Kind.UPPER
    assert drawn.bounds_from_above


def test_a_substitution_moves_the_sum_by_twice_the_clipping_norm():
    """One record leaves and another one comes: 2C, not C."""
    assert SUBSTITUTION_SHIFT == 2.0
    assert guarantee_for(TOY).upper.pair.shift == 2.0


@settings(max_examples=100, derandomize=True, deadline=None)
@given(scenarios(), st.sampled_from(COVERED_TOP_LEVELS))
def test_rate_unit_and_count_follow_from_the_scenario(scenario, top_level):
    """Thm 4.4: rho r, each step. Thm 4.2: r, each epoch that has begun."""
    scenario = varied(
        scenario,
        top_level=top_level,
        bottom_level="with-replacement",
        num_subsequences=1,
        batch_size=1,
        context_noise=0.0,
        forecast_noise=0.0,
        training=replace(scenario.training, unit="steps"),
    )
    upper = guarantee_for(scenario).upper
    assert upper.pair.noise_multiplier == scenario.noise.noise_multiplier
    if top_level == "deterministic":
        assert (upper.theorem, upper.unit) == ("4.2", Unit.EPOCH)
        assert upper.pair.rate == scenario.bottom_rate
        # No series comes twice in 1 / rho steps, whatever the rates say of an epoch.
        per_epoch = min(scenario.steps_per_epoch, int(1 / scenario.top_rate * (1 + 1e-12)))
        assert (upper.count - 1) * per_epoch < scenario.num_steps <= upper.count * per_epoch
    else:
        assert (upper.theorem, upper.unit) == ("4.4", Unit.STEP)
        assert upper.pair.rate == scenario.top_rate * scenario.bottom_rate
        assert upper.count == scenario.num_steps


@pytest.mark.parametrize(
    "changes",
    [
        {"top_level": "flat", "bottom_level": "poisson", "series_lengths": (20, 30)},
        {"series_per_person": 2, "series_lengths": (20, 30), "steps": 1},
        {"top_level": "bins", "steps": 1},
    ],
)
def test_only_a_lower_bound_that_meets_the_upper_one_is_called_exact(changes):
    """These are attained by an individual in the longest or one series, or in one step."""
    guarantee = guarantee_for(varied(TOY, **changes))
    assert guarantee.upper.kind_after_composition is Kind.UPPER
    assert guarantee.lower.kind_after_composition is Kind.LOWER


@settings(max_examples=50, derandomize=True, deadline=None)
@given(st.floats(1e-9, 1), st.floats(1e-9, 1), st.floats(0.1, 100), st.integers(1, 10**7))
def test_theorem_4_4_depends_on_the_product_of_the_rates(r, rho, sigma, steps):
    """And at rho = 1 its pair is that of Theorem 4.2."""
    one = sampled_top_level(bottom_rate=r, top_rate=rho, noise_multiplier=sigma, steps=steps)
    other = sampled_top_level(bottom_rate=rho, top_rate=r, noise_multiplier=sigma, steps=steps)
    assert one == other
    every = sampled_top_level(bottom_rate=r, top_rate=1.0, noise_multiplier=sigma, steps=steps)
    epoch = deterministic_top_level(bottom_rate=r, noise_multiplier=sigma, epochs=steps)
    assert (every.upper.pair, every.upper.count) == (epoch.upper.pair, epoch.upper.count)
    assert every.lower.pair == epoch.lower.pair


@pytest.mark.parametrize("noise", [{}, {"context_noise": 1.0, "forecast_noise": 2.0}])
@pytest.mark.parametrize(("windows", "series"), [(1, 1), (4, 1), (1, 3)])
def test_coins_that_always_come_up_are_no_coins_and_one_bin_is_a_walk(windows, series, noise):
    """Every batch has all series then, as it has if all are drawn without replacement."""
    size = {"num_subsequences": windows, "batch_size": windows * TOY.shape.num_series}
    drawn = varied(TOY, **size, series_per_person=series, **noise)
    by_coins = varied(drawn, top_level="poisson")
    assert guarantee_for(by_coins) == guarantee_for(drawn)
    if noise:
        assert attained_by_part(by_coins) == attained_by_part(drawn)
    one_bin, walked = (varied(drawn, top_level=way) for way in ("bins", "deterministic"))
    assert guarantee_for(one_bin) == guarantee_for(walked)


@pytest.mark.parametrize(
    "changes",
    [{"rate": -1e-9}, {"rate": 1.0 + 1e-9}, {"rate": float("nan")}, {"noise_multiplier": 0.0},
     {"noise_multiplier": float("nan")}, {"shift": 0.0}, {"shift": -2.0}],
)  # fmt: skip
def test_impossible_pairs_cannot_be_made(changes):
    with pytest.raises(ValueError, match=next(iter(changes))):
        ShiftedMixturePair(**({"rate": 0.1, "noise_multiplier": 1.0} | changes))


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
