"""Which series of counts is released, how, and under which budget."""

from dataclasses import dataclass

from dpviz.settings.grids import evenly, round_counts, round_numbers
from dpviz.settings.setting import ViewPart, choice, number, seed, slider

MOST_RELEASED_STEPS = 50_000
# Mechanism and accounting.
RELEASE_WAYS = {
    "gaussian-classical": "Gaussian, classical",
    "gaussian-analytic": "Gaussian, analytic",
    "dft-paper": "Fourier, as in the paper",
    "dft-analytic": "Fourier, one shot",
    "subsample-paper": "kept steps, paper",
    "subsample-exact": "kept steps, exact",
    "filter-subsample-paper": "filtered, paper",
    "filter-subsample-exact": "filtered, exact",
}


@dataclass(frozen=True, kw_only=True)
class ReleaseView(ViewPart):
    """The series, the mechanism and its budget."""

    release_source: str = choice(
        "synth",
        {
            "synth": "Synth: a sine and a slope",
            "lane": "a road's counts, generated",
            "file": "a file of yours",
        },
        "Series of counts",
        help="A file stays in this session; no link holds it.",
    )
    synth_frequency: float = number(
        1.0,
        (1 / 64, 1.0),
        "Sampling frequency f",
        grid=(*(2.0**-power for power in range(6, 3, -1)), *evenly(0.08, 1.0, 0.01)),
        ends=("rare", "often"),
        help="10,000 steps at 1, half as many at 0.5. One individual is in equally many.",
    )
    synth_noise: float = number(
        0.0,
        (0.0, 1000.0),
        "Observation noise",
        **slider(evenly(0.0, 500.0, 5.0), "clean", "noisy"),
        help="Standard deviation around the true curve, in counts. Errors are against the curve.",
    )
    lane_days: int = number(
        7,
        (1, 35),
        "Days",
        **slider(round_counts(1, 35), "short", "long"),
        help="288 steps of five minutes each.",
    )
    participation: int = number(
        100,
        (1, MOST_RELEASED_STEPS),
        "Steps that one individual is in, at most",
        **slider(round_counts(1, 2000), "few", "many"),
    )
    times_per_step: int = number(
        1,
        (1, 1000),
        "Times that one individual is counted in a step, at most",
        **slider(round_counts(1, 50), "once", "often"),
        help="Twice as often takes twice the noise.",
    )
    release_rate: float = number(
        0.1,
        (0.001, 1.0),
        "Share of steps that are kept p",
        **slider(round_numbers(0.005, 1.0), "few steps", "all"),
    )
    filter_width: float = number(
        10.0,
        (0.01, 1000.0),
        "Width of the filter, in steps",
        **slider(round_numbers(0.5, 100.0), "sharp", "smooth"),
    )
    release_epsilon: float = number(
        0.5,
        (0.001, 100.0),
        "Privacy loss of the release ε",
        **slider(round_numbers(0.01, 10.0), "more private", "more accurate"),
        help="For the whole released series and one individual.",
        term="epsilon",
    )
    release_delta: float = number(
        0.0001,
        (1e-12, 0.1),
        "Failure probability of the release δ",
        **slider(round_numbers(1e-9, 1e-3), "more private", "more accurate"),
        help="For the whole released series.",
        term="delta",
    )
    release_way: str = choice(
        "subsample-exact",
        RELEASE_WAYS,
        "Mechanism and accounting",
        help="All keep the budget, with different amounts of noise.",
    )
    release_repetitions: int = number(
        100,
        (10, 1000),
        "Repetitions",
        **slider(round_counts(10, 1000), "coarse", "fine"),
        help="The mean error's interval shrinks with the root of this number.",
    )
    release_seed: int = seed(
        "Seed of the release", "The same seed gives the same series and the same noise."
    )
    participation_factor: float = number(
        2.0,
        (1.0, 10.0),
        "Takes part more often, times",
        **slider(evenly(1.0, 10.0, 0.1), "as planned", "often"),
        help="The table has the ε of somebody counted so many times more often.",
        term="participation",
    )
