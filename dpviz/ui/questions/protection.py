"""Who is protected? And epsilon against how many values are, filled in coarse to fine."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from dpviz.export.curve_tables import sweep_table
from dpviz.export.table import Table
from dpviz.figures import styled_bands
from dpviz.figures.epsilon_lines import sweep_chart
from dpviz.figures.parts import STYLES, Spec
from dpviz.figures.protected_series import protected_series
from dpviz.planning import ScenarioCurves, protection
from dpviz.planning.placement import SeriesCalendar, excerpt, placement
from dpviz.planning.proven import SweepPoint
from dpviz.scenario import Rates, Relation
from dpviz.scenario.relation import MOST_SERIES_PER_PERSON
from dpviz.settings import SETTINGS
from dpviz.settings.curves import FIRST_DATES
from dpviz.ui import controls, data_controls, frame
from dpviz.ui.bands import draw_bands
from dpviz.ui.chart import draw_chart
from dpviz.ui.compute import Line, exact_curves, known_curves, known_lines
from dpviz.ui.filling import Filled
from dpviz.ui.number_control import number_control
from dpviz.ui.page import draw_progress, fold, in_columns, said_below, when
from dpviz.ui.question import Answer, Question
from dpviz.ui.rests_on import draw_certificate, draw_code, draw_not_covered
from dpviz.ui.state import State, change, change_view
from dpviz.ui.texts import text
from dpviz.ui.widgets import act_button, choice, text_box
from dpviz.wording import protected_values as words
from dpviz.wording.findings import curve_title, how_to_read
from dpviz.wording.numbers import joined
from dpviz.wording.proven_epsilon import TIERS_SOURCE, sweep_description
from dpviz.wording.scope import of_series, protected_in, protected_unit

# The ends of both lines, and where they bend.
_AT_LEAST = 6


def _known_widths(curves: ScenarioCurves) -> tuple[list[Line], Filled[Any]]:
    """Return a line for each kind of relation; that of the run itself comes first."""
    swept = protection.swept_relations(curves.scenario)
    return known_lines(
        {words.RUN_NAMES[level]: runs for level, runs in swept.items()},
        [curves],
        lambda run: (run.relation.width, words.width_name(run.relation, run.units)),
        form=protection.shared_form,
        at_least=_AT_LEAST,
    )


def _draw_widths(state: State, curves: ScenarioCurves) -> None:
    lines, filled = _known_widths(curves)
    _, points = lines[0]
    own = next(point for point in points if point.scenario == curves.scenario)
    title = words.widths_title(own, points)
    known = [[point.x for point in line] for _, line in lines]
    st.header("ε against how much is protected", anchor=False)
    draw_chart(
        lambda: _chart(own, lines, title),
        made_of=[curves, known],
        key="protection_widths",
        alt=sweep_description(title, words.varied_width(own.scenario.relation), lines),
        height=_HEIGHT,
        on_click=lambda point: _protect(state, point.get("customdata"), point.get("x")),
    )
    draw_progress(filled.progress)
    st.caption(joined(words.widths_note(*(line for _, line in lines)), TIERS_SOURCE))


def _chart(own: SweepPoint, lines: Sequence[Line], title: str) -> Spec:
    widths = [int(point.x) for point in lines[0][1]]
    chart = sweep_chart(
        lines,
        title=title,
        identity="protection-widths",
        x_title=words.varied_width(own.scenario.relation),
        own_x=own.x,
        marked=1,
        x_ticks=words.width_ticks(widths, own.scenario.units.time_step),
    )
    # Two lines may have a point each at one w: a click means the one under the pointer.
    chart["layout"]["hovermode"] = "closest"
    chart["layout"]["xaxis"]["tickangle"] = 0  # there is no room for them to turn
    for (_, points), style in zip(lines, STYLES, strict=False):
        for trace in chart["data"]:
            if trace["uid"].startswith(style.role):
                trace["customdata"] = [points[0].scenario.relation.level] * len(trace["x"])
    return chart


_KEY = "protection"
_HEIGHT = 500  # on a phone the legend takes much of it


def _protect(state: State, level: Any, width: Any) -> None:
    """Protect so many values in a row, or anywhere; what is not allowed is refused by name."""
    change(lambda before: data_controls.with_relation(state, before, level=level, width=width))


def _relation_controls(state: State) -> None:
    scenario, data = state.scenario, state.scenario.data
    if isinstance(data, Rates):
        st.info(
            f"r and ρ are set by hand, for {protected_in(scenario)}. Without lengths of windows "
            f"and series, who is protected is fixed and no window can be drawn: "
            f"{data_controls.how_back(data)}.",
            icon="🔒",
        )
        data_controls.way_back(data, "protection_shape")
        return
    longest = None if state.file is None else state.file.longest
    ready = protection.ready_relations(scenario, longest)
    with st.container(horizontal=True, gap="small"):
        for name, one in ready.items():
            _ready_button(state, name, one)
    missing = {name: one for name, one in ready.items() if isinstance(one, protection.Missing)}
    said = [f"{words.READY_NAMES[name]}: {words.MISSING[one]}." for name, one in missing.items()]
    said_below(lambda _: " ".join(said))(state)
    choice(
        "relation",
        value=scenario.relation.level,
        options=SETTINGS["relation"].choices,
        apply=lambda before, level: data_controls.with_relation(state, before, level=level),
    )
    _width_control(state)
    number_control(
        "series_per_person",
        value=scenario.relation.series_per_person,
        limits=(1, min(MOST_SERIES_PER_PERSON, data.num_series)),
        apply=lambda before, many: data_controls.with_relation(
            state, before, series_per_person=int(many)
        ),
        origin=state.origin.relation.series_per_person,
    )
    in_columns(
        data_controls.time_step_box,
        when(lambda _: scenario.units.time_step is not None, _first_date_box),
    )(state)


def _width_control(state: State) -> None:
    if "relation_width" in state.unchosen:
        return
    scenario = state.scenario
    is_asked = "relation_width" in state.start.unchosen  # there is no width to go back to
    number_control(
        "relation_width",
        value=scenario.relation.width,
        grid=protection.slider_widths(scenario),
        apply=lambda before, width: data_controls.with_relation(state, before, width=int(width)),
        origin=None if is_asked else state.origin.relation.width,
        takes_time=True,
    )


def _ready_button(state: State, name: str, ready: Relation | protection.Missing) -> None:
    key, label = f"ready_{name}", words.READY_NAMES[name]
    if isinstance(ready, protection.Missing):
        explains = words.MISSING[ready]
        act_button(label, lambda: None, key=key, means="None", disabled=True, explains=explains)
        return
    is_now = ready == state.scenario.relation and "relation_width" not in state.unchosen
    act_button(
        label,
        lambda: _protect(state, ready.level, ready.width),
        key=key,
        # Two weeks are another number of values when the time step is another one.
        means=repr(ready),
        icon=":material/check:" if is_now else "",
        explains=f"Protects {protected_unit(ready, state.scenario.units)}.",
    )


def _first_date_box(state: State) -> None:
    first, last = FIRST_DATES
    text_box(
        SETTINGS["first_date"].title,
        shows=state.view.first_date,
        key="first_date",
        kind="date",
        limits=(first.isoformat(), last.isoformat()),
        typed=lambda day: change_view(lambda: {"first_date": day}) if day else None,
        explains="Only the drawing and its dates depend on it.",
    )


def _draw_series(state: State, curves: ScenarioCurves) -> None:
    scenario = curves.scenario
    if scenario.shape is None:  # there is no window to draw
        draw_bands(
            styled_bands([("these rates", curves)]),
            key=_KEY,
            identity="protection curve",
            headline=words.protection_headline(curves),
            title=curve_title(curves),
            caption=how_to_read(curves),
            warns=True,
        )
        return
    series_calendar = SeriesCalendar.of(state.view.first_date, scenario.units.time_step)
    placed = placement(scenario.shape, scenario.relation, series_calendar)
    part = excerpt(placed)
    title = words.drawing_title(scenario, placed)
    place = words.place_sentence(scenario, placed, part, series_calendar)
    frame.draw_answer(
        headline=words.protection_headline(curves),
        curves=curves,
        figure=lambda: protected_series(
            placed,
            part,
            series_calendar=series_calendar,
            title=title,
            # A zoom into other values would show nothing of these.
            identity=f"protection {part.first} {part.last}",
        ),
        made_of=[scenario, state.view.first_date],
        alt=words.drawing_description(title, scenario, placed, place),
        key=_KEY,
        height=_HEIGHT,
        finding=words.touched_sentence(scenario, placed),
        caption=f"{place} {text('protection_caption')}{text('protection_places')}",
    )


def _answer(state: State) -> Answer:
    curves = known_curves([state.scenario]).own
    _draw_series(state, curves)
    draw_not_covered(curves)
    yield
    if state.scenario.shape is not None:
        _draw_widths(state, curves)
    draw_certificate(curves)
    draw_code([("now", state.scenario)])


def _table(state: State) -> Table:
    curves = exact_curves(state.scenario)
    if state.scenario.shape is None:
        point = SweepPoint(x=state.scenario.relation.width, name="", proven=curves.proven)
        lines = [("rates given directly", [point])]
    else:
        lines, _ = _known_widths(curves)
    return sweep_table(
        lines,
        x_name="protected_values",
        x_meaning="w, how many values "
        f"{of_series(state.scenario.relation)} one individual may change",
    )


QUESTION = Question(
    settings=(
        controls.preset_control,
        _relation_controls,
        data_controls.change_boxes,
        data_controls.channels_box,
        controls.noise_control,
        controls.training_control,
        controls.rate_controls,
        controls.delta_control,
        data_controls.folded_data,
        controls.folded_sampling,
        fold(
            "Noise on context and labels", "open_augmentation", data_controls.augmentation_controls
        ),
    ),
    in_lessons={"person": (when(lambda state: state.scenario.shape is not None, _width_control),)},
    answer=_answer,
    table=_table,
    file="dpviz-protection.csv",
)
