"""The choices of the page that releases one series of counts."""

from dataclasses import dataclass
from typing import ClassVar

from dpviz.scenario.view_part import ViewPart

RELEASED_SERIES = ("synth", "lane", "file")
RELEASE_WAYS = (
    "gaussian-classical",
    "gaussian-analytic",
    "dft-paper",
    "dft-analytic",
    "subsample-paper",
    "subsample-exact",
    "filter-subsample-paper",
    "filter-subsample-exact",
)
SYNTH_FREQUENCIES = (1 / 64, 1.0)
SYNTH_NOISES = (0.0, 1000.0)
LANE_DAYS = (1, 35)
MOST_RELEASED_STEPS = 50_000
PARTICIPATIONS = (1, MOST_RELEASED_STEPS)
KEPT_RATES = (1e-3, 1.0)
FILTER_WIDTHS = (0.01, 1000.0)
RELEASE_EPSILONS = (1e-3, 100.0)
RELEASE_DELTAS = (1e-12, 0.1)
RELEASE_REPETITIONS = (10, 1000)
PARTICIPATION_FACTORS = (1.0, 10.0)
LARGEST_RELEASE_SEED = 10**9


@dataclass(frozen=True, kw_only=True)
class ReleaseView(ViewPart):
    """Which series is released, how, and under which budget.

    Args:
        release_source: the paper's synthetic series, generated counts like a road's, or a file.
        synth_frequency: samples of the synthetic series per unit of time; 10,000 at 1.
        synth_noise: standard deviation of what is observed of it around the truth, in counts.
        lane_days: how many days of counts are generated.
        participation: I, the most steps in which one individual is counted.
        release_rate: p, the probability with which each step is kept.
        filter_width: standard deviation of the filter's bell, in steps.
        release_epsilon: of the whole release.
        release_delta: likewise.
        release_way: mechanism and accounting of the release that is drawn.
        release_repetitions: how often each mechanism is tried.
        release_seed: of the series and the noise; the same seed gives the same ones.
        participation_factor: how many times more often somebody takes part than was planned.

    Raises:
        ScenarioError: a value is not allowed.
    """

    CHOICES: ClassVar = {"release_source": RELEASED_SERIES, "release_way": RELEASE_WAYS}
    INTEGERS: ClassVar = {
        "lane_days": LANE_DAYS,
        "participation": PARTICIPATIONS,
        "release_repetitions": RELEASE_REPETITIONS,
        "release_seed": (0, LARGEST_RELEASE_SEED),
    }
    RANGES: ClassVar = {
        "synth_frequency": SYNTH_FREQUENCIES,
        "synth_noise": SYNTH_NOISES,
        "release_rate": KEPT_RATES,
        "filter_width": FILTER_WIDTHS,
        "release_epsilon": RELEASE_EPSILONS,
        "release_delta": RELEASE_DELTAS,
        "participation_factor": PARTICIPATION_FACTORS,
    }

    release_source: str = "synth"
    synth_frequency: float = 1.0
    synth_noise: float = 0.0
    lane_days: int = 7
    participation: int = 100
    release_rate: float = 0.1
    filter_width: float = 10.0
    release_epsilon: float = 0.5
    release_delta: float = 1e-4
    release_way: str = "subsample-exact"
    release_repetitions: int = 100
    release_seed: int = 1
    participation_factor: float = 2.0
