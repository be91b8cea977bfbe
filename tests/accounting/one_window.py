"""Bounds on steps that draw one window of each series."""

from dpviz.guarantees import Bound, Guarantee, sampled_top_level


def drawn(rate: float, sigma: float, steps: int) -> Guarantee:
    """Return Theorem 4.4's bounds on steps each of which touches the individual at a rate."""
    return sampled_top_level(bottom_rate=rate, top_rate=1.0, noise_multiplier=sigma, steps=steps)


def both(rate: float, sigma: float, steps: int) -> tuple[Bound, Bound]:
    """Return the upper and the lower one."""
    guarantee = drawn(rate, sigma, steps)
    assert guarantee.lower is not None
    return guarantee.upper, guarantee.lower
