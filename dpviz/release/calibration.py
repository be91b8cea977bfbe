"""The noise that each mechanism needs for a budget, by which theorem."""

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from dpviz.accounting.gaussian import gaussian_delta
from dpviz.release.circular_filter import CircularFilter
from dpviz.release.gaussian import (
    analytic_noise,
    classical_noise,
    filtered_delta,
    filtered_noise,
    is_filter_free,
    smallest_epsilon,
    smallest_noise,
    subsampled_delta,
    subsampled_noise,
)
from dpviz.scenario.errors import ScenarioError
from dpviz.scenario.number_text import number_rounded
from dpviz.scenario.release_settings import (
    ACCOUNTINGS,
    KEEPING_SOME,
    ReleaseSettings,
    checked_accounting,
)


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """The noise of a mechanism, and what it rests on.

    Args:
        accounting: by which argument the noise keeps to the budget.
        noise: standard deviation of what is drawn for each step: for each kept one, and for
            ``dft`` before the projection.
        is_tight: whether less noise would break the budget.
        is_extension: whether the theorem is dpviz's own.
    """

    settings: ReleaseSettings
    mechanism: str
    accounting: str
    noise: float
    theorem: str
    is_tight: bool = False
    is_extension: bool = False

    @property
    def is_filter_free(self) -> bool:
        """Whether the filter costs nothing here: the bound is that of the unfiltered series."""
        settings = self.settings
        return is_filter_free(settings.epsilon, settings.participation, self._noise_of_one)

    @property
    def _noise_of_one(self) -> float:
        """The noise that hides as well who is counted once in a step (docs/release.md)."""
        return self.noise / self.settings.times_per_step

    def delta_at(self, epsilon: float, participation: int | None = None) -> float:
        """Return the least delta that is known for this noise, rounded up.

        ``participation`` is that of whoever it is for; by default the one that was planned for.
        """
        settings = self.settings
        steps = settings.participation if participation is None else participation
        known = self._own_delta(epsilon, steps)
        if steps <= settings.participation and epsilon >= settings.epsilon:
            return min(known, settings.delta)  # by the theorem that the noise is from
        return known

    def _own_delta(self, epsilon: float, steps: int) -> float:
        settings = self.settings
        if self.mechanism == "subsample":
            return subsampled_delta(epsilon, steps, settings.rate, self._noise_of_one)
        if self.mechanism == "filter-subsample":
            return filtered_delta(epsilon, steps, settings.rate, self._noise_of_one)
        # Also of the paper's Fourier baseline: as one vector of twice as many real numbers.
        return float(gaussian_delta(epsilon, math.sqrt(steps) / self._noise_of_one))

    def epsilon_at(self, participation: int) -> float:
        """Return the least epsilon known for somebody who takes part in so many steps, same delta.

        Infinity where there is none. What Proposition 1 is about, by the exact accounting.
        """
        return smallest_epsilon(
            lambda epsilon: self.delta_at(epsilon, participation), self.settings.delta
        )


def calibrated(settings: ReleaseSettings, mechanism: str, accounting: str) -> Calibration:
    """Return the noise with which a mechanism keeps to the budget.

    Raises:
        ScenarioError: no theorem covers the combination, or the budget allows a release without
            noise.

    >>> settings = ReleaseSettings(length=1800, participation=180)
    >>> round(calibrated(settings, "subsample", "exact").noise, 1)
    26.1
    """
    mechanism, accounting = checked_accounting(mechanism, accounting)
    if mechanism in KEEPING_SOME:
        _check_needs_noise(settings)
    way, times = _WAYS[mechanism, accounting], settings.times_per_step
    try:
        noise = way.noise(settings)
    except ScenarioError as problem:
        best = ACCOUNTINGS[mechanism][-1]
        if problem.field != "epsilon" or accounting == best:
            raise
        allowed = f"{problem.allowed}; use the accounting {best}"
        raise ScenarioError("epsilon", settings.epsilon, allowed) from None
    return Calibration(
        settings=settings,
        mechanism=mechanism,
        accounting=accounting,
        # For who is counted so many times in a step, never rounded down.
        noise=noise if times == 1 else math.nextafter(times * noise, math.inf),
        theorem=way.theorem,
        is_tight=way.is_tight,
        is_extension=way.is_extension,
    )


def calibrated_all(settings: ReleaseSettings) -> tuple[Calibration, ...]:
    """Return every mechanism by every accounting that has an answer to these settings."""
    found = []
    for mechanism, accountings in ACCOUNTINGS.items():
        for accounting in accountings:
            with suppress(ScenarioError):
                found.append(calibrated(settings, mechanism, accounting))
    return tuple(found)


def _least(
    settings: ReleaseSettings, delta_of: Callable[[float, int, float, float], float]
) -> float:
    steps, rate = settings.participation, settings.rate
    return smallest_noise(
        lambda noise: delta_of(settings.epsilon, steps, rate, noise),
        settings.delta,
        start=math.sqrt(steps),
    )


def _check_needs_noise(settings: ReleaseSettings) -> None:
    """Refuse a delta that allows some individuals' steps to be published as they are."""
    kept = 1.0
    if settings.rate < 1.0:
        kept = -math.expm1(settings.participation * math.log1p(-settings.rate))
    if settings.delta >= kept:
        # Not rounded to what is refused, too.
        told = number_rounded(kept, 3, up=False)
        raise ScenarioError(
            "delta",
            settings.delta,
            f"it must be less than {told:.3g}, the chance that anything of an individual is "
            "kept: else the guarantee would hold without any noise, and mean nothing",
        )


@dataclass(frozen=True, kw_only=True)
class _Way:
    """How an accounting finds the noise of a mechanism; the fields are those of the calibration.

    The noise is that for who is counted once in a step.
    """

    noise: Callable[[ReleaseSettings], float]
    theorem: str
    is_tight: bool = False
    is_extension: bool = False


_WAYS: dict[tuple[str, str], _Way] = {
    ("gaussian", "classical"): _Way(
        noise=lambda s: classical_noise(s.epsilon, s.delta, math.sqrt(s.participation)),
        theorem="Theorem 1 of Koga et al. (Dwork and Roth)",
    ),
    ("gaussian", "analytic"): _Way(
        noise=lambda s: analytic_noise(s.epsilon, s.delta, math.sqrt(s.participation)),
        theorem="Theorem 8 of Balle and Wang",
        is_tight=True,
    ),
    # Real and imaginary parts are two mechanisms, each with half of the budget.
    ("dft", "paper"): _Way(
        noise=lambda s: classical_noise(s.epsilon, s.delta, math.sqrt(s.participation), parts=2),
        theorem="Theorem 1 of Koga et al., twice, and composition",
    ),
    ("dft", "analytic"): _Way(
        noise=lambda s: analytic_noise(s.epsilon, s.delta, math.sqrt(s.participation)),
        theorem="Theorem 8 of Balle and Wang, for a projection",
    ),
    ("subsample", "paper"): _Way(
        noise=lambda s: subsampled_noise(s.epsilon, s.delta, s.participation, s.rate),
        theorem="Theorem 2 of Koga et al., with corrected Corollary 3",
    ),
    ("subsample", "exact"): _Way(
        noise=lambda s: _least(s, subsampled_delta),
        theorem="the exact mean over the kept steps",
        is_tight=True,
    ),
    ("filter-subsample", "paper"): _Way(
        noise=lambda s: filtered_noise(
            s.epsilon,
            s.delta,
            s.participation,
            s.rate,
            CircularFilter(s.length, s.filter_width),
        ),
        theorem="Theorem 4 of Koga et al., with Tropp's condition",
    ),
    ("filter-subsample", "exact"): _Way(
        noise=lambda s: _least(s, filtered_delta),
        theorem="dpviz's extension for filters",
        is_extension=True,
    ),
}


def proposition_1_epsilon(calibration: Calibration, more_steps: int) -> float | None:
    """Return the epsilon that Proposition 1 prints for c I steps: the planned one times sqrt(c).

    Its delta grows, too. Printed for the bounds of the paper with a filter; ``None`` for others.
    """
    if (calibration.mechanism, calibration.accounting) != ("filter-subsample", "paper"):
        return None
    settings = calibration.settings
    return settings.epsilon * math.sqrt(more_steps / settings.participation)
