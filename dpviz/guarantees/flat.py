"""All windows in one bag, as common data loaders build it: Propositions C.1, C.2 and dpviz's 4."""

from dataclasses import replace
from math import expm1, log1p

from dpviz.guarantees.bound import Guarantee, Kind, Unit
from dpviz.guarantees.pairs import DominatingPair, ShiftedMixturePair
from dpviz.guarantees.weights import binomial_law, hypergeometric_law
from dpviz.guarantees.with_replacement import coupled_counts, touched_mixture

POISSON_BAG = "dpviz's extension: the theorem's pair for one bag in place of one series"


def one_bag(
    *,
    num_windows: int,
    batch_size: int,
    touched_windows: int,
    noise_multiplier: float,
    steps: int,
    is_exact: bool = True,
) -> Guarantee:
    """Return what is proven about batches of fixed size, drawn from all windows.

    Formal guarantee: with H = Hypergeometric(N_total, k, Lambda), for one *step* and one
    individual, who is in k windows, the profile is at most that of the coupled counts of H at
    distances 2i (Proposition 4), and at least H(MoG(2i, H) || N(0)) (C.2, printed "per epoch", but
    it is per step). That of one record equals Thm 4.2's at rate Lambda / N_total (C.1).

    Args:
        num_windows: N_total, or less.
        batch_size: Lambda, at most N_total.
        touched_windows: k, or more.
        is_exact: whether N_total and k are the numbers themselves; else no lower bound is stated.
    """
    law = hypergeometric_law(num_windows, touched_windows, batch_size)
    upper: tuple[str, DominatingPair] = ("dpviz 4", coupled_counts(law, noise_multiplier))
    if touched_windows == 1:  # who is in one window only is one record
        rate = batch_size / num_windows
        upper = "C.1", ShiftedMixturePair(rate=rate, noise_multiplier=noise_multiplier)
    attained = touched_mixture(law, noise_multiplier, reflected=False)
    found = Guarantee.between(Unit.STEP, steps, upper, ("C.2", attained))
    if not is_exact:
        return replace(found, lower=None)
    if touched_windows > 1:
        return found
    return replace(found, upper=replace(found.upper, kind=Kind.TIGHT))


def one_bag_by_coins(
    *,
    num_windows: int,
    batch_size: int,
    touched_windows: int,
    noise_multiplier: float,
    steps: int,
    is_exact: bool = True,
) -> Guarantee:
    """Return what is proven about batches into which each window comes by a coin of its own.

    Formal guarantee: with p = Lambda / N_total, for one *step* and one individual in k windows the
    profile equals H(MoG(-i, B(k, p)) || MoG(i, B(k, p))): Thm E.8 for the bag in place of a
    series. Arguments as for :func:`one_bag`, but that k may be above N_total where these are not
    the numbers themselves.
    """
    rate = batch_size / num_windows
    if touched_windows > num_windows:
        rate = _rate_of_more(num_windows, batch_size, touched_windows)
    pair = touched_mixture(binomial_law(touched_windows, rate), noise_multiplier, reflected=True)
    found = Guarantee.tight("E.8", Unit.STEP, steps, pair, extension=POISSON_BAG)
    if is_exact:
        return found
    return Guarantee(upper=replace(found.upper, kind=Kind.UPPER), lower=None)


def _rate_of_more(num_windows: int, batch_size: int, most_touched: int) -> float:
    """Return a rate at which so many touched windows have at least the true number of hits.

    The bag has N windows or more, k of which are touched, up to n > N. As if points fell on
    windows: Binomial(k, Lambda / max(N, k)) is the number of those that are hit by -k ln(1 - Lambda
    / max(N, k)) points on average. That is the most for k = N, and as many points hit more of n
    windows (docs/tighter-bounds.md, Proposition 4).
    """
    if batch_size == num_windows:
        return 1.0
    points = -num_windows * log1p(-batch_size / num_windows)
    return min(1.0, -expm1(-points / most_touched) * (1.0 + 1e-12))
