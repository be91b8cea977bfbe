"""What all questions of the study have in common: data, models, and how they are trained."""

from dataclasses import dataclass

from dpviz.training.panel_source import GeneratedSource, M3Source, PanelSource

PLAN = 1
"""Number of this plan: a change of anything that decides a run makes it another one."""

CONTEXT_LENGTH, FORECAST_LENGTH = 24, 6
"""L_C and L_F: two seasons, and half of one."""
BATCH_SIZE = 64
STEPS = 500
DELTA = 1e-7
"""As in the main paper, and less than one over the number of values."""
CLIPPING_NORM = 1.0
SEEDS = tuple(range(1, 11))
MARGIN = 0.02
"""A difference that does not matter, as a part of the seasonal naive forecast's CRPS."""
CONFIDENCE = 0.95
WITHOUT_PRIVACY = float("inf")
"""Stands for epsilon where no noise is added and no gradient clipped."""


@dataclass(frozen=True, kw_only=True)
class StudyData:
    """Series that are forecast.

    Args:
        name: as on the command line.
        source: where they come from.
        max_change: v, the largest change of a value that noise on labels is measured in; about a
            hundredth of a usual value.
        text: what they are.
    """

    name: str
    source: PanelSource
    max_change: float
    text: str


DATA: dict[str, StudyData] = {
    data.name: data
    for data in (
        StudyData(
            name="generated",
            source=GeneratedSource(num_series=1_000, length=240, period=12, seed=1),
            max_change=1.0,
            text="1,000 made-up series of 240 months with trend, seasons and noise",
        ),
        StudyData(
            name="m3",
            source=M3Source(),
            max_change=40.0,
            text="the 474 monthly microeconomic series of the M3 competition, 68 to 126 months "
            "each (Makridakis and Hibon, 2000)",
        ),
    )
}

LEARNING_RATES: dict[str, float] = {"linear": 0.002, "feedforward": 0.001}
"""Of each model, and of Adam. Chosen by ``bench/training_study_pilot.py``, without any private run
and on series of another seed than those of the study."""
