"""The quantities of a scenario, and those that controls set in their place.

Their meaning is in the glossary, by the terms whose ``fields`` name them.
"""

from dpviz.scenario import mechanism, relation
from dpviz.scenario.data import LARGEST_COUNT, LONGEST_WINDOW, SMALLEST_RATE
from dpviz.scenario.scenario import DELTA_RANGE
from dpviz.settings import grids
from dpviz.settings.setting import Option, Setting, slider, themselves

_COUNT = (1, LARGEST_COUNT)
_RATE = (SMALLEST_RATE, 1.0)
_SIGMA_UNIT = "standard deviation in units of --max-change, not of the data (0 if absent)"
_OF_DATA = (
    Setting(
        name="num_series",
        label="Series",
        symbol="N",
        noun="series",
        limits=_COUNT,
        option=Option("N", "number of series"),
    ),
    Setting(
        name="series_length",
        label="Series length",
        symbol="L",
        limits=_COUNT,
        option=Option(
            "L",
            "values in each series; of series of several lengths, every distinct length once: the "
            "worst of them is used",
            many=True,
        ),
    ),
    Setting(
        name="longer_series_beyond",
        label="All series lengths listed up to",
        noun="all lengths up to",
        unit="start positions",
    ),
    Setting(
        name="context_length",
        label="Context length",
        symbol="L_C",
        noun="context",
        unit="values",
        limits=(0, LONGEST_WINDOW),
        option=Option("L_C", "past values that one window reads"),
    ),
    Setting(
        name="forecast_length",
        label="Forecast length",
        symbol="L_F",
        noun="forecast",
        unit="values",
        limits=(1, LONGEST_WINDOW),
        option=Option("L_F", "values that one window predicts"),
    ),
    Setting(
        name="top_rate",
        label="Top-level rate",
        symbol="ρ",
        noun="rate",
        limits=_RATE,
        **slider(grids.TOP_RATES, "more private", "larger batches"),
        option=Option("RHO", "probability that a series is in a batch"),
    ),
    Setting(
        name="bottom_rate",
        label="Bottom-level rate",
        symbol="r",
        noun="rate",
        limits=_RATE,
        **slider(grids.BOTTOM_RATES, "more private", "longer windows"),
        option=Option("R", "probability that its window touches the individual"),
    ),
    Setting(
        name="steps_per_epoch",
        label="Steps per epoch",
        limits=_COUNT,
        option=Option("S", "beside rates (if absent the most there can be, 1 / RHO)"),
    ),
    Setting(
        name="forecast_share",
        label="Forecast share",
        symbol="φ",
        limits=(0.0, 1.0),
        option=Option("PHI", "beside rates and noise on windows: L_F / (L_C + L_F)"),
    ),
    Setting(name="touched_windows", label="Touched windows", symbol="k"),
    Setting(name="start_positions", label="Start positions", symbol="T"),
)
_OF_TRAINING = (
    Setting(
        name="batch_size",
        label="Batch size",
        symbol="Λ",
        noun="batch",
        unit="windows",
        limits=(1, mechanism.LARGEST_BATCH),
        option=Option("LAMBDA", "windows in a batch"),
    ),
    Setting(
        name="num_subsequences",
        label="Windows per series",
        symbol="λ",
        noun="windows",
        limits=(1, mechanism.MOST_SUBSEQUENCES),
        **slider(grids.WINDOWS, "more series", "more windows"),
        option=Option("n", "windows from each drawn series (1 if absent)", name="--subsequences"),
    ),
    Setting(
        name="top_level",
        label="How series are chosen for a batch",
        help="Anew for each step (at random, by coins), at most once an epoch (in order, "
        "shuffled, in bins), or all windows alike (one bag).",
        term="top-level",
        choices=themselves(*mechanism.TOP_LEVELS),
        option=Option(
            "HOW",
            "without-replacement (if absent), deterministic, shuffled, bins: each series in one "
            "batch of an epoch, at random and by itself, or poisson: each series by a coin of its "
            "own",
            without=("flat",),  # --flat
        ),
    ),
    Setting(
        name="bottom_level",
        label="How windows are chosen",
        help="A fixed number: exactly λ windows of each chosen series (one bag: Λ in all). By "
        "coins: so many on average; the number must stay secret.",
        term="bottom-level",
        choices=themselves(*mechanism.BOTTOM_LEVELS),
        option=Option("HOW", " (if absent) or ".join(mechanism.BOTTOM_LEVELS)),
    ),
    Setting(
        name="noise_multiplier",
        label="Noise multiplier",
        symbol="σ",
        noun="noise",
        limits=mechanism.NOISE_MULTIPLIER_RANGE,
        **slider(grids.NOISE_MULTIPLIERS, "more accurate", "more private"),
        option=Option(
            "SIGMA", "noise on the sum of clipped gradients: standard deviation in clipping norms"
        ),
    ),
    Setting(
        name="context_noise",
        label="Noise on context",
        symbol="σ_C",
        noun="noise",
        unit="units of v",
        limits=(0.0, mechanism.LARGEST_AUGMENTATION),
        **slider(grids.AUGMENTATIONS, "none", "more private"),
        option=Option("SIGMA_C", f"noise on contexts: {_SIGMA_UNIT}"),
    ),
    Setting(
        name="forecast_noise",
        label="Noise on labels",
        symbol="σ_F",
        noun="noise",
        unit="units of v",
        limits=(0.0, mechanism.LARGEST_AUGMENTATION),
        **slider(grids.AUGMENTATIONS, "none", "more private"),
        option=Option("SIGMA_F", f"noise on labels: {_SIGMA_UNIT}"),
    ),
    Setting(
        name="steps",
        label="Training length in steps",
        noun="steps",
        limits=(1, mechanism.MOST_STEPS),
        **slider(grids.COUNTS, "more private", "longer training"),
        option=Option("COUNT", "training steps"),
    ),
    Setting(
        name="epochs",
        label="Training length in epochs",
        noun="epochs",
        limits=(1, mechanism.MOST_STEPS),
        **slider(grids.COUNTS, "more private", "longer training"),
        option=Option("COUNT", "or passes over all series (--flat: over all windows)"),
    ),
)
_OF_RELATION = (
    Setting(
        name="relation",
        label="Protected values",
        choices={"event": "values in a row", "user": "values anywhere"},
        option=Option(
            "LEVEL", "event: values in a row (if absent), or user: values anywhere in the series"
        ),
    ),
    Setting(
        name="relation_width",
        label="How many,",
        symbol="w",
        noun="values",
        limits=(1, relation.WIDEST_RELATION),
        ends=("one value", "the whole series"),
        option=Option(
            "w",
            "how many values of one series may change (1 if absent): in a row for event, anywhere "
            "in the series for user",
        ),
    ),
    Setting(
        name="series_per_person",
        label="Series per person, at most",
        symbol="m",
        noun="series",
        limits=(1, relation.MOST_SERIES_PER_PERSON),
        **slider(grids.COUNTS, "one series", "many series"),
        option=Option("m", "how many series one person may be in (1 if absent)"),
    ),
    Setting(
        name="num_channels",
        label="Values per time step (channels)",
        symbol="D_in",
        shows_symbol=False,
        limits=(1, relation.MOST_CHANNELS),
        option=Option("D", "values per time step (1 if absent)", name="--channels"),
    ),
    Setting(
        name="max_change",
        label="Largest change of a value",
        symbol="v",
        limits=(relation.SMALLEST_CHANGE, relation.LARGEST_CHANGE),
        option=Option(
            "v",
            "largest change of one value, in the data's unit, and the unit of the noise on windows "
            "(no limit if absent, and without such noise)",
        ),
    ),
)
_OF_ANSWERS = (
    Setting(
        name="delta",
        label="Failure probability",
        symbol="δ",
        noun="delta",
        limits=DELTA_RANGE,
        **slider(grids.DELTAS, "stricter", "smaller ε"),
        help="What e to the ε does not cover: the probability of any event may be larger by this "
        "much. Choose it well below one over the number of individuals.",
        term="delta",
    ),
    Setting(name="time_step", label="Time from value to value"),
    Setting(name="value_unit", label="Unit of the values"),
)
# What controls set by the fields that they follow from.
_INDIRECT = (
    Setting(
        name="bag_size",
        label="Windows in the bag",
        symbol="N_total",
        ends=("fewer series", "more series"),
    ),
    Setting(
        name="batch_share", label="Batch ratio", symbol="Λ / N_total", ends=("smaller", "larger")
    ),
    Setting(
        name="window_length",
        label="Window length",
        symbol="L_C + L_F",
        ends=("more private", "longer"),
    ),
    Setting(name="training_unit", label="Count training in"),
    Setting(name="run_name", label="Name of the run"),
)
# In the order and groups of the command line.
OPTION_GROUPS = {
    "data: a shape, or two rates": _OF_DATA,
    "sampling, noise and training": _OF_TRAINING,
    "who is protected": _OF_RELATION,
}
SCENARIO_SETTINGS = {
    one.name: one for one in (*_OF_DATA, *_OF_TRAINING, *_OF_RELATION, *_OF_ANSWERS, *_INDIRECT)
}
