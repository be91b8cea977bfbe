"""Where a mixture's loss takes given values: on the asked side, whatever was rounded."""

import warnings

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from dpviz.accounting import composed_curve, mixture_loss
from dpviz.accounting.discretize import one_unit
from dpviz.accounting.loss_distribution import Direction, Rounding
from dpviz.accounting.mixture_loss import MixtureLoss
from dpviz.guarantees import MixturePair, ShiftedMixturePair, guarantee_for
from dpviz.guarantees.weights import binomial_law
from dpviz.guarantees.with_replacement import touched_mixture
from dpviz.scenario import DataShape, Noise, Relation, Sampling, Scenario, Training
from tests.accounting.exact import DIGITS
from tests.accounting.rows import exact_of
from tests.accounting.test_guessed_pair import told
from tests.accounting.test_invariants import assert_on_its_side

# Printing an exact loss to a double rounds it by no more than this part.
PRINTED = 1e-30
TINY = (1e-12, 1e-20, 1e-40)


def exact_losses(loss, outcomes):
    """Return the losses of outcomes by their definition, in 40 digits."""
    with mpmath.workdps(DIGITS):
        variance = mpf(loss._sigma) ** 2

        def log_ratio(mixture, x):
            if mixture is None:
                return mpf(0)
            terms = zip(mixture.means.tolist(), mixture.weights.tolist(), strict=True)
            pairs = [(mpf(mean), mpf(weight)) for mean, weight in terms]
            return mpmath.log(sum(w * mpmath.exp(m * (x - m / 2) / variance) for m, w in pairs))

        points = [mpf(float(x)) for x in outcomes]
        return [log_ratio(loss._first, x) - log_ratio(loss._second, x) for x in points]


def assert_on_side(loss, losses, side):
    located = loss.located(losses, side)
    assert np.all(np.diff(located.outcomes) >= 0.0)
    inside = (located.outcomes > loss._smallest) & (located.outcomes < loss._largest)
    found = exact_losses(loss, located.outcomes)
    for asked, value, error, counts in zip(losses, found, located.errors, inside, strict=True):
        beyond = side * (value - mpf(float(asked)))
        if counts:
            assert -PRINTED * abs(value) <= beyond <= 2 * mpf(float(error))
    return inside


PAIRS = [
    touched_mixture(binomial_law(8, 0.1), 1.0, reflected=False, rate=0.1),
    touched_mixture(binomial_law(8, 0.1), 0.5, reflected=True),
    touched_mixture(binomial_law(3, 0.01), 50.0, reflected=True, rate=0.01),
    touched_mixture(binomial_law(20, 1e-3), 0.3, reflected=False),
    told((0.0, 2.0), (0.993, 0.007), (0.998, 0.002), 1.0),
    told((-1.0, 0.0, 1.0), (0.2, 0.7, 0.1), (0.29, 0.7, 0.01), 0.4),
]


@pytest.mark.every(4)
@pytest.mark.parametrize("newton_steps", [0, 1, 4])
@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("pair", PAIRS)
def test_outcomes_are_on_the_asked_side(pair, side, newton_steps, monkeypatch):
    """Also where Newton's method has not arrived, and at losses of the table itself.

    These, and their neighbours by one unit in the last place, are closer to an end of a cell
    than the loss there is known: the next place of the table has to be taken.
    """
    monkeypatch.setattr(mixture_loss, "_NEWTON_STEPS", newton_steps)
    loss = MixtureLoss(pair, Rounding.UP)
    between = np.linspace(loss._table.losses[0], loss._table.losses[-1], 60)[1:-1]
    of_table = loss._table.losses[2:-2:19]
    near = [np.nextafter(of_table, -np.inf), of_table, np.nextafter(of_table, np.inf)]
    inside = assert_on_side(loss, np.unique(np.concatenate([between, *near])), side)
    assert np.count_nonzero(inside) > 100


@pytest.mark.parametrize("side", [-1, 1])
def test_losses_beyond_the_table_have_its_ends(side):
    loss = MixtureLoss(PAIRS[1], Rounding.UP)
    end = loss._table.losses[-1]
    located = loss.located(np.array([-2.0 * end, 0.0, 2.0 * end]), side)
    assert located.outcomes[0] == loss._smallest
    assert located.outcomes[-1] == loss._largest
    # At the end that has no outcome on that side: what rounds there, not how far away it is.
    assert located.errors[0 if side < 0 else -1] < 1e-9
    assert located.errors[1] < 1e-9


@pytest.mark.parametrize("weight", TINY)
@pytest.mark.parametrize("direction", [Direction.FORWARD, Direction.BACKWARD])
@pytest.mark.parametrize("rounding", Rounding)
@pytest.mark.parametrize(
    "interval",
    [pytest.param(0.3, marks=pytest.mark.slow), 3.0, pytest.param(30.0, marks=pytest.mark.slow)],
)
def test_a_centre_of_tiny_weight_is_rounded_to_the_claimed_side(
    weight, direction, rounding, interval
):
    """Losses reach down to ln(weight), but by outcomes that are not resolved."""
    pair = MixturePair(
        means=(0.0, 2.0),
        weights=(weight, 1.0 - weight),
        noise_multiplier=1.0,
        reflected=False,
        largest_mean=2.0,
    )
    law = exact_of(pair)
    exact = law.delta if direction is Direction.FORWARD else law.exchanged.delta
    assert_on_its_side(pair, direction, rounding, interval, exact)


@pytest.mark.parametrize("direction", [Direction.FORWARD, Direction.BACKWARD])
def test_a_share_of_one_direction_is_refused(direction):
    """Only mirrored pairs have theorems about a share; it must not be left out in silence."""
    pair = ShiftedMixturePair(rate=0.1, noise_multiplier=1.0)
    with pytest.raises(ValueError, match=r"share = 0\.5 is not allowed"):
        one_unit(pair, direction, Rounding.UP, 0.1, 0.5)


def test_flat_losses_need_no_warning():
    """Of 15 noised windows in a batch of 15: a step over nearly no slope is none."""
    scenario = Scenario(
        data=DataShape(num_series=48, series_lengths=(12,), context_length=1, forecast_length=1),
        sampling=Sampling(batch_size=15, num_subsequences=15),
        noise=Noise(noise_multiplier=1.0, context_noise=1e6),
        training=Training(unit="epochs", count=5),
        relation=Relation(width=12),
        delta=0.99,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        composed_curve(guarantee_for(scenario).lower, at_delta=0.99, tolerance=0.05)
