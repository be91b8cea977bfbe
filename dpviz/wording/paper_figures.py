"""What the paper's figures, panels and runs are called, what is printed, and orders over steps."""

from collections.abc import Callable, Sequence

from dpviz.guarantees import Kind
from dpviz.planning.paper_figures.families import Family, Figure, Panel, Value
from dpviz.planning.paper_figures.lines import StepsRun, StepsVerdict, steps_verdict
from dpviz.scenario import Rates, Scenario, Training
from dpviz.wording.hit_laws import windows_label
from dpviz.wording.label_noise import sigma_text
from dpviz.wording.markup import DELTA_OVER_STEPS, chart_description, markdown_table
from dpviz.wording.numbers import counted, counted_in, listed, rounded, rounded_down, rounded_up
from dpviz.wording.scope import protected_in, run_length
from dpviz.wording.subsequences import epsilon_text, scenario_label
from dpviz.wording.theorems import bound_label, named_theorems
from dpviz.wording.top_levels import LABELS as TOP_LEVELS

PAPER = (
    "Schuchardt et al., *Privacy Amplification by Structured Subsampling for Deep Differentially "
    "Private Time Series Forecasting*"
)
_SUBJECTS = {
    Family.WINDOWS: "windows per series",
    Family.TOP_LEVELS: "sample series, or walk through them",
    Family.LABEL_NOISE: "noise on labels",
    Family.EPOCH_LENGTH: "windows per series, walked through",
    Family.ONE_BAG: "one bag, or series first",
}
# What the panels along an axis differ in.
AXIS_NAMES = {
    "length": "After",
    "rates": "Rates",
    "bottom_rate": "Rate of the windows",
    "epsilon": "δ at",
    "num_windows": "Windows in all",
    "batch_share": "Share of them in a batch",
}
_OPTIONS: dict[str, Callable[[Value], str]] = {
    "bottom_rate": lambda value: f"r = {value}",
    "epsilon": lambda value: f"ε = {value:g}",
    "num_windows": lambda value: f"{value:,}",
    "batch_share": lambda value: f"{value}",
}
# Behind a value that does not say what it is of.
_OF_WHAT = {"num_windows": " windows in all", "batch_share": " of them in a batch"}
# What the legend's words for the lines mean.
LINE_KINDS = {
    Kind.UPPER: "Upper: proven upper bound.",
    Kind.TIGHT: "Tight: upper and attained lower bound at once.",
    Kind.LOWER: "Lower: lower bound, attained by some model.",
    Kind.UNPROVEN: "Paper: composed as in the paper, proven neither way.",
}
THIN = "Thin: lower bound, attained by some model."
STEPS_LINES = (
    f"{LINE_KINDS[Kind.UPPER]} {LINE_KINDS[Kind.UNPROVEN].removesuffix('.')}, but after a single "
    f"epoch an attained lower bound. {THIN}"
)


def figure_name(figure: Figure) -> str:
    """Return a figure's number with what it is about."""
    name = f"Figure {figure.number}: {_SUBJECTS[figure.family]}"
    rates = figure.axes.get("rates", ())
    if len(rates) > 1:
        return f"{name}, {len(rates)} pairs of rates"
    in_the_text = figure.section.startswith("Section")
    return f"{name}, {option_name('rates', rates[0])}" if rates and not in_the_text else name


def option_name(name: str, value: Value) -> str:
    """Return one value of an axis in words."""
    if isinstance(value, Training):
        return counted_in(value.count, value.unit)
    if isinstance(value, tuple):
        return f"r = {value[0]}, Λ/N = {value[1]}"
    return _OPTIONS[name](value)


def run_name(panel: Panel, scenario: Scenario) -> str:
    """Return one run's name among those of its panel; without a comma, for tables."""
    if panel.family is Family.TOP_LEVELS:
        return TOP_LEVELS[scenario.sampling.is_walk_in_order]
    if panel.family is Family.LABEL_NOISE:
        if isinstance(scenario.data, Rates):
            return "no forecast (L_F → 0)"
        noise = scenario.noise.forecast_noise
        return f"σ_F = {sigma_text(noise)}" if noise else "no noise"
    if panel.family is Family.ONE_BAG:
        way = "one bag of" if scenario.sampling.is_bag else "series first with"
        return f"{way} windows of {short_name(panel, scenario)}"
    return scenario_label(scenario)


def short_name(panel: Panel, scenario: Scenario) -> str:
    """Return what a run's line is called in the legend, below its title."""
    if panel.family in (Family.WINDOWS, Family.EPOCH_LENGTH):
        return str(scenario.sampling.num_subsequences)
    if panel.family is Family.ONE_BAG:
        return counted(scenario.given_shape.window_length, "value")
    return run_name(panel, scenario)


# What the names in the legend stand for.
LEGEND_TITLES = {
    Family.WINDOWS: "Windows per series λ",
    Family.EPOCH_LENGTH: "Windows per series λ",
    Family.TOP_LEVELS: "Series",
    Family.LABEL_NOISE: "Noise on labels σ_F",
    Family.ONE_BAG: "Length of a window",
}
# What the paper says about a family's panels, in our words.
_PRINTED = {
    Family.WINDOWS: "one window per series has the smaller δ at every ε from 0.001 to 1,000, "
    "already after 100 steps.",
    Family.TOP_LEVELS: "drawing series at random is the more private way, after 1 step, after 1 "
    "epoch and after 10 epochs.",
    Family.LABEL_NOISE: "more noise on labels amplifies privacy like a shorter forecast; unlimited "
    "noise is as good as no forecast at all.",
    Family.EPOCH_LENGTH: "one window per series has the smaller δ at each step that ends an epoch "
    "of several: many private epochs are better than few less private ones.",
    Family.ONE_BAG: "drawing windows from one bag is less private than drawing series first, for "
    "larger window lengths.",
}


def printed(panel: Panel) -> str:
    """Return what the paper says about a panel, in our words."""
    is_one_step = panel.settings.get("length") == Training(unit="steps", count=1)
    if panel.family is not Family.WINDOWS:
        return _PRINTED[panel.family]
    if panel.figure == "2" and is_one_step:
        return "one window per series has the smaller δ only from about ε = 0.1 on."
    if panel.figure == "2":
        return (
            "one window per series now has the smaller δ for ε from 0.001 to 0.1, too, although "
            "several are drawn by a lower bound."
        )
    if is_one_step:
        return "nothing about this panel; it is the start of the next two."
    if panel.figure == "5":
        return (
            "one window per series has the smaller δ at every ε from 0.001 to 1,000. The text says "
            "so for 100 steps; that Figures 6 and 7 follow with “already” after 100 suggests that "
            "1,000 were meant here."
        )
    return _PRINTED[panel.family]


def parameters(panel: Panel) -> list[str]:
    """Return a panel's parameters in words, and what is not from the paper."""
    scenario, shape = panel.opened, panel.opened.given_shape
    [length] = shape.series_lengths
    data, rate = f"N = {shape.num_series:,} series", f"r = {rounded(scenario.bottom_rate)}, "
    if panel.family is Family.ONE_BAG:
        data, rate = f"{shape.num_series * shape.start_positions:,} windows in all", ""
    values = (
        f"{data}, batches of Λ = {scenario.sampling.batch_size:,} windows, noise multiplier "
        f"σ = {scenario.noise.noise_multiplier:g}, {rate}"
        f"training for {run_length(scenario, 'step')}."
    )
    return [values, _not_in_print(panel, length)]


def source(panel: Panel) -> str:
    """Return where the figure is, as Markdown."""
    return f"Figure {panel.figure}, {panel.section} of {PAPER}."


def panel_name(panel: Panel) -> str:
    """Return a panel's name within the paper."""
    settings = panel.settings.items()
    values = [f"{option_name(name, one)}{_OF_WHAT.get(name, '')}" for name, one in settings]
    return ", ".join([f"Figure {panel.figure}", *values])


def _not_in_print(panel: Panel, length: int) -> str:
    series = f"series of {counted(length, 'value')}"
    if panel.family is Family.LABEL_NOISE:
        runs = [run for run in panel.scenarios if not isinstance(run.data, Rates)]
        noises = listed([sigma_text(run.noise.forecast_noise) for run in runs])
        return (
            f"Chosen here, as the paper's text does not name them: {series} with windows of 4 + 4 "
            f"values, σ_F = {noises}, and the number of steps."
        )
    if panel.family is Family.ONE_BAG:
        return (
            f"Chosen here, as the paper gives their product only: {series}, so many windows in "
            "each, and as many series as that makes. Only the windows' lengths, their number and "
            "Λ enter these bounds."
        )
    also = ", and the numbers of windows per series" if panel.family is Family.WINDOWS else ""
    return f"Chosen here, as the paper gives r only: {series} with windows of 1 + 1 values{also}."


def steps_verdicts(runs: Sequence[StepsRun]) -> list[StepsVerdict]:
    """Return the first run's comparisons with all others."""
    return [steps_verdict(runs[0], other) for other in runs[1:]]


def steps_title(panel: Panel, runs: Sequence[StepsRun]) -> str:
    """Return what the panel shows, as a finding; none is told before all runs are computed."""
    assert panel.epsilon is not None  # steps are followed at one epsilon
    at = f"At ε = {epsilon_text(panel.epsilon)}"
    if len(runs) < len(panel.scenarios):
        of = counted(len(panel.scenarios), "curve")
        return f"{at}: {len(runs)} of {of} ready"
    verdicts = steps_verdicts(runs)
    one = run_name(panel, panel.scenarios[0])
    missed = _missed(verdicts, proven=False)
    ends = "after each step that ends an epoch of the other run"
    has = f"has the smaller δ {ends}{missed}, as the paper compares"
    unproven = _missed(verdicts, proven=True)
    return f"{at}, {one} {has}; that is proven{unproven or ' throughout'}"


def steps_panel_headline(panel: Panel, runs: Sequence[StepsRun]) -> str:
    """Return the finding with its scope, as Markdown."""
    theorems = named_theorems(bound for run in runs for bound in run.drawn.bounds)
    return f"**{steps_title(panel, runs)}.** By {theorems}, for {protected_in(panel.opened)}."


def steps_panel_description(panel: Panel, runs: Sequence[StepsRun]) -> str:
    """Return the panel's chart for those who cannot see it."""
    lines = []
    for run in runs:
        upper, lower = run.proven.upper, run.attained
        says = (
            f"after {counted(int(run.proven.steps[-1]), 'step')} delta is at least "
            f"{rounded_down(float(lower.delta_low[-1]), 3)} ({bound_label(lower.bounds[-1])})"
            f" and at most {rounded_up(float(upper.delta_high[-1]), 3)} "
            f"({bound_label(upper.bounds[-1])})"
        )
        lines.append((run_name(panel, run.scenario), says))
    return chart_description(steps_title(panel, runs), lines, DELTA_OVER_STEPS)


def steps_table(verdicts: Sequence[StepsVerdict]) -> str:
    """Return after which steps one window has the smaller delta, as a Markdown table."""
    heads = [
        f"{windows_label(1)} against",
        "Steps that end an epoch of these",
        "As the paper compares, its δ is smaller after",
        "Provably more private after",
    ]
    rows = [
        (
            windows_label(found.other.sampling.num_subsequences),
            _steps(found.ends),
            _part(found.drawn, found.ends),
            _part(found.proven, found.ends),
        )
        for found in verdicts
    ]
    return markdown_table(heads, rows)


def _missed(verdicts: Sequence[StepsVerdict], *, proven: bool) -> str:
    parts = []
    for found in verdicts:
        if left := _left(found.proven if proven else found.drawn, found.ends):
            against = windows_label(found.other.sampling.num_subsequences)
            steps = "step" if len(left) == 1 else "steps"
            parts.append(f"after {steps} {_steps(left)} against {against}")
    return f" except {'; '.join(parts)}" if parts else ""


def _part(won: Sequence[int], ends: Sequence[int]) -> str:
    if not (left := _left(won, ends)):
        return "each of them"
    return f"all but {_steps(left)}" if won else "none of them"


def _left(won: Sequence[int], ends: Sequence[int]) -> list[int]:
    return [step for step in ends if step not in won]


def _steps(steps: Sequence[int]) -> str:
    return listed([str(step) for step in steps])
