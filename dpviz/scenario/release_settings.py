"""What is released, under which budget: checked once, where it enters."""

from dataclasses import dataclass

from dpviz.scenario.errors import ScenarioError, checked_choice, keep_integer, keep_real

ACCOUNTINGS = {
    "gaussian": ("classical", "analytic"),
    "dft": ("paper", "analytic"),
    "subsample": ("paper", "exact"),
    "filter-subsample": ("paper", "exact"),
}
MECHANISMS = tuple(ACCOUNTINGS)
OWN_SETTINGS: dict[str, tuple[str, ...]] = {
    "gaussian": (),
    "subsample": ("rate",),
    "filter-subsample": ("rate", "filter_width"),
    "dft": ("coefficients",),
}
"""What a mechanism makes use of and others may not."""
KEEPING_SOME = tuple(name for name, own in OWN_SETTINGS.items() if "rate" in own)
ALL_ACCOUNTINGS = ("classical", "analytic", "paper", "exact")
LONGEST_SERIES = 1_000_000
MOST_PER_STEP = 10_000
RATE_RANGE = (1e-6, 1.0)
FILTER_RANGE = (0.01, 1e5)
EPSILON_RANGE = (1e-4, 1e3)
DELTA_RANGE = (1e-15, 0.5)
PAPER_COEFFICIENTS = 30


@dataclass(frozen=True, kw_only=True)
class ReleaseSettings:
    """One series of counts, and the budget of its release.

    Args:
        length: T, number of steps of the series; it is public.
        participation: I, the most steps in which one individual is counted.
        times_per_step: M, how often an individual is counted in one of them, at most.
        rate: p, the probability with which each step is kept.
        filter_width: sigma_g, standard deviation of the Gaussian filter, in steps.
        coefficients: of the Fourier transform that are released, both signs of frequencies counted.
    """

    length: int
    participation: int
    times_per_step: int = 1
    epsilon: float = 0.5
    delta: float = 1e-4
    rate: float = 0.1
    filter_width: float = 10.0
    coefficients: int = PAPER_COEFFICIENTS

    def __post_init__(self) -> None:
        keep_integer(self, "length", 1, LONGEST_SERIES)
        keep_integer(self, "participation", 1, self.length)  # nobody is in more steps than exist
        keep_integer(self, "times_per_step", 1, MOST_PER_STEP)
        keep_real(self, "epsilon", *EPSILON_RANGE)
        keep_real(self, "delta", *DELTA_RANGE)
        keep_real(self, "rate", *RATE_RANGE)
        keep_real(self, "filter_width", *FILTER_RANGE)
        # The paper's number stands for all that a shorter series has.
        keep_integer(self, "coefficients", 1, max(self.length, PAPER_COEFFICIENTS))


def checked_accounting(mechanism: object, accounting: object) -> tuple[str, str]:
    """Return a mechanism and an accounting that has a theorem for it, or raise ScenarioError."""
    known = checked_choice("mechanism", mechanism, MECHANISMS)
    allowed = ACCOUNTINGS[known]
    if accounting not in allowed:
        raise ScenarioError(
            "accounting", accounting, f"for {known} it must be one of {', '.join(allowed)}"
        )
    return known, str(accounting)
