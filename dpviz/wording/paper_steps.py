"""What holds of delta over training steps in the paper's Figure 10, in both readings."""

from collections.abc import Sequence

from dpviz.planning.paper_figures.orders import StepsRun, StepsVerdict, steps_verdict
from dpviz.planning.paper_figures.panel import Panel
from dpviz.wording.chart_words import DELTA_OVER_STEPS, chart_description
from dpviz.wording.numbers import counted, listed, rounded_down, rounded_up
from dpviz.wording.paper_figures import run_name
from dpviz.wording.scope import protected_in
from dpviz.wording.subsequences import epsilon_text, windows_label
from dpviz.wording.tables import markdown_table
from dpviz.wording.theorems import bound_label, named_theorem


def steps_verdicts(runs: Sequence[StepsRun]) -> list[StepsVerdict]:
    """Return the first run's comparisons with all others."""
    return [steps_verdict(runs[0], other) for other in runs[1:]]


def steps_title(panel: Panel, runs: Sequence[StepsRun]) -> str:
    """Return what the panel shows, as a finding; none is told before all runs are computed."""
    assert panel.drawn.epsilon is not None  # steps are followed at one epsilon
    at = f"At ε = {epsilon_text(panel.drawn.epsilon)}"
    if len(runs) < len(panel.scenarios):
        of = counted(len(panel.scenarios), "curve")
        return f"{at}: {len(runs)} of {of} ready"
    verdicts = steps_verdicts(runs)
    one = run_name(panel, panel.scenarios[0])
    missed = _missed(verdicts, proven=False)
    has = f"has the smaller δ{missed} whenever an epoch of several ends, as the paper compares"
    unproven = _missed(verdicts, proven=True)
    return f"{at}, {one} {has}; that is proven{unproven or ' throughout'}"


def steps_line_names() -> str:
    """Return what the legend's words for the lines mean."""
    return (
        "Upper: proven upper bound. Paper: composed as in the paper, proven neither way, but after "
        "a single epoch an attained lower bound. Thin: lower bound, attained by some model."
    )


def steps_panel_headline(panel: Panel, runs: Sequence[StepsRun]) -> str:
    """Return the finding with its scope, as Markdown."""
    scenario = panel.opened
    hidden = protected_in(scenario)
    theorems = dict.fromkeys(
        named_theorem(bound.theorem) for run in runs for bound in run.drawn.bounds
    )
    return f"**{steps_title(panel, runs)}.** By {listed(list(theorems))}, for {hidden}."


def steps_panel_description(panel: Panel, runs: Sequence[StepsRun]) -> str:
    """Return the panel's chart for those who cannot see it."""
    lines = []
    for run in runs:
        one, lower = run_name(panel, run.scenario), run.attained
        says = (
            f"after {counted(int(run.proven.steps[-1]), 'step')} delta is at least "
            f"{rounded_down(float(lower.delta_low[-1]), 3)} ({bound_label(lower.bounds[-1])})"
            f" and at most {rounded_up(float(run.proven.upper.delta_high[-1]), 3)} "
            f"({bound_label(run.proven.upper.bounds[-1])})"
        )
        lines.append((one, says))
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
        won = found.proven if proven else found.drawn
        left = [step for step in found.ends if step not in won]
        if left:
            against = windows_label(found.other.sampling.num_subsequences)
            steps = "step" if len(left) == 1 else "steps"
            parts.append(f"after {steps} {_steps(left)} against {against}")
    return f" but {'; '.join(parts)}" if parts else ""


def _part(won: Sequence[int], ends: Sequence[int]) -> str:
    left = [step for step in ends if step not in won]
    if not left:
        return "each of them"
    if not won:
        return "none of them"
    return f"all but {_steps(left)}"


def _steps(steps: Sequence[int]) -> str:
    return listed([str(step) for step in steps])
