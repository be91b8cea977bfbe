"""The options of ``train`` that are no part of a scenario."""

from dpviz.command_line.option import Group, Option
from dpviz.command_line.options import LARGEST_SEED, TARGET_EPSILON_RANGE
from dpviz.scenario.scenario import DELTA_RANGE

_MODELS = "naive, linear, dlinear, feedforward"
_WINDOWS = "a whole number from 1 to 100"
_COUNT = "a whole number from 1 to 10,000,000"

TRAIN: list[Group] = [
    (
        "",
        [
            Option(
                field="model",
                metavar="MODEL",
                help=f"one of {_MODELS} (linear if absent); naive repeats the last season and is "
                "not trained",
                allowed=f"one of {_MODELS}",
                is_text=True,
            ),
            Option(
                field="data",
                metavar="DATA",
                help="synthetic: made-up series, or the path of a CSV or Parquet file of series",
                allowed="synthetic, or the path of a file",
                is_text=True,
            ),
            Option(
                field="target_epsilon",
                metavar="E",
                help="the budget: training stops before its epsilon would exceed it",
                allowed=f"a number from {TARGET_EPSILON_RANGE[0]:g} to {TARGET_EPSILON_RANGE[1]:g}",
            ),
            Option(
                field="target_delta",
                metavar="D",
                help="delta of the budget (1e-7 if absent, or that of the saved scenario)",
                allowed=f"a number from {DELTA_RANGE[0]:g} to {DELTA_RANGE[1]:g}",
            ),
            Option(
                field="seed",
                metavar="S",
                help="the same seed gives the same model, and tells the noise to whoever knows it: "
                "for tests only (fresh randomness of the operating system if absent)",
                allowed=f"a whole number from 0 to {LARGEST_SEED:,}",
            ),
            Option(
                field="out",
                metavar="DIR",
                help="folder for checkpoints, model, curve and forecasts; an interrupted run of "
                "the same options goes on from there",
                allowed="the path of a folder",
                is_text=True,
            ),
        ],
    ),
    (
        "optimiser and evaluation",
        [
            Option(
                field="optimizer",
                metavar="HOW",
                help="adam (if absent) or sgd",
                allowed="one of adam, sgd",
                is_text=True,
            ),
            Option(
                field="learning_rate",
                metavar="RATE",
                help="step size (0.005 if absent)",
                allowed="a number from 1e-09 to 1e+06",
            ),
            Option(
                field="clipping_norm",
                metavar="C",
                help="norm that each window's gradient is clipped to (1 if absent)",
                allowed="a number from 1e-12 to 1e+12",
            ),
            Option(
                field="evaluate_every",
                metavar="STEPS",
                help="steps between two points of the curve, and two checkpoints (a twentieth of "
                "the steps if absent)",
                allowed=_COUNT,
            ),
            Option(
                field="validation",
                metavar="HOW",
                help="held-out windows before the test: none, curve (if absent: their error is "
                "told, the last parameters are taken) or best (the parameters of the smallest "
                "error are taken). Not part of epsilon",
                allowed="one of none, curve, best",
                is_text=True,
            ),
            Option(
                field="validation_windows",
                metavar="COUNT",
                help="forecasts of each series that are held out before the test (1 if absent)",
                allowed=_WINDOWS,
            ),
            Option(
                field="test_windows",
                metavar="COUNT",
                help="last forecasts of each series, for the test (1 if absent)",
                allowed=_WINDOWS,
            ),
            Option(
                field="period",
                metavar="STEPS",
                help="time steps of a season (12 if absent; that of a file's time step)",
                allowed="a whole number from 1 to 1,000,000",
            ),
        ],
    ),
]
TRAIN_FIELDS = tuple(option.field for _, group in TRAIN for option in group)
