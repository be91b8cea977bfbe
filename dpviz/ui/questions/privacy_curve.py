"""How private is this training run?"""

from typing import Any

from dpviz.export.curve_tables import budget_table
from dpviz.export.table import Table
from dpviz.figures import Band
from dpviz.figures.epsilon_lines import budget_chart
from dpviz.figures.parts import OWN_RUN, PINNED_RUNS
from dpviz.planning import ScenarioCurves
from dpviz.planning.comparison import refusal
from dpviz.scenario import PRESETS, Scenario
from dpviz.scenario.pins import PIN_SLOTS
from dpviz.ui import compute, controls, frame
from dpviz.ui.bands import draw_bands, exact_table
from dpviz.ui.data_controls import comparison_settings
from dpviz.ui.filling import WHOLE_SECONDS, fill_in, result_of
from dpviz.ui.number_control import view_number
from dpviz.ui.page import draw_each, folded, in_place, say, viewed, when
from dpviz.ui.pins import NOW, PIN, draw_pins, name_of, pins_shown
from dpviz.ui.question import Answer, Question
from dpviz.ui.questions.closer_upper import draw_closer, known_closer
from dpviz.ui.rests_on import draw_certificate, draw_code
from dpviz.ui.results import Part
from dpviz.ui.sharing import draw_take_away
from dpviz.ui.state import State
from dpviz.ui.texts import text
from dpviz.ui.turns import is_moving
from dpviz.ui.widgets import view_choice
from dpviz.wording import findings as words
from dpviz.wording.budget import budget_description, lasting_table, target_sentence

Runs = list[tuple[str, ScenarioCurves]]
_BUDGET_BESIDE_CURVE = 0.02
_AT_LEAST = 5  # the ends, and some between


# What is drawn; over training, also the budget whose end is looked for.
_CHART_CONTROLS = (
    view_choice("chart", key="curve_view", shows_label=False),
    in_place(
        when(
            viewed("chart", "training"),
            view_number(
                "target_epsilon",
                ends=("more private", "longer training"),
                explanation="The chart marks after how much training the upper bound exceeds it.",
            ),
        )
    ),
)


def _scenarios_shown(state: State) -> list[tuple[str, Scenario]]:
    """Return the current run and the shown pins that a bound covers, by name, at the same delta."""
    pins = [(name_of(pin), pin.scenario) for pin in pins_shown(state) if not refusal(pin.scenario)]
    return [(NOW, state.scenario), *pins]


def known_runs(state: State) -> Runs:
    """Return what is known of the runs shown."""
    names, scenarios = zip(*_scenarios_shown(state), strict=True)
    known = compute.known_curves(scenarios).curves
    return [(name, curves) for name, curves in zip(names, known, strict=True) if curves]


def _draw_curves(state: State, runs: Runs) -> None:
    curves = runs[0][1]
    # A pin keeps its style while others come and go.
    styles = {name_of(pin): PINNED_RUNS[PIN_SLOTS.index(pin.slot)] for pin in state.pins}
    styles |= {NOW: OWN_RUN}
    marks = {name: name.removeprefix(PIN) if len(runs) > 1 else "" for name, _ in runs}
    draw_bands(
        [Band(curves=one, label=name, style=styles[name], mark=marks[name]) for name, one in runs],
        key="privacy_curve",
        headline=words.headline(curves),
        title=words.curve_title(curves),
        caption=words.how_to_read(curves) + _source(state),
        warns=True,
    )


def draw_training(state: State, curves: ScenarioCurves) -> None:
    """Draw epsilon over the steps or epochs of training, and where the budget is used up."""
    scenario, target = state.scenario, state.view.target_epsilon
    runs = _scenarios_shown(state)
    # The own point is that of the curves, also while they are coarse: what is said of the run above
    # and below the chart. With the ends, which come next, the line has its shape.
    beside = compute.budget_parts(scenario, may_change_direction=False)[1:]
    end_parts = [compute.used_up_part(run, target) for _, run in runs]
    # The curve itself has taken some of the time that an answer may take.
    fill_in(beside[:_AT_LEAST], budget=WHOLE_SECONDS, awaits=False)
    asked: list[Part[Any]] = [*end_parts, *beside]
    filled = fill_in(asked, budget=_BUDGET_BESIDE_CURVE, only_known=is_moving())
    # Better lower bounds take longest: they come last, and all at once.
    better = fill_in(
        compute.budget_parts(scenario)[1:], budget=0.0, only_known=bool(filled.to_come)
    )
    finals = [None] * len(beside) if better.to_come else better.results
    found = zip(filled.results[len(runs) :], finals, strict=True)
    points = [curves.proven, *(final or point for point, final in found if point is not None)]
    lasting = [(name, one) for (name, _), one in zip(runs, filled.results, strict=False)]
    _, end = lasting[0]

    seen = [(point.count, point.epsilon_lower) for point in points]
    frame.draw_answer(
        headline=words.headline(curves) if end is None else target_sentence(scenario, end, points),
        curves=curves,
        figure=lambda: budget_chart(
            scenario, points, target_epsilon=target, used_up=end, label="now"
        ),
        made_of=[curves, seen, end is None, target],
        alt=budget_description(scenario, points, end),
        key="over_training",
        finding=lasting_table(lasting) if len(runs) > 1 else "",
        caption=f"{text('training_caption')} {words.how_to_read(curves)}{_source(state)}",
    )


def _table(state: State) -> Table:
    scenario = state.scenario
    if state.view.chart == "training":
        end = result_of(compute.used_up_part(scenario, state.view.target_epsilon))
        return budget_table(scenario, compute.budget_points(scenario), end)
    return exact_table(_scenarios_shown(state))


def _source(state: State) -> str:
    preset = controls.preset_of(state.scenario)
    return "" if preset is None else f" Source: {PRESETS[preset].source}"


def _answer(state: State) -> Answer:
    draw_each(state, _CHART_CONTROLS)
    runs = known_runs(state)
    curves = runs[0][1]
    if state.view.chart == "curve":
        _draw_curves(state, runs)
    else:
        draw_training(state, curves)
    yield
    draw_pins(state, dict(runs))
    draw_certificate(curves, "now" if len(runs) > 1 else "")
    draw_closer(curves)
    has_others = len(runs) > 1  # of the one alone, all bounds stand above
    label = f"{'All bounds, and δ' if has_others else 'δ'} at other values of ε"
    with folded(label, key="open_deltas") as is_open:
        if is_open:
            if has_others:
                say(words.bounds_table(runs))
            say(words.deltas_table(runs))
    draw_take_away(curves, closer=known_closer(curves))
    draw_code(_scenarios_shown(state))


QUESTION = Question(
    settings=comparison_settings(),
    in_lessons={"rates": (controls.rate_controls,), "steps": (controls.training_control,)},
    answer=_answer,
    table=_table,
    file="dpviz-privacy-curve.csv",
    shows_pins=lambda _: True,
)
