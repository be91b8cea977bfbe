"""Every scheme over the whole domain: curves are sane, grids agree, readings are on their side."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from dpviz.accounting import account_for, composed_curve
from dpviz.accounting.buckets import UNIT_ROUNDOFF
from dpviz.accounting.curve import COARSE_TOLERANCE
from dpviz.accounting.discretize import LARGEST_INTERVAL
from dpviz.accounting.loss_distribution import Rounding
from dpviz.accounting.losses import loss_of
from dpviz.accounting.profile import POWERS_ROUNDING, Profile, _recurrence
from dpviz.guarantees import Composition, guarantee_for
from dpviz.planning import curves_of
from dpviz.scenario import PRESETS, DataShape, Noise, Relation, Sampling, ScenarioError
from dpviz.scenario.mechanism import MOST_STEPS
from tests.accounting.exact import DIGITS
from tests.accounting.rows import drawn
from tests.scenario.changes import TOY, varied
from tests.scenario.strategies import scenarios

EPSILONS = np.concatenate([[0.0], np.logspace(-4, 3, 50)])
DELTAS = (1e-15, 1e-7, 0.1)


@st.composite
def any_scheme(draw):
    """Draw from all top and bottom levels, with and without noise, and counts by their size."""
    scenario = draw(scenarios())
    steps = int(10 ** draw(st.floats(0, np.log10(MOST_STEPS))))
    scenario = varied(scenario, steps=steps)
    if draw(st.booleans()):
        quiet = replace(scenario.noise, context_noise=0.0, forecast_noise=0.0)
        scenario = replace(scenario, noise=quiet)
    if scenario.shape is not None and draw(st.integers(0, 4)) == 0:
        most = min(scenario.sampling.batch_size, scenario.shape.num_series)
        one_bag = replace(
            scenario.sampling,
            top_level="flat",
            bottom_level="with-replacement",
            num_subsequences=1,
            batch_size=most,
        )
        scenario = replace(scenario, sampling=one_bag)
    return scenario


def assert_sane(curve):
    brackets = curve.delta_at(EPSILONS)
    for values in (brackets.low, brackets.high):
        assert np.all(np.isfinite(values))
        assert np.all((values >= 0) & (values <= 1))
        assert np.all(np.diff(values) <= 0)
    assert np.all(brackets.low <= brackets.high)
    for delta in DELTAS:
        epsilon = curve.epsilon_at(delta)
        if epsilon.high is not None:
            assert epsilon.low is not None
            assert 0 <= epsilon.low <= epsilon.high
            assert curve.delta_at(np.array([epsilon.high])).high[0] <= delta * (1 + 1e-9)


def account_or_refusal(scenario):
    """Return the account, or the field that a scenario is refused for; few ever are."""
    try:
        return account_for(scenario), None
    except ScenarioError as refused:
        return None, refused.field


@settings(max_examples=12, derandomize=True, deadline=None)
@given(any_scheme())
def test_curves_are_sane_for_every_scheme(scenario):
    """Low below high, both probabilities, falling in epsilon; upper bounds above lower ones."""
    account, refused = account_or_refusal(scenario)
    if account is None:
        # Rates say too little about noise on the data; lengths may have been left out.
        in_rates_mode = scenario.shape is None
        noises = ("forecast_noise", "context_noise")
        assert refused in (noises if in_rates_mode else ("longer_series_beyond",))
        assert in_rates_mode or scenario.shape.longer_series_beyond is not None
        return
    assert account.upper.bound.composition is Composition.MIRRORED
    assert account.upper.quotes_high
    assert_sane(account.upper)
    if account.lower is None:
        return
    assert not account.lower.quotes_high or account.lower.bound.kind.value == "tight"
    assert_sane(account.lower)
    low = account.lower.delta_at(EPSILONS).low
    assert np.all(low <= account.upper.delta_at(EPSILONS).high)


@pytest.mark.every(2)
@pytest.mark.parametrize("tolerance", [0.1, 1e-2])
@pytest.mark.parametrize(("sigma", "windows"), [(1.0, 32), (0.5, 16), (0.1, 4), (0.1, 32)])
def test_losses_of_thousands_of_nats_have_curves_at_every_tolerance(sigma, windows, tolerance):
    sampling = replace(TOY.sampling, top_level="deterministic", num_subsequences=windows)
    scenario = varied(TOY, sampling=sampling, noise_multiplier=sigma)
    account = account_for(scenario, tolerance=tolerance)
    assert account.lower is not None
    for curve in (account.upper, account.lower):
        assert curve.interval <= LARGEST_INTERVAL
        assert_sane(curve)
    low = account.lower.delta_at(EPSILONS).low
    assert np.all(low <= account.upper.delta_at(EPSILONS).high)


def test_losses_that_are_one_huge_number_but_for_rounding_are_composed():
    whole_series = varied(
        TOY,
        num_series=3,
        series_lengths=(11,),
        sampling=Sampling(batch_size=192, num_subsequences=64, top_level="poisson"),
        steps=MOST_STEPS // 100,
        relation=Relation(level="user", width=1000),
    )
    account = account_for(whole_series)
    assert account.upper.epsilon_at(1e-7).low > 1e8
    assert account.lower.epsilon_at(1e-7).low > 1e7


GRIDS_IN_SPREADS = (None, 0.1, 0.6, 4.0)
# Finer grids only take longer.
MOST_POINTS = 2**15


def curves_on_grids(rate, sigma, steps, *, attained):
    guarantee = drawn(rate, sigma, steps)
    bound = guarantee.lower if attained else guarantee.upper
    loss = loss_of(bound.pair, Rounding.UP)
    finest = 2 * max(loss.largest_resolved, -loss.smallest_resolved) / MOST_POINTS
    for size in GRIDS_IN_SPREADS:
        if size is None:
            yield composed_curve(bound)
        else:
            wanted = max(size * loss.spread, finest)
            yield composed_curve(bound, interval=min(wanted, LARGEST_INTERVAL))


def assert_brackets_meet(rate, sigma, steps, *, attained):
    curves = list(curves_on_grids(rate, sigma, steps, attained=attained))
    known = [curves[0].epsilon_at(delta).high for delta in (0.3, 1e-3, 1e-7, 1e-12)]
    epsilons = np.unique([0.0, 1e-4, 1e-2, 1.0, 1e3, *(e for e in known if e is not None)])
    brackets = [curve.delta_at(epsilons) for curve in curves]
    low = np.max([b.low for b in brackets], axis=0)
    high = np.min([b.high for b in brackets], axis=0)
    assert np.all(low <= high)


@settings(max_examples=15, derandomize=True, deadline=None)
@given(st.floats(-9, 0), st.floats(-1, 2), st.floats(0, 5), st.booleans())
def test_every_grid_brackets_the_same_value(log_rate, log_sigma, log_steps, attained):
    assert_brackets_meet(10.0**log_rate, 10.0**log_sigma, int(10.0**log_steps), attained=attained)


@pytest.mark.every(2)
@pytest.mark.parametrize("attained", [False, True])
@pytest.mark.parametrize(
    ("rate", "sigma", "steps"),
    [(1 - 2e-9, 0.104, 3), (1 - 1e-14, 0.54, 100), (1 - 1e-12, 0.1147, 799), (0.55, 0.112, 99),
     (1.3e-8, 0.77, 136_500), (1.2e-9, 0.109, 10**5), (1e-9, 100.0, 10**5)],
)  # fmt: skip
def test_far_corners_of_the_domain(rate, sigma, steps, attained):
    assert_brackets_meet(rate, sigma, steps, attained=attained)


def test_rare_huge_losses_are_in_the_lower_bound_too():
    """A leak of hundreds of nats that happens with probability 1e-4 decides epsilon."""
    bound = drawn(1.2e-9, 0.109, 10**5).lower
    bracket = composed_curve(bound).epsilon_at(1e-7)
    assert bracket.low > 200.0
    assert bracket.relative_gap < 1e-3


def test_reading_far_beyond_the_grid():
    """Any epsilon up to infinity may be asked for: both sides fall to what is left there."""
    bound = drawn(0.01, 1.0, 10).upper
    with np.errstate(all="raise", under="ignore"):
        brackets = composed_curve(bound).delta_at(np.array([50.0, 1e3, 1e9, np.inf]))
    assert not brackets.low.any()
    assert np.all((brackets.high >= 0.0) & (brackets.high <= 1e-15))


def test_unreachable_delta_has_no_epsilon():
    """Below what outcomes beyond the grid add, no number is made up."""
    bound = drawn(0.5, 1.0, 1000).upper
    bracket = composed_curve(bound).epsilon_at(1e-300)
    assert bracket.high is None
    assert bracket.relative_gap is None


def test_brackets_at_a_coarse_delta_start_at_zero():
    bound = drawn(0.001, 4.0, 1).upper
    bracket = composed_curve(bound).epsilon_at(0.9)
    assert (bracket.low, bracket.high, bracket.relative_gap) == (0.0, 0.0, 0.0)


def test_attacks_that_no_grid_holds_together_have_grids_of_their_own():
    """Losses of hundreds of nats, and of five, 370,000 times: windows told by two attacks."""
    scenario = varied(
        TOY,
        data=DataShape(
            num_series=6, series_lengths=(3, 6, 16), context_length=10, forecast_length=1
        ),
        sampling=Sampling(batch_size=2, top_level="deterministic", num_subsequences=2),
        noise=Noise(noise_multiplier=0.1, forecast_noise=1e6),
        steps=2_216_191,
        relation=Relation(num_channels=7),
    )
    lower = guarantee_for(scenario).lower
    curve = composed_curve(lower, tolerance=0.05)
    assert_sane(curve)
    alone = [
        composed_curve(replace(lower, pair=pair, other_pairs=()), tolerance=0.05)
        for pair in lower.pairs
    ]
    assert curve.epsilon_at(1e-7).low == max(one.epsilon_at(1e-7).low for one in alone)


POINTS = 12
# Besides the place on the grid, the straight line itself rounds a few times.
LINE_ROUNDING = 8 * 2.0**-53
SAFE_SIDES = {Rounding.UP: 1, Rounding.DOWN: -1}


def exact_reading(profile, epsilon):
    """Return the value at epsilon of the lines, straight in e^epsilon, between the points."""
    with mp.workdps(DIGITS):
        place = (mpf(float(epsilon)) - mpf(profile.start)) / mpf(profile.interval)
        k = min(int(mp.floor(place)), len(profile.delta) - 2)
        share = mp.expm1((place - k) * mpf(profile.interval)) / mp.expm1(mpf(profile.interval))
        return (1 - share) * mpf(profile.delta[k]) + share * mpf(profile.delta[k + 1])


@settings(max_examples=100, derandomize=True, deadline=None)
@given(
    st.sampled_from(Rounding), st.floats(-6, 2).map(lambda power: 10.0**power),
    st.floats(0, 1), st.floats(0, 15),
)  # fmt: skip
def test_no_reading_is_on_the_unsafe_side(rounding, interval, shift, fall):
    """Also where delta falls by 15 orders of magnitude from one grid point to the next."""
    profile = Profile(
        rounding=rounding,
        interval=interval,
        start=-shift * interval,
        delta=10.0 ** (-fall * np.arange(POINTS)),
    )
    points = profile.start + np.arange(1, POINTS) * interval
    epsilons = np.concatenate([points, np.nextafter(points, 0), points - 0.3 * interval])
    epsilons = epsilons[(epsilons >= 0.0) & (epsilons < points[-1])]
    for epsilon, delta in zip(epsilons, profile.delta_at(epsilons), strict=True):
        exact = exact_reading(profile, epsilon)
        side = SAFE_SIDES[rounding]
        assert side * (delta - exact) >= -LINE_ROUNDING * exact


@pytest.mark.parametrize("rounding", Rounding)
@pytest.mark.parametrize("delta", [0.7, 1e-3, 1e-9, 1e-20])
def test_epsilon_inverts_delta_on_the_safe_side(rounding, delta):
    """The epsilon of an upper bound meets delta; that of a lower bound does not exceed it."""
    profile = Profile(
        rounding=rounding, interval=0.3, start=-0.1, delta=10.0 ** (-2.0 * np.arange(POINTS))
    )
    epsilon = profile.epsilon_at(delta)
    at = exact_reading(profile, epsilon)
    # Where delta is 0 nats away already, 0 is the answer.
    if epsilon > 0:
        assert SAFE_SIDES[rounding] * (mpf(delta) - at) >= -LINE_ROUNDING * delta
        assert at == pytest.approx(delta, rel=1e-9)


@pytest.mark.parametrize("rounding", Rounding)
def test_readings_before_and_after_the_grid(rounding):
    """Before it, convexity (up) or the first value (down); after it, what is left."""
    left = 0.0 if rounding is Rounding.DOWN else 1e-9
    profile = Profile(rounding=rounding, interval=0.5, start=2.0, delta=np.array([0.4, 0.1, left]))
    before, inside, after = profile.delta_at(np.array([1.0, 2.25, 40.0]))
    if rounding is Rounding.UP:
        assert before == pytest.approx(1 - np.exp(-1.0) * 0.6)
        assert profile.epsilon_at(0.7) == pytest.approx(2.0 + np.log(0.3 / 0.6))
        assert profile.epsilon_at(1e-12) is None
    else:
        assert before == 0.4
        assert profile.epsilon_at(0.7) == 0.0
        assert profile.epsilon_at(1e-12) == pytest.approx(3.0)
    assert 0.1 < inside < 0.4
    assert after == left


_FACTORS = (0.0, 1e-300, 1e-30, 0.04, 0.5, 0.9, 0.97, 0.999, 1.0 - 1e-9, 1.0)


def exact_sums(terms: np.ndarray, factor: float) -> list[Fraction]:
    """Return y_k = terms_k + factor y_(k+1), without rounding."""
    sums, last = [], Fraction(0)
    for term in terms[::-1].tolist():
        last = Fraction(term) + Fraction(factor) * last
        # Of so many digits that nothing shows, and no more: exact ones would double each time.
        last = Fraction(int(last * 2**1600), 2**1600)
        sums.append(last)
    return sums[::-1]


@pytest.mark.parametrize("factor", _FACTORS)
@pytest.mark.parametrize("size", [1, 2, 63, 300, 2000])
def test_each_sum_is_as_precise_as_is_allowed_for(factor: float, size: int) -> None:
    rng = np.random.default_rng(size)
    terms = rng.random(size) * 10.0 ** rng.uniform(-12, 0, size)
    sums = _recurrence(terms, factor)
    allowed = UNIT_ROUNDOFF * (size + POWERS_ROUNDING)
    largest = float(sums.max())
    for found, exact in zip(sums.tolist(), exact_sums(terms, factor), strict=True):
        assert abs(Fraction(found) - exact) <= allowed * exact + Fraction(1e-86 * largest)


_EPSILONS = np.array([0.0, 0.1, 1.0, 5.0, 20.0])


@pytest.mark.parametrize("name", ["toy", "traffic"])
def test_the_quoted_side_is_that_of_the_whole_curve_on_the_same_grid(name: str) -> None:
    guarantee = guarantee_for(PRESETS[name].scenario)
    assert guarantee.lower is not None
    for bound in (guarantee.upper, guarantee.lower):
        one = composed_curve(bound, interval=0.05, only_quoted=True)
        whole = composed_curve(bound, interval=0.05)
        np.testing.assert_array_equal(
            one.quoted_delta_at(_EPSILONS), whole.quoted_delta_at(_EPSILONS)
        )
        assert one.quoted_epsilon_at(1e-7) == whole.quoted_epsilon_at(1e-7)


def test_the_side_that_was_not_computed_claims_nothing() -> None:
    account = account_for(TOY, only_quoted=True)
    assert account.lower is not None
    upper, lower = account.upper.delta_at(_EPSILONS), account.lower.delta_at(_EPSILONS)
    assert np.all(upper.low == 0.0)
    assert np.all(lower.high == 1.0)
    assert account.upper.epsilon_at(1e-7).low == 0.0
    assert account.lower.epsilon_at(1e-7).high is None


@pytest.mark.parametrize("name", ["toy", "traffic", "electricity"])
def test_rough_curves_are_bounds_and_close_to_the_exact_ones(name: str) -> None:
    scenario = PRESETS[name].scenario
    rough, exact = curves_of(scenario, tolerance=1e-2, only_quoted=True), curves_of(scenario)
    assert rough.upper.only_quoted
    assert not exact.upper.only_quoted
    assert rough.epsilon_upper is not None
    assert rough.epsilon_lower is not None
    assert exact.upper.bracket.low is not None
    assert exact.upper.bracket.low <= rough.epsilon_upper <= 1.02 * exact.upper.bracket.low
    assert exact.lower is not None
    assert exact.lower.bracket.high is not None
    assert 0.98 * exact.lower.bracket.high <= rough.epsilon_lower <= exact.lower.bracket.high


def test_rough_lower_bounds_are_composed_forward_alone_where_epsilon_is_large() -> None:
    """Else backward losses may tell more: without them nothing would be said to be attained."""
    small = varied(TOY, noise_multiplier=80.0)
    for scenario, rough, directions in ((TOY, True, 1), (TOY, False, 2), (small, True, 2)):
        tolerance = COARSE_TOLERANCE if rough else 1e-2
        account = account_for(scenario, tolerance=tolerance, only_quoted=True)
        epsilon = account.upper.quoted_epsilon_at(scenario.delta)
        assert (epsilon < 0.5) == (scenario is small)
        assert account.lower is not None
        assert len(account.lower.low) == directions
        assert 0.0 < account.lower.quoted_epsilon_at(scenario.delta) < epsilon


@pytest.mark.parametrize("delta", [-0.1, float("nan"), -float("inf")])
def test_what_is_no_delta_has_no_epsilon(delta):
    account = account_for(TOY)
    for curve in (account.upper, account.lower):
        with pytest.raises(ValueError, match=f"delta = {delta!r} is not allowed: .* from 0 to 1"):
            curve.quoted_epsilon_at(delta)
