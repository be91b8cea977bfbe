"""Poisson windows: each length that may be the worst has its pair, also if it was left out."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import log_ndtr, logsumexp, ndtr
from scipy.stats import binom, hypergeom

from dpviz.accounting import best_upper, composed_curve
from dpviz.guarantees import guarantee_for
from dpviz.guarantees.flat import one_bag_by_coins
from dpviz.guarantees.noise_on_windows import lengths_that_may_be_worst
from dpviz.scenario import DataShape, Relation, Sampling, ScenarioError
from dpviz.scenario.relation import worst_case_lengths
from tests.accounting.exact_mixtures import Exact
from tests.scenario.changes import TOY, varied

LENGTHS = (5, 6, 8, 12)
EPSILONS = np.array([0.05, 0.5, 2.0, 6.0])
WALK, DRAWN, COINS = "deterministic", "without-replacement", "poisson"


BY_COINS = varied(TOY, bottom_level="poisson", steps=1)


def scenario_of(lengths, top_level):
    """Return one step or epoch; no length is without a window that the individual touches."""
    data = DataShape(num_series=20, series_lengths=lengths, context_length=2, forecast_length=2)
    one = varied(BY_COINS, data=data, batch_size=2, noise_multiplier=0.8, width=10)
    return varied(one, top_level=top_level, **({"epochs": 1} if top_level == WALK else {}))


def pairs(bound):
    return [bound.pair, *bound.other_pairs]


@pytest.mark.parametrize("top_level", [WALK, DRAWN, COINS])
@pytest.mark.parametrize("side", ["upper", "lower"])
def test_each_length_has_its_own_pair_in_both_bounds(top_level, side):
    """None is dropped, and none is added."""
    bound = getattr(guarantee_for(scenario_of(LENGTHS, top_level)), side)
    # Of one length drawn series have a smaller upper bound, of another theorem.
    several = [scenario_of((length, length + 1), top_level) for length in LENGTHS]
    own = [getattr(guarantee_for(one), side).pair for one in several]
    assert pairs(bound) == own


@pytest.mark.parametrize("top_level", [WALK, DRAWN, COINS])
def test_bounds_are_of_the_worst_length_at_each_epsilon(top_level):
    """At small epsilon it is another length than at a large one, so that all are needed."""
    guarantee = guarantee_for(scenario_of(LENGTHS, top_level))
    for bound in (guarantee.upper, guarantee.lower):
        together = composed_curve(bound).delta_at(EPSILONS)
        apart = [
            composed_curve(replace(bound, pair=pair, other_pairs=())).delta_at(EPSILONS)
            for pair in pairs(bound)
        ]
        assert np.all(together.high >= np.max([one.low for one in apart], axis=0))
        assert np.all(together.low <= np.max([one.high for one in apart], axis=0))
        assert len(set(np.argmax([one.high for one in apart], axis=0))) > 1


SIGMA, WINDOWS = 4.0, 3
SCENARIO = varied(
    BY_COINS,
    data=DataShape(num_series=8, series_lengths=(20,), context_length=4, forecast_length=2),
    batch_size=12,
    num_subsequences=WINDOWS,
    top_level="deterministic",
    noise_multiplier=SIGMA,
    epochs=1,
)


def delta_of(law: np.ndarray, epsilon: float) -> float:
    """Return delta of sum_i w_i N(i) against its reflection."""
    first, second = ({sign * i: w for i, w in enumerate(law.tolist())} for sign in (1, -1))
    return float(Exact(first=first, second=second, sigma=SIGMA).delta(epsilon))


def test_who_knows_how_many_windows_came_up_can_tell_more_than_the_bound_allows():
    """Given m of T windows, those of the individual are hypergeometric: a worse mixture."""
    k, positions = SCENARIO.touched_windows, SCENARIO.data.start_positions
    p, hits, epsilon = WINDOWS / positions, np.arange(k + 1), 1.0
    claimed = best_upper(SCENARIO).delta_at(np.array([epsilon]))
    assert delta_of(binom.pmf(hits, k, p), epsilon) == pytest.approx(claimed.high[0], rel=1e-2)
    known = sum(
        binom.pmf(m, positions, p) * delta_of(hypergeom.pmf(hits, positions, k, m), epsilon)
        for m in range(1, positions + 1)  # none tell nothing
    )
    assert known > 4.0 * claimed.high[0]


SHAPE = worst_case_lengths(
    [5, 10, 11], num_series=3, context_length=2, forecast_length=2, relation=Relation()
)
SCENARIOS = {
    "poisson": varied(BY_COINS, data=SHAPE, batch_size=1),
    "noise on windows": varied(TOY, data=SHAPE, batch_size=1, forecast_noise=1e6, steps=1),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_wider_relations_ask_for_the_lengths_again(name):
    """With w = 20 a series of 11 values is worse than one of 5, which alone was kept."""
    scenario = SCENARIOS[name]
    assert SHAPE.series_lengths == (5,)
    assert guarantee_for(scenario).upper.count == 1
    for relation in (Relation(width=20), Relation(level="user", width=2)):
        with pytest.raises(ScenarioError, match="longer_series_beyond = 4") as refused:
            guarantee_for(replace(scenario, relation=relation))
        assert refused.value.field == "longer_series_beyond"


FIELDS = ("context_length", "forecast_length")


@pytest.mark.parametrize("fields", [FIELDS, FIELDS[::-1]])
def test_longer_forecasts_ask_for_the_lengths_again(fields):
    """Of 60 values 30 windows of 41 values may start, where 60 could with shorter forecasts."""
    windows = {"context_length": 10, "forecast_length": 31}
    shape = worst_case_lengths(
        [41, 60], num_series=2, context_length=40, forecast_length=1, relation=Relation()
    )
    scenario = replace(SCENARIOS["poisson"], data=shape)
    for field in fields:
        scenario, _ = scenario.with_shape_value(field, windows[field])
    assert scenario.data.series_lengths == (41,)
    with pytest.raises(ScenarioError, match="longer_series_beyond = 11"):
        guarantee_for(scenario)


WINDOW_LENGTHS = st.tuples(st.integers(0, 8), st.integers(1, 6))


@settings(max_examples=500)
@given(
    st.lists(st.integers(6, 20), min_size=2),
    WINDOW_LENGTHS,
    st.lists(WINDOW_LENGTHS, min_size=1, max_size=3),
    st.integers(1, 3),
)
def test_other_windows_leave_no_length_out_that_may_be_the_worst(lengths, read, changes, width):
    """Or ask for the lengths again, however the windows came about."""
    relation = Relation(width=width)

    def kept(context, forecast):
        return worst_case_lengths(
            lengths,
            num_series=len(lengths),
            context_length=context,
            forecast_length=forecast,
            relation=relation,
        )

    shape = kept(*read)
    for context, forecast in changes:
        shape = shape.with_value("context_length", context).with_value("forecast_length", forecast)
    scenario = replace(SCENARIOS["poisson"], data=shape, relation=relation)
    try:
        found = lengths_that_may_be_worst(scenario)
    except ScenarioError:
        return
    assert set(kept(*changes[-1]).series_lengths) <= set(found)


def test_sampling_with_replacement_needs_the_shortest_only():
    plain = replace(SCENARIOS["poisson"], sampling=Sampling(batch_size=1))
    assert guarantee_for(replace(plain, relation=Relation(width=20))).upper.theorem == "4.4"


NOISE, SERIES, WINDOW = 2.0, 1000, 10
LOSSES = np.array([0.1, 0.5, 1.0])


def of_lengths(lengths, top_level):
    shape = worst_case_lengths(
        lengths, num_series=SERIES, context_length=9, forecast_length=1, relation=Relation()
    )
    return varied(BY_COINS, data=shape, batch_size=1, top_level=top_level, noise_multiplier=NOISE)


def law(windows, drawn_from):
    """Return the law of how many of ``windows`` a coin of 1 / ``drawn_from`` each draws."""
    return binom.pmf(np.arange(windows + 1), windows, 1.0 / drawn_from)


def proposition_5(touched, untouched):
    """Return (5) at LOSSES, at the best of many x: at most what it is."""
    x = np.linspace(-40.0, 40.0, 80_001) / NOISE
    rate = 1.0 / SERIES
    values = np.zeros(len(LOSSES))
    i = np.arange(len(touched))[:, None] / NOISE
    beyond, other = touched @ ndtr(x + i), touched @ ndtr(x - i)
    for at, alpha in enumerate(np.exp(LOSSES)):
        for m, weight in enumerate(untouched):
            absent = (alpha - 1.0) * (1.0 - rate) * ndtr(x - m / NOISE)
            values[at] += weight * np.max(rate * (beyond - alpha * other) - absent)
    return values


def in_place_of(own, other, top_level):
    """Return (5) for an individual in a series of ``own`` windows, another one of ``other``."""
    untouched = law(own - WINDOW, own)
    if top_level == "without-replacement":
        untouched = np.convolve(untouched, law(other, other))
    return proposition_5(law(WINDOW, own), untouched)


@pytest.mark.parametrize("top_level", ["poisson", "without-replacement"])
def test_5_is_what_is_shown_of_one_length(top_level):
    """So that what is compared below is the proposition itself."""
    upper = guarantee_for(of_lengths([11], top_level)).upper
    bracket = composed_curve(upper).delta_at(LOSSES)
    assert np.allclose(in_place_of(11, 11, top_level), bracket.high, rtol=1e-3)


@pytest.mark.parametrize("windows", [1, 16])
@pytest.mark.parametrize("sigma", [0.3, 0.5, 1.0])
@pytest.mark.parametrize("top_level", ["poisson", "without-replacement"])
def test_so_many_untouched_windows_as_are_put_together_hide_next_to_nothing(
    top_level, sigma, windows
):
    several = {"num_subsequences": windows, "batch_size": 4 * windows}
    scenario = varied(BY_COINS, top_level=top_level, noise_multiplier=sigma, **several)
    pair = guarantee_for(scenario).upper.pair
    shifts, x = np.array(pair.touched) / sigma, np.linspace(-40.0, 0.0, 4001)

    def hidden(m):
        """Return the last term of (5) for so many, as a part of the one before."""
        touched = logsumexp(
            log_ndtr(x[:, None] - shifts), b=pair.rate * np.array(pair.touched_weights), axis=1
        )
        return np.exp(np.max(np.log1p(-pair.rate) + log_ndtr(x - m / sigma) - touched))

    assert pair.untouched[-1] == np.inf
    most = pair.untouched[-2]
    assert hidden(most + 1.0) <= 1e-17 * (1.0 + 1e-9)
    if len(pair.untouched) > 2:
        assert hidden(most) > 1e-17 * np.exp(-4.0 * (most + 1.0) / sigma**2)


@pytest.mark.every(2)
@pytest.mark.parametrize("top_level", ["poisson", "without-replacement"])
@pytest.mark.parametrize(("own", "other"), [(20, 11), (11, 20), (20, 20), (40, 40)])
def test_the_bound_covers_the_lengths_that_were_left_out(own, other, top_level):
    """An individual may be in any series, and any other may take its place."""
    scenario = of_lengths([11, 20, 40], top_level)
    shown = composed_curve(guarantee_for(scenario).upper).delta_at(LOSSES).high
    assert np.all(shown >= in_place_of(own, other, top_level))


def bag_of(lengths, num_series, batch_size):
    windows = {"context_length": 0, "forecast_length": 1}
    relation = Relation(level="user", width=100)
    shape = worst_case_lengths(lengths, num_series=num_series, **windows, relation=relation)
    bag = varied(BY_COINS, data=shape, batch_size=batch_size, top_level="flat", relation=relation)
    return varied(bag, noise_multiplier=2.0)


@pytest.mark.parametrize(
    ("lengths", "batch_size", "windows"),
    [((1, 60), 1, 61), ((2, 100), 2, 102), ((2, 2000), 3, 2002), ((2, 60), 4, 62)],
)
def test_a_bag_by_coins_covers_a_series_longer_than_all_that_is_known_of_it(
    lengths, batch_size, windows
):
    """Of two series one has more windows than both would have if they were the shortest."""
    scenario = bag_of(lengths, 2, batch_size)
    upper = composed_curve(guarantee_for(scenario).upper)
    touched = scenario.relation.touched_windows(scenario.data, max(lengths))
    truth = one_bag_by_coins(
        num_windows=windows,
        batch_size=batch_size,
        touched_windows=touched,
        noise_multiplier=2.0,
        steps=1,
    )
    epsilons = np.array([0.5, 2.0, 8.0, 20.0])
    assert np.all(
        upper.delta_at(epsilons).high >= composed_curve(truth.lower).delta_at(epsilons).low
    )


@pytest.mark.parametrize(("least", "batch_size"), [(1, 1), (3, 1), (3, 2), (10, 9)])
def test_what_stands_for_a_bag_by_coins_has_stochastically_more_hits(least, batch_size):
    """Whoever is in k windows of a bag that has as many, and no fewer than are known."""
    most = 40
    pair = one_bag_by_coins(
        num_windows=least,
        batch_size=batch_size,
        touched_windows=most,
        noise_multiplier=1.0,
        steps=1,
        is_exact=False,
    ).upper.pair
    at_least = np.zeros(most + 1)
    for mean, weight in zip(pair.means, pair.weights, strict=True):
        at_least[: int(mean) + 1] += weight
    for k in range(1, most + 1):
        for windows in (max(least, k), max(least, k) + 1):
            hits = binom.sf(np.arange(most + 1) - 1, k, batch_size / windows)
            assert np.all(hits <= at_least * (1.0 + 1e-9) + 1e-15), (k, windows)
    # And no more than that: as many windows as are known are all missed as often.
    missed = (1.0 - batch_size / least) ** least
    assert at_least[0] - at_least[1] == pytest.approx(missed, rel=1e-9, abs=1e-12)
