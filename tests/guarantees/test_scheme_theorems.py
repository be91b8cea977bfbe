"""Which theorem bounds which scheme, how they relate, and where dpviz's own is tighter."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.accounting import account_for, composed_curve
from dpviz.guarantees import (
    THEOREMS_OF_ATTACKS,
    Composition,
    Kind,
    Unit,
    deterministic_top_level,
    guarantee_for,
    in_one_direction,
    sampled_top_level,
)
from dpviz.guarantees.flat import one_bag
from dpviz.guarantees.poisson import poisson_deterministic, poisson_sampled
from dpviz.guarantees.weights import binomial_law
from dpviz.guarantees.with_replacement import coins_top_level, touched_mixture
from dpviz.scenario import DataShape, ScenarioError
from tests.accounting import exact_mixtures as exact
from tests.accounting.exact import exact_gaussian_delta
from tests.scenario.changes import TOY, varied


def sampled(**changes):
    return varied(TOY, **changes)


@pytest.mark.parametrize(
    ("top_level", "bottom_level", "windows", "upper", "lower"),
    [
        ("deterministic", "with-replacement", 1, "4.2", "4.2"),
        ("deterministic", "with-replacement", 4, "dpviz 1", "4.3"),
        ("deterministic", "poisson", 1, "E.8", "E.8"),
        ("deterministic", "poisson", 4, "E.8", "E.8"),
        ("without-replacement", "with-replacement", 1, "4.4", "4.4"),
        ("without-replacement", "with-replacement", 4, "dpviz 2", "dpviz 7"),
        ("without-replacement", "poisson", 1, "dpviz 5", "F.8"),
        ("without-replacement", "poisson", 4, "dpviz 5", "F.8"),
        ("shuffled", "with-replacement", 1, "4.2", "dpviz 8"),
        ("shuffled", "with-replacement", 4, "dpviz 1", "dpviz 8"),
        ("shuffled", "poisson", 4, "E.8", "dpviz 8"),
        ("poisson", "with-replacement", 1, "dpviz 3", "dpviz 3"),
        ("poisson", "with-replacement", 4, "dpviz 3", "dpviz 3"),
        ("poisson", "poisson", 1, "dpviz 5", "F.8"),
        ("poisson", "poisson", 4, "dpviz 5", "F.8"),
        ("flat", "with-replacement", 1, "dpviz 4", "C.2"),
        ("flat", "poisson", 1, "E.8", "E.8"),
    ],
)
def test_every_scheme_has_its_theorems(top_level, bottom_level, windows, upper, lower):
    """Upper rows are composed mirrored, lower ones attained, by step or by epoch."""
    scenario = sampled(top_level=top_level, bottom_level=bottom_level, num_subsequences=windows)
    guarantee = guarantee_for(scenario)
    assert guarantee.upper.theorem == upper
    assert (guarantee.lower and guarantee.lower.theorem) == lower
    by_epoch = top_level in ("deterministic", "shuffled")
    bounds = [guarantee.upper]
    assert guarantee.upper.composition is Composition.MIRRORED
    if guarantee.lower is not None:
        assert guarantee.lower.composition is Composition.ATTAINED
        bounds.append(guarantee.lower)
    for one in bounds:
        assert one.unit is (Unit.EPOCH if by_epoch else Unit.STEP)
        assert one.count == (scenario.num_epochs if by_epoch else scenario.num_steps)


@pytest.mark.parametrize("bottom_level", ["with-replacement", "poisson"])
@pytest.mark.parametrize("windows", [1, 4])
def test_a_shuffled_walk_borrows_a_bound_but_not_its_tightness(windows, bottom_level):
    """The same numbers as in order, labelled as dpviz's extension; the lower bound is its own."""
    changes = {"bottom_level": bottom_level, "num_subsequences": windows}
    shuffled = guarantee_for(sampled(top_level="shuffled", **changes))
    walked = guarantee_for(sampled(top_level="deterministic", **changes))
    assert shuffled.upper.pairs == walked.upper.pairs
    assert shuffled.upper.kind is Kind.UPPER
    assert "no amplification is claimed for the shuffle" in shuffled.upper.extension
    assert shuffled.lower.theorem == "dpviz 8"


@pytest.mark.parametrize("windows", [1, 4])
def test_coins_have_a_bound_of_their_own(windows):
    """Nothing takes the place of a series: half as far from a step without it as otherwise."""
    coins = guarantee_for(sampled(top_level="poisson", num_subsequences=windows))
    assert coins.upper.kind is (Kind.TIGHT if windows == 1 else Kind.UPPER)
    assert coins.upper.kind_after_composition is Kind.UPPER
    assert coins.upper.pair.absence == windows
    assert coins.lower.kind is Kind.LOWER
    assert coins.lower.pair.reflected
    if windows > 1:
        drawn = guarantee_for(sampled(num_subsequences=windows)).upper.pair
        assert replace(coins.upper.pair, absence=2.0 * windows) == drawn


@pytest.mark.parametrize("windows", [1, 4])
def test_poisson_windows_of_coins_have_fewer_untouched_ones(windows):
    """Without replacement those of the series in its place are added; what is attained is one."""
    # With so much noise none are as good as without number.
    changes = {"bottom_level": "poisson", "num_subsequences": windows, "noise_multiplier": 20.0}
    coins = guarantee_for(sampled(top_level="poisson", **changes))
    drawn = guarantee_for(sampled(**changes))

    def mean_untouched(guarantee):
        pair = guarantee.upper.pair
        return np.dot(pair.untouched[:-1], pair.untouched_weights[:-1])

    positions, touched = TOY.data.start_positions, 2
    assert mean_untouched(coins) == pytest.approx((positions - touched) * windows / positions)
    assert mean_untouched(drawn) == pytest.approx(mean_untouched(coins) + windows)
    assert coins.lower == drawn.lower


@pytest.mark.parametrize(
    "changes",
    [{"num_subsequences": 4}, {"bottom_level": "poisson"}, {"top_level": "flat"},
     {"top_level": "deterministic", "bottom_level": "poisson", "num_subsequences": 4}],
)  # fmt: skip
def test_noise_on_the_data_that_no_theorem_covers_is_said_to_be_unused(changes):
    plain = sampled(**changes)
    noisy = guarantee_for(varied(plain, context_noise=1.0))
    without = guarantee_for(plain)
    assert noisy.lower.theorem == "dpviz 22"
    assert "no amplification" not in noisy.lower.extension
    assert noisy.upper.pairs == without.upper.pairs
    assert noisy.upper.kind is Kind.UPPER
    assert "no amplification by noise" in noisy.upper.extension


def test_one_bag_has_both_bounds_for_an_individual():
    guarantee = guarantee_for(sampled(top_level="flat"))
    assert (guarantee.upper.kind, guarantee.lower.kind) == (Kind.UPPER, Kind.LOWER)
    # k = 2: none, one or both of the windows are drawn, at distances 0, 2 and 4.
    assert guarantee.upper.pair.distances == guarantee.lower.pair.means == (0.0, 2.0, 4.0)
    assert guarantee.upper.pair.weights == guarantee.lower.pair.weights


@pytest.mark.parametrize("bottom_level", ["with-replacement", "poisson"])
def test_one_bag_of_several_lengths_lies_between_those_of_the_shortest_and_the_longest(
    bottom_level,
):
    """The number of all windows is unknown, but it is between two."""
    scenario = sampled(top_level="flat", bottom_level=bottom_level)
    shortest, longest, several, open_ended = (
        guarantee_for(replace(scenario, data=replace(TOY.data, **lengths)))
        for lengths in (
            {"series_lengths": (20,)},
            {"series_lengths": (30,)},
            {"series_lengths": (20, 30)},
            {"series_lengths": (20,), "longer_series_beyond": 2},
        )
    )
    assert several.upper.pairs == open_ended.upper.pairs == shortest.upper.pairs
    assert several.upper.kind is Kind.UPPER
    assert several.lower.pairs == longest.lower.pairs
    assert several.lower.kind_after_composition is Kind.LOWER  # that of the longest alone is exact
    assert open_ended.lower is None


def test_coins_of_one_bag_are_tight_for_an_individual():
    """Theorem E.8 with p = Lambda / N_total: attained and mirrored at once."""
    scenario = sampled(top_level="flat", bottom_level="poisson")
    guarantee = guarantee_for(scenario)
    assert guarantee.upper.pair == guarantee.lower.pair
    assert guarantee.upper.kind_after_composition is Kind.TIGHT
    p = scenario.sampling.batch_size / (320 * 20)
    assert guarantee.upper.pair.weights == pytest.approx(((1 - p) ** 2, 2 * p * (1 - p), p**2))


def test_one_bag_protects_who_is_in_one_window_only():
    """One record is one individual then: C.1 is about the individual, and C.2 is C.1 attained."""
    shape = replace(TOY.data, context_length=0)
    guarantee = guarantee_for(replace(sampled(top_level="flat"), data=shape))
    assert guarantee.upper.theorem == "C.1"
    pair = guarantee.lower.pair
    assert pair.means == (0.0, 2.0)
    assert pair.weights[1] == guarantee.upper.pair.rate


@pytest.mark.parametrize("changes", [{"width": 2}, {"width": 1, "level": "user"}])
def test_rates_alone_do_not_determine_noise_on_the_data(changes):
    """Without phi, or for wider relations, the noise names itself as what to change."""
    rates = replace(TOY.with_rates(), noise=replace(TOY.noise, forecast_noise=1.0))
    if changes["width"] == 1:
        rates = varied(rates, forecast_share=None)
    with pytest.raises(ScenarioError) as refused:
        guarantee_for(varied(rates, **changes))
    assert refused.value.field == "forecast_noise"
    assert refused.value.allowed


def test_the_shortest_series_decides():
    """With replacement every bound grows with k / T, largest for the shortest series."""
    shape = DataShape(
        num_series=320, series_lengths=(20, 30, 500), context_length=1, forecast_length=1
    )
    assert guarantee_for(replace(TOY, data=shape)) == guarantee_for(TOY)


ROUNDING = 1e-14


@pytest.mark.parametrize(
    ("windows", "r", "rho", "sigma"),
    [(2, 0.1, 0.1, 1.0), (4, 0.5, 0.3, 2.0), (8, 0.01, 0.9, 1.0), (3, 0.999, 0.01, 5.0)],
)
def test_several_windows_are_more_private_than_printed(windows, r, rho, sigma):
    """Propositions 1 to 3: at no epsilon above, and at the largest one below by far."""
    mu = 2.0 * windows / sigma
    plain = np.array([float(exact_gaussian_delta(epsilon, mu)) for epsilon in EPSILONS])
    for guarantee, rate in (
        (epoch(windows, r=r, sigma=sigma), 1.0),
        (step(windows, r=r, rho=rho, sigma=sigma), rho),
        (coins(windows, r=r, rho=rho, sigma=sigma), rho),
    ):
        printed = exact.thm_f_1(windows, r, rate, sigma)
        of_paper = np.array([float(printed.delta(epsilon)) for epsilon in EPSILONS])
        assert np.all(low(guarantee.upper) <= of_paper * (1 + ROUNDING))
        assert np.all(low(guarantee.upper) <= plain)
        assert high(guarantee.upper)[-1] < 0.97 * of_paper[-1]


@pytest.mark.parametrize(("k", "p", "rho", "at_most"), [(2, 0.1, 0.1, 0.7), (8, 0.01, 0.9, 0.9)])
@pytest.mark.parametrize("by_coins", [False, True])
def test_poisson_windows_are_more_private_than_printed(k, p, rho, at_most, by_coins):
    """Proposition 5: equal at 0, where a step without the series tells nothing."""
    upper = poisson_step(k, p, rho=rho, by_coins=by_coins).upper
    printed = exact.thm_f_2(k, p, rho, 1.0)
    of_paper = np.array([float(printed.delta(epsilon)) for epsilon in EPSILONS])
    assert np.all(low(upper) <= of_paper * (1 + ROUNDING))
    assert high(upper)[0] >= of_paper[0] * (1 - ROUNDING)
    assert high(upper)[3] < at_most * of_paper[3]


def test_large_rates_need_no_second_bound():
    """At lambda = 4, r = 0.8, sigma = 4, epsilon = 1: E.1 has 0.778, the Gaussian one 0.510."""
    assert float(exact.thm_f_1(4, 0.8, 1.0, 4.0).delta(1.0)) == pytest.approx(0.778, abs=1e-3)
    guarantee = epoch(4, r=0.8, sigma=4.0)
    at = np.array([1.0])
    assert composed_curve(guarantee.upper).delta_at(at).high[0] < 0.510


@pytest.mark.parametrize("windows", [1, 4])
@pytest.mark.parametrize(("r", "rho"), [(0.1, 0.1), (0.5, 0.3)])
def test_coins_are_more_private_than_a_fixed_number(windows, r, rho):
    """Half as far from a step without the series: less at every epsilon above 0."""
    settings = {"r": r, "rho": rho, "steps": 20}
    above, below = coins(windows, **settings).upper, step(windows, **settings).upper
    assert np.all(high(above)[1:] < low(below)[1:])
    fewer, more = (poisson_step(windows, r, rho=rho, by_coins=c).upper for c in (True, False))
    assert np.all(high(fewer)[1:4] < low(more)[1:4])


@pytest.mark.parametrize(("beyond", "touched"), [({}, 30), ({"longer_series_beyond": 60}, 51)])
def test_an_individual_in_one_bag_has_no_more_windows_than_the_longest_series(beyond, touched):
    """50 values in a row, in windows of 2, would touch 51 of a series without end."""
    scenario = sampled(top_level="flat", width=50, series_lengths=(20, 30), **beyond)
    known = one_bag(
        num_windows=320 * 20,
        batch_size=32,
        touched_windows=touched,
        noise_multiplier=1.0,
        steps=1000,
        is_exact=False,
    )
    assert guarantee_for(scenario).upper == known.upper


EPSILONS = np.array([0.0, 0.05, 0.3, 1.0, 2.0, 5.0])
# Of the grids chosen by the tolerance of epsilon at delta = 1e-7.
GRID = 0.01


def epoch(windows, *, r=0.1, sigma=1.0, epochs=1):
    return deterministic_top_level(
        bottom_rate=r, noise_multiplier=sigma, epochs=epochs, subsequences=windows
    )


def step(windows, *, r=0.1, rho=0.1, sigma=1.0, steps=1):
    return sampled_top_level(
        bottom_rate=r, top_rate=rho, noise_multiplier=sigma, steps=steps, subsequences=windows
    )


def coins(windows, *, r=0.1, rho=0.1, sigma=1.0, steps=1):
    return coins_top_level(
        bottom_rate=r, top_rate=rho, noise_multiplier=sigma, steps=steps, subsequences=windows
    )


def poisson_step(k, p, *, rho=0.1, sigma=1.0, steps=1, by_coins=False):
    """Of a series of three times as many windows as touch the individual."""
    return poisson_sampled(
        touched=[(k, 3 * k, p)],
        top_rate=rho,
        noise_multiplier=sigma,
        steps=steps,
        by_coins=by_coins,
    )


def low(bound):
    return composed_curve(bound).delta_at(EPSILONS).low


def high(bound):
    return composed_curve(bound).delta_at(EPSILONS).high


def middle(bound):
    brackets = composed_curve(bound).delta_at(EPSILONS)
    return (brackets.low + brackets.high) / 2


@pytest.mark.parametrize(("r", "rho", "sigma"), [(0.1, 0.1, 1.0), (0.8, 0.5, 0.4), (1.0, 1.0, 3)])
def test_f_7_at_one_window_is_4_4(r, rho, sigma):
    """One component weighs rho r, the other the rest."""
    bound = step(1, r=r, rho=rho, sigma=sigma).lower
    of_f_7 = touched_mixture(binomial_law(1, r), sigma, reflected=False, rate=rho)
    assert sum(w for m, w in zip(of_f_7.means, of_f_7.weights, strict=True) if m == 2.0) == (
        pytest.approx(rho * r)
    )
    assert middle(replace(bound, pair=of_f_7)) == pytest.approx(middle(bound), rel=GRID, abs=1e-9)


@pytest.mark.every(4)
@pytest.mark.parametrize("windows", [1, 2, 8])
@pytest.mark.parametrize("r", [1e-6, 0.1, 0.9])
def test_drawing_every_series_is_an_epoch(r, windows):
    """At rho = 1 4.4 turns into 4.2, Proposition 2 into 1 and F.7 into 4.3, for any count."""
    for count in (1, 50):
        drawn = step(windows, r=r, rho=1.0, steps=count)
        walked = epoch(windows, r=r, epochs=count)
        assert drawn.upper.share == 1.0
        # Without a step that lacks the series its distance does not matter.
        same = drawn.upper.pair if windows == 1 else replace(drawn.upper.pair, absence=0.0)
        assert same == walked.upper.pair
        assert middle(drawn.upper) == pytest.approx(middle(walked.upper), rel=1e-12)
        assert drawn.lower.pair == walked.lower.pair


@pytest.mark.parametrize("k", [1, 5])
def test_drawing_every_series_of_poisson_windows_is_an_epoch(k):
    drawn = poisson_sampled(touched=[(k, 5, 0.2)], top_rate=1.0, noise_multiplier=1.0, steps=3)
    walked = poisson_deterministic(touched=[(k, 0.2)], noise_multiplier=1.0, epochs=3)
    assert drawn.upper.pair == drawn.lower.pair == walked.upper.pair
    assert drawn.upper.share == 1.0


@pytest.mark.parametrize("touched", [[(1, 0.1)], [(8, 0.02)], [(5, 0.3), (9, 0.01)]])
@pytest.mark.parametrize("epochs", [1, 2, 100])
def test_e_8_is_tight_after_any_number_of_epochs(epochs, touched):
    """The pair is attained and mirrored at once: both curves bracket one value."""
    guarantee = poisson_deterministic(touched=touched, noise_multiplier=1.0, epochs=epochs)
    assert guarantee.upper.kind_after_composition is Kind.TIGHT
    assert guarantee.lower.kind_after_composition is Kind.TIGHT
    upper, lower = (composed_curve(bound) for bound in (guarantee.upper, guarantee.lower))
    above, below = upper.delta_at(EPSILONS), lower.delta_at(EPSILONS)
    assert np.all(np.maximum(above.low, below.low) <= np.minimum(above.high, below.high))
    quoted = [curve.quoted_epsilon_at(1e-7) for curve in (lower, upper)]
    assert quoted[0] <= quoted[1] <= quoted[0] * 1.005


@pytest.mark.parametrize(("k", "p", "rho"), [(1, 0.1, 0.1), (4, 0.3, 0.5), (8, 0.02, 0.9)])
def test_printed_f_8_is_weaker_than_the_one_shown(k, p, rho):
    """Against N(0) instead of the reflection: valid, but always below."""
    bound = poisson_step(k, p, rho=rho).lower
    printed = exact.thm_f_8_as_printed(k, p, rho, 1.0)
    shown = composed_curve(bound, interval=2e-3).delta_at(EPSILONS).low
    for epsilon, delta in zip(EPSILONS, shown, strict=True):
        assert delta > printed.larger_direction(epsilon)


@pytest.mark.every(2)
@pytest.mark.parametrize("top_level", ["without-replacement", "poisson", "deterministic"])
@pytest.mark.parametrize("windows", [1, 2, 4])
@pytest.mark.parametrize("forecast_noise", [0.0, 1.0])
def test_whoever_computes_an_attack_is_named_among_those_who_do(top_level, windows, forecast_noise):
    run = {"top_level": top_level, "num_subsequences": windows, "forecast_noise": forecast_noise}
    lower = account_for(varied(TOY, steps=3, **run)).lower
    for bound in (lower.bound, lower.bound_at(1e-7), lower.bound_at(0.1)):
        assert bound.theorem in THEOREMS_OF_ATTACKS or not bound.is_of_an_attack


@pytest.mark.parametrize(("units", "is_of_an_attack"), [(1, False), (2, True)])
def test_who_could_choose_anew_is_one_attacker_of_many(units, is_of_an_attack):
    lower = guarantee_for(varied(TOY, num_subsequences=2)).lower
    along_a_line = in_one_direction(replace(lower, count=units))
    assert not along_a_line.is_of_an_attack
    adaptive = replace(along_a_line, composition=Composition.ADAPTIVE)
    assert adaptive.is_of_an_attack == is_of_an_attack
