"""Which options there are, and what each of them allows, in words."""

from dpviz.command_line.option import Group, Option, number, real, text, whole
from dpviz.scenario.data import LARGEST_COUNT, LONGEST_WINDOW, SMALLEST_RATE
from dpviz.scenario.mechanism import (
    BOTTOM_LEVELS,
    LARGEST_AUGMENTATION,
    LARGEST_BATCH,
    MOST_STEPS,
    MOST_SUBSEQUENCES,
    NOISE_MULTIPLIER_RANGE,
    TOP_LEVELS,
)
from dpviz.scenario.relation import (
    LARGEST_CHANGE,
    LEVELS,
    MOST_CHANNELS,
    SMALLEST_CHANGE,
    WIDEST_RELATION,
)
from dpviz.scenario.scenario import DELTA_RANGE

EPSILON_RANGE = (0.0, 1e9)
SHARE_RANGE = (0.0, 1.0)
TARGET_EPSILON_RANGE = (1e-9, 1e9)
LARGEST_SEED = 2**63 - 1
SOUGHT = {
    "noise-multiplier": "noise_multiplier",
    "steps": "steps",
    "epochs": "epochs",
    "batch-size": "batch_size",
    "subsequences": "num_subsequences",
    "forecast-noise": "forecast_noise",
}
COMMANDS = {
    "delta": "delta at given epsilons",
    "epsilon": "epsilon at given deltas",
    "risk": "how often attackers are right: at most, and at least",
    "calibrate": "the noise, or another quantity, that just meets a target",
    "train": "a small forecaster, trained privately on made-up series or a file's, within a budget",
    "simulate": "draw batches and count the windows that contain one individual's values",
    "statement": "a privacy statement for a paper or a model card, as Markdown",
    "report": "the statement with chart and tables, as one HTML file",
    "forecast-study": "what protecting the series themselves does to forecasts of them",
    "inference-study": "what hiding what a forecast reads does to the forecast",
    "training-study": "what privacy costs in accuracy: four questions, and what runs answer",
    "multistage": "delta of episodes that are drawn in stages: units, then units within them",
    "release": "one series of counts with noise, or how much noise it needs",
    "sweep": "what is proven about many scenarios, as a table",
    "ledger": "what several training runs on the same data give away together",
}
# These know no scenario: all their options are their own.
WITHOUT_SCENARIO = ("multistage", "release", "forecast-study", "inference-study", "training-study")
# These answer with a text of their own instead of numbers.
DOCUMENTS = ("statement", "report")
# These read all their scenarios from a file, which is given without an option.
FILES = {"sweep": ("grid", "GRID"), "ledger": ("runs", "RUNS.json")}
# Fields of a scenario whose options have other names.
SHORT_NAMES = {"num_subsequences": "--subsequences", "num_channels": "--channels"}
# What simulate draws depends on none of these.
NOT_SIMULATED = (
    "noise_multiplier", "context_noise", "forecast_noise", "steps", "epochs", "num_channels",
    "max_change",
)  # fmt: skip


def option_of(field: str) -> str:
    """Return the option for a field of a scenario or a command's own argument."""
    return SHORT_NAMES.get(field, "--" + field.replace("_", "-"))


def options_of(command: str) -> list[Group]:
    """Return a command's options, in groups with a title; its own have none."""
    if command == "train":
        from dpviz.command_line.training_options import TRAIN  # made of what stands above

        return [*TRAIN, *_SCENARIO]
    if command == "multistage":
        from dpviz.command_line.staged_options import STAGED  # made of what stands above

        return STAGED
    if command == "release":
        from dpviz.command_line.release_options import RELEASE  # made of what stands above

        return RELEASE
    if command == "forecast-study":
        from dpviz.command_line.study_options import STUDY  # made of what stands above

        return STUDY
    if command == "inference-study":
        from dpviz.command_line.inference_study_options import INFERENCE_STUDY  # likewise

        return INFERENCE_STUDY
    if command == "training-study":
        from dpviz.command_line.training_study_options import TRAINING_STUDY  # likewise

        return TRAINING_STUDY
    if command in FILES:
        from dpviz.command_line.file_options import OF_FILES  # made of what stands above

        return OF_FILES[command]
    own: list[Group] = [("", _OWN[command])]
    return own if command in WITHOUT_SCENARIO else [*own, *_SCENARIO]


_COUNT, _RATE = whole(1, LARGEST_COUNT), real(SMALLEST_RATE, 1.0)
_STEPS, _DELTA = whole(1, MOST_STEPS), real(*DELTA_RANGE)
_WINDOW_NOISE = real(0.0, LARGEST_AUGMENTATION)
_SIGMA_UNIT = "standard deviation in units of --max-change, not of the data (0 if absent)"
_ABSENT_DELTA = "1e-7 if absent, or that of the saved scenario"
_DRAWN = [level for level in TOP_LEVELS if level != "flat"]
_SCENARIO: list[Group] = [
    (
        "a saved scenario",
        [
            text(
                "scenario",
                "FILE.json",
                "instead of all options below; this program's own --json output will do",
                "the path of a JSON file",
            )
        ],
    ),
    (
        "data: a shape, or two rates",
        [
            number("num_series", "N", "number of series", _COUNT),
            number(
                "series_length",
                "L",
                "values in each series; of series of several lengths, every distinct length "
                "once: the worst of them is used",
                _COUNT,
                many=True,
            ),
            number(
                "context_length",
                "L_C",
                "past values that one window reads",
                whole(0, LONGEST_WINDOW),
            ),
            number(
                "forecast_length",
                "L_F",
                "values that one window predicts",
                whole(1, LONGEST_WINDOW),
            ),
            number("top_rate", "RHO", "probability that a series is in a batch", _RATE),
            number("bottom_rate", "R", "probability that its window touches the individual", _RATE),
            number(
                "steps_per_epoch",
                "S",
                "beside rates (if absent the most there can be, 1 / RHO)",
                _COUNT,
            ),
            number(
                "forecast_share",
                "PHI",
                "beside rates and noise on windows: L_F / (L_C + L_F)",
                real(0.0, 1.0),
            ),
        ],
    ),
    (
        "sampling, noise and training",
        [
            number("batch_size", "LAMBDA", "windows in a batch", whole(1, LARGEST_BATCH)),
            number(
                "num_subsequences",
                "n",
                "windows from each drawn series (1 if absent)",
                whole(1, MOST_SUBSEQUENCES),
            ),
            text(
                "top_level",
                "HOW",
                "without-replacement (if absent), deterministic, shuffled, or poisson: each series "
                "by a coin of its own",
                f"one of {', '.join(_DRAWN)}",
            ),
            text(
                "bottom_level",
                "HOW",
                " (if absent) or ".join(BOTTOM_LEVELS),
                f"one of {', '.join(BOTTOM_LEVELS)}",
            ),
            number(
                "noise_multiplier",
                "SIGMA",
                "noise on the sum of clipped gradients: standard deviation in clipping norms",
                real(*NOISE_MULTIPLIER_RANGE),
            ),
            number("context_noise", "SIGMA_C", f"noise on contexts: {_SIGMA_UNIT}", _WINDOW_NOISE),
            number("forecast_noise", "SIGMA_F", f"noise on labels: {_SIGMA_UNIT}", _WINDOW_NOISE),
            number("steps", "COUNT", "training steps", _STEPS),
            number(
                "epochs", "COUNT", "or passes over all series (--flat: over all windows)", _STEPS
            ),
        ],
    ),
    (
        "who is protected",
        [
            text(
                "relation",
                "LEVEL",
                "event: values in a row (if absent), or user: values anywhere in the series",
                f"one of {', '.join(LEVELS)}",
            ),
            number(
                "relation_width",
                "w",
                "how many values of one series may change (1 if absent): in a row for event, "
                "anywhere in the series for user",
                whole(1, WIDEST_RELATION),
            ),
            number(
                "num_channels", "D", "values per time step (1 if absent)", whole(1, MOST_CHANNELS)
            ),
            number(
                "max_change",
                "v",
                "largest change of one value, in the data's unit, and the unit of the noise on "
                "windows (no limit if absent, and without such noise)",
                real(SMALLEST_CHANGE, LARGEST_CHANGE),
            ),
        ],
    ),
]
_FILE, _URL = "the path of a file", "an address that begins with https://"
_AT_DELTA = number("delta", "D", f"where epsilon is quoted ({_ABSENT_DELTA})", _DELTA)
_APP = text("base_url", "URL", "the app's address, for links into it (no links if absent)", _URL)
_OWN: dict[str, list[Option]] = {
    "delta": [number("epsilon", "E", "one or more epsilons", real(*EPSILON_RANGE), many=True)],
    "epsilon": [number("delta", "D", f"one or more deltas ({_ABSENT_DELTA})", _DELTA, many=True)],
    "risk": [
        number(
            "false_positive_rate",
            "F",
            "one or more shares of false alarms",
            real(*SHARE_RANGE),
            many=True,
        )
    ],
    "calibrate": [
        number("target_epsilon", "E", "epsilon to meet", real(*TARGET_EPSILON_RANGE)),
        number("target_delta", "D", f"delta to meet it at ({_ABSENT_DELTA})", _DELTA),
        text(
            "find",
            "WHAT",
            f"what to leave open: {', '.join(SOUGHT)} (the first if absent)",
            f"one of {', '.join(SOUGHT)}",
        ),
    ],
    "simulate": [
        number("batches", "B", "how many batches to draw", _STEPS),
        number(
            "seed",
            "S",
            "the same seed gives the same counts (0 if absent)",
            whole(0, LARGEST_SEED),
        ),
    ],
    "statement": [
        _AT_DELTA,
        text("output", "FILE.md", "where to write it (standard output if absent)", _FILE),
        _APP,
    ],
    "report": [_AT_DELTA, text("output", "FILE.html", "where to write it", _FILE), _APP],
}
