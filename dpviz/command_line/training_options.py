"""The options of ``train``; what it imports is slow to load, and waits until it runs."""

from argparse import Namespace

from dpviz.command_line import command
from dpviz.command_line.shape import LAYOUT
from dpviz.scenario.scenario import DELTA_RANGE, TARGET_EPSILON_RANGE

_MODELS = ("naive", "linear", "dlinear", "feedforward", "recurrent", "attention")


def _run(options: Namespace) -> command.Told:
    from dpviz.command_line.training import train_command

    return train_command(options)


COMMAND = command.Command(
    name="train",
    help="a small forecaster, trained privately on made-up series or a file's, within a budget",
    run=_run,
    settings=(
        command.choice(
            "model",
            "MODEL",
            f"one of {', '.join(_MODELS)} (linear if absent); recurrent and "
            "attention need PyTorch; naive repeats the last season and is not trained",
            _MODELS,
            default="linear",
        ),
        command.path(
            "data",
            "DATA",
            "synthetic: made-up series, or the path of a CSV or Parquet file of series",
            "synthetic, or the path of a file",
        ),
        LAYOUT,
        command.number(
            "target_epsilon",
            "E",
            "the budget: training stops before its epsilon would exceed it",
            TARGET_EPSILON_RANGE,
        ),
        command.number(
            "target_delta", "D", f"delta of the budget ({command.ABSENT_DELTA})", DELTA_RANGE
        ),
        command.seed(
            "the same seed gives the same model, and whoever knows it can subtract the noise: "
            "for tests only (fresh randomness of the operating system if absent)"
        ),
        command.path(
            "out",
            "DIR",
            "folder for checkpoints, model, curve and forecasts; an interrupted run of the "
            "same options goes on from there",
            command.A_FOLDER,
        ),
    ),
    more_settings={
        "optimiser and evaluation": (
            command.choice("optimizer", "HOW", "adam (if absent) or sgd", ("adam", "sgd")),
            command.number("learning_rate", "RATE", "step size (0.005 if absent)", (1e-9, 1e6)),
            command.number(
                "clipping_norm",
                "C",
                "norm that each window's gradient is clipped to (1 if absent)",
                (1e-12, 1e12),
            ),
            command.number(
                "evaluate_every",
                "STEPS",
                "steps between two points of the curve, and two checkpoints (a twentieth of "
                "the steps if absent)",
                (1, 10_000_000),
            ),
            command.choice(
                "validation",
                "HOW",
                "held-out windows before the test: none, curve (if absent: their error is "
                "shown, the last parameters are taken) or best (the parameters of the smallest "
                "error are taken). Not part of epsilon",
                ("none", "curve", "best"),
                default="curve",
            ),
            command.number(
                "validation_windows",
                "COUNT",
                "forecasts of each series that are held out before the test (1 if absent)",
                (1, 100),
            ),
            command.number(
                "test_windows",
                "COUNT",
                "last forecasts of each series, for the test (1 if absent)",
                (1, 100),
                default=1,
            ),
            command.number(
                "period",
                "STEPS",
                "time steps of a season (12 if absent; that of a file's time step)",
                (1, 1_000_000),
            ),
        )
    },
    reads_scenario=True,
    flags={"--no-privacy": "no noise and no clipping: nobody is protected"},
)
