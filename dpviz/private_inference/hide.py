"""The mechanism: contexts in, contexts with noise and gaps filled out; nothing else comes out."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpviz.release import Randomness, SystemEntropy, coins, noisy_values
from dpviz.release.noisy import checked_finite
from dpviz.scenario.errors import ScenarioError, checked_real
from dpviz.scenario.release_settings import RATE_RANGE
from dpviz.training.forecaster import FloatArray, Forecaster

BoolArray = npt.NDArray[np.bool_]
LARGEST_VALUE = 1e100


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HiddenContexts:
    """All that a model sees of its contexts, arrays of shape (windows, L_C); it may be published.

    Args:
        values: kept values with noise, their mean in the place of the others, zeros where a series
            had not begun. Kept ones are whole multiples of a power of two, at most 2^-40 of the
            noise.
        kept: which values are noisy ones of the context.
    """

    values: FloatArray
    kept: BoolArray


def hidden_contexts(
    contexts: npt.ArrayLike,
    *,
    rate: float,
    noise: float,
    nothing_kept: float = 0.0,
    known: npt.ArrayLike | None = None,
    rng: Randomness | None = None,
) -> HiddenContexts:
    """Return contexts of which a random part is kept, with noise, and the rest is filled in.

    Args:
        contexts: the confidential values, shape (windows, L_C).
        rate: r, the probability with which each value is kept; 1 for all of them.
        noise: standard deviation on each kept value, in the data's unit; 0 hides nothing.
        nothing_kept: fills a context of which no value was kept. A public number, agreed
            beforehand: not one that is computed from these series.
        known: how many values of each context are its series' own, at its end (all by default); the
            others come before a series' beginning and stay 0. Public, as lengths of series are;
            never to be read off the values. Shape (windows,).
        rng: by default the operating system's entropy, which nobody can repeat, and from which
            noise is drawn exactly. A generator is for simulations: whoever knows its state can take
            the noise off again.

    Raises:
        ScenarioError: an argument is not allowed, or a value is above 10^100 in size. That a value
            is refused tells something about it: use limits that are public.

    >>> hidden = hidden_contexts([[1.0, 3.0]], rate=1.0, noise=1.0, rng=np.random.default_rng(1))
    >>> hidden.values.round(2).tolist(), hidden.kept.tolist()
    ([[1.33, 1.7]], [[True, True]])
    """
    values = _checked_contexts(contexts)
    rate = checked_real("rate", rate, *RATE_RANGE)
    noise = checked_real("noise", noise, 0.0, LARGEST_VALUE)
    nothing_kept = checked_real("nothing_kept", nothing_kept, -LARGEST_VALUE, LARGEST_VALUE)
    shown = _shown(known, values.shape)
    if np.abs(values[shown]).max(initial=0.0) > LARGEST_VALUE:
        allowed = f"values must be at most {LARGEST_VALUE:.3g} in size"
        raise ScenarioError("contexts", "too large", allowed)
    source = SystemEntropy() if rng is None else rng
    kept = shown & coins(rate, values.size, source).reshape(values.shape)
    noisy = np.where(kept, noisy_values(np.where(shown, values, 0.0), noise, source), 0.0)
    count = kept.sum(axis=1, keepdims=True)
    mean = noisy.sum(axis=1, keepdims=True) / np.maximum(count, 1)
    filling = np.where(count > 0, mean, nothing_kept)
    return HiddenContexts(values=np.where(kept, noisy, np.where(shown, filling, 0.0)), kept=kept)


def pulled_to_mean(hidden: HiddenContexts, share: float) -> HiddenContexts:
    """Return hidden contexts whose kept values lie nearer to their mean.

    ``share``, public and from 0 to 1, is of each kept value's way to the mean of all. It reads what
    is hidden already, so it costs no privacy. With much noise a forecast gains.

    >>> kept = np.array([[True, True, False]])
    >>> hidden = HiddenContexts(values=np.array([[2.0, 6.0, 4.0]]), kept=kept)
    >>> pulled_to_mean(hidden, 0.5).values.tolist()
    [[3.0, 5.0, 4.0]]
    """
    share = checked_real("share", share, 0.0, 1.0)
    count = hidden.kept.sum(axis=1, keepdims=True)
    mean = np.where(hidden.kept, hidden.values, 0.0).sum(axis=1, keepdims=True)
    mean = mean / np.maximum(count, 1)
    nearer = hidden.values + share * (mean - hidden.values)
    return HiddenContexts(values=np.where(hidden.kept, nearer, hidden.values), kept=hidden.kept)


def forecasts_of_hidden(
    forecaster: Forecaster,
    parameters: FloatArray,
    hidden: HiddenContexts,
    levels: FloatArray,
    *,
    lowest: float | None = None,
    highest: float | None = None,
) -> FloatArray:
    """Return forecasts that read hidden contexts and nothing else, shape (windows, L_F, levels).

    The forecaster scales each window by what the window shows: here, by noisy values.

    Args:
        forecaster: trained without these series, or privately, which is then a second budget.
        levels: of the quantiles, shape (levels,).
        lowest: what is known of all values beforehand, such as 0; forecasts below become it. As
            ``highest`` is from above.
    """
    quantiles = forecaster.quantiles(parameters, hidden.values, levels)
    if lowest is not None or highest is not None:
        quantiles = np.clip(quantiles, lowest, highest)
    return quantiles


def _checked_contexts(contexts: npt.ArrayLike) -> FloatArray:
    try:
        values = np.array(contexts, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ScenarioError("contexts", None, "they must be numbers") from None
    if values.ndim != 2 or 0 in values.shape:
        raise ScenarioError(
            "contexts", f"shape {values.shape}", "it must have the shape (windows, L_C)"
        )
    return checked_finite("contexts", values)


def _shown(known: npt.ArrayLike | None, shape: tuple[int, ...]) -> BoolArray:
    """Return which places hold a series' own values."""
    windows, length = shape
    if known is None:
        return np.ones(shape, dtype=np.bool_)
    counts = np.asarray(known)
    is_whole = np.issubdtype(counts.dtype, np.integer)
    if counts.shape != (windows,) or not is_whole or (counts < 0).any() or (counts > length).any():
        raise ScenarioError(
            "known", str(counts)[:60], f"it must be {windows:,} whole numbers from 0 to {length:,}"
        )
    return np.asarray(np.arange(length) >= length - counts[:, np.newaxis])
