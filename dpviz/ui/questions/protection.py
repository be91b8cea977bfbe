"""Who is protected?"""

from typing import Any

import streamlit as st

from dpviz.export.curve_tables import sweep_table
from dpviz.export.table import Table
from dpviz.figures import Band, bands_chart
from dpviz.figures.parts import STYLES, Spec
from dpviz.figures.protected_series import protected_series
from dpviz.planning import ScenarioCurves
from dpviz.planning.placement import SeriesCalendar, excerpt, placement
from dpviz.planning.protection import Missing, ReadyRelation, ready_relations, slider_widths
from dpviz.scenario import Rates, Scenario
from dpviz.scenario.relation import MOST_SERIES_PER_PERSON, WIDEST_RELATION
from dpviz.settings import SETTINGS
from dpviz.settings.curves import FIRST_DATES
from dpviz.ui import controls, data_controls, frame
from dpviz.ui.compute import figure_of, known_curves
from dpviz.ui.filling import NOTHING
from dpviz.ui.frame import Answer, Question
from dpviz.ui.number_control import number_control
from dpviz.ui.page import fold, in_columns, when
from dpviz.ui.questions.protected_widths import all_widths, draw_widths
from dpviz.ui.rests_on import draw_certificate, draw_code, draw_not_covered
from dpviz.ui.state import State, change, change_view
from dpviz.ui.texts import text
from dpviz.ui.widgets import act_button, choice, text_box
from dpviz.wording import protected_values as words
from dpviz.wording.findings import curve_title, curves_description, how_to_read
from dpviz.wording.protected_values import LEVEL_NAMES, READY_NAMES, missing_words
from dpviz.wording.scope import protected_in, protected_unit

_KEY = "protection"
_HEIGHT = 500  # on a phone the legend takes much of it


def protect(state: State, level: Any, width: Any) -> None:
    """Protect so many values in a row, or anywhere; what is not allowed is refused by name."""
    change(lambda before: data_controls.with_relation(state, before, level=level, width=width))


def _relation_settings(state: State) -> None:
    data = state.scenario.data
    if isinstance(data, Rates):
        _fixed_relation(state.scenario, data)
    else:
        _relation_controls(state)


def _has_shape(state: State) -> bool:
    return state.scenario.shape is not None


def _fixed_relation(scenario: Scenario, data: Rates) -> None:
    """Say why the relation is fixed, and offer the way back."""
    unit = protected_in(scenario)
    back = "start from a preset, or open a file"
    if data.last_shape is not None:
        back = "go back to the data's shape"
    st.info(
        f"r and ρ are set by hand, for {unit}. Without lengths of windows and series, who is "
        f"protected is fixed and no window can be drawn: {back}.",
        icon="🔒",
    )
    data_controls.way_back(data, "protection_shape")


def _relation_controls(state: State) -> None:
    scenario = state.scenario
    longest = None if state.file is None else state.file.longest
    ready = ready_relations(scenario, longest)
    with st.container(horizontal=True, gap="small"):
        for one in ready:
            _ready_button(state, one)
    said = [
        f"{READY_NAMES[one.name]}: {missing_words(one.missing)}."
        for one in ready
        if one.missing is not None
    ]
    with st.container():  # always there, so that nothing below becomes a new element
        if said:
            st.caption(" ".join(said))
    choice(
        "relation",
        value=scenario.relation.level,
        options=LEVEL_NAMES,
        apply=lambda before, level: data_controls.with_relation(state, before, level=level),
    )
    _width_control(state)
    number_control(
        "series_per_person",
        value=scenario.relation.series_per_person,
        limits=(1, min(MOST_SERIES_PER_PERSON, _series_of(scenario))),
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
    number_control(
        "relation_width",
        value=scenario.relation.width,
        grid=slider_widths(scenario),
        limits=(1, WIDEST_RELATION),
        apply=lambda before, width: data_controls.with_relation(state, before, width=int(width)),
        origin=state.origin.relation.width,
        takes_time=True,
    )


def _series_of(scenario: Scenario) -> int:
    assert scenario.shape is not None  # rates have no controls of the relation
    return scenario.shape.num_series


def _ready_button(state: State, ready: ReadyRelation) -> None:
    relation = ready.relation
    is_now = relation == state.scenario.relation and "relation_width" not in state.unchosen

    def chosen() -> None:
        if relation is not None:
            protect(state, relation.level, relation.width)

    act_button(
        READY_NAMES[ready.name],
        chosen,
        key=f"ready_{ready.name}",
        # Two weeks are another number of values when the time step is another one.
        means=repr(relation),
        icon="check" if is_now else "",
        disabled=relation is None,
        explains=_ready_help(state.scenario, ready),
    )


def _ready_help(scenario: Scenario, ready: ReadyRelation) -> str:
    if ready.relation is None:
        return missing_words(ready.missing or Missing.TIME_STEP)
    return f"Protects {protected_unit(ready.relation, scenario.units)}."


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


def draw_series(state: State, curves: ScenarioCurves) -> None:
    """Draw a series with the protected values, and which windows touch them."""
    scenario = curves.scenario
    if scenario.shape is None:
        _draw_curve(curves)
        return
    series_calendar = SeriesCalendar.of(state.view.first_date, scenario.units.time_step)
    placed = placement(scenario.shape, scenario.relation, series_calendar)
    part = excerpt(placed)
    title = words.drawing_title(scenario, placed)
    place = words.place_sentence(scenario, placed, part, series_calendar)

    places = text("protection_places")

    def chart() -> Spec:
        return protected_series(
            placed,
            part,
            series_calendar=series_calendar,
            title=title,
            # A zoom into other values would show nothing of these.
            identity=f"protection {part.first} {part.last}",
        )

    frame.draw_answer(
        headline=words.protection_headline(curves),
        curves=curves,
        figure_json=figure_of("protection chart", [scenario, state.view.first_date], chart),
        alt=words.drawing_description(title, scenario, placed, place),
        key=_KEY,
        height=_HEIGHT,
        finding=words.touched_sentence(scenario, placed),
        caption=f"{place} {text('protection_caption')}{places}",
    )


def _draw_curve(curves: ScenarioCurves) -> None:
    """Draw what is proven for rates: without a shape there is no window to draw."""
    title = curve_title(curves)
    runs = [("these rates", curves)]

    def chart() -> Spec:
        band = Band(curves=curves, label="these rates", style=STYLES[0])
        return bands_chart([band], identity="protection curve")

    frame.draw_answer(
        headline=words.protection_headline(curves),
        curves=curves,
        figure_json=figure_of("protection curve", runs, chart),
        alt=curves_description(title, runs),
        key=_KEY,
        caption=how_to_read(curves),
        handle=controls.delta_handle(curves.scenario.delta),
    )


def answer(state: State) -> Answer:
    """Draw a series and who is not covered, then epsilon against what is protected."""
    known = known_curves([state.scenario])
    draw_series(state, known.own)
    draw_not_covered(known.own)
    yield NOTHING
    widths = NOTHING
    if state.scenario.shape is not None:
        widths = draw_widths(lambda relation: protect(state, *relation), known.own)
    draw_certificate(known.own)
    draw_code([("now", state.scenario)])
    yield known.filled
    yield widths


def table(state: State) -> Table:
    """Return the numbers of the chart of epsilon against w."""
    return sweep_table(
        all_widths(state.scenario),
        x_name="protected_values",
        x_meaning="w, how many values of one series one individual may change",
    )


QUESTION = Question(
    settings=(
        controls.preset_control,
        _relation_settings,
        data_controls.change_boxes,
        data_controls.channels_box,
        controls.rate_controls,
        controls.noise_control,
        controls.training_control,
        controls.delta_control,
        data_controls.folded_data,
        controls.folded_sampling,
        fold(
            "Noise on context and labels", "open_augmentation", data_controls.augmentation_controls
        ),
    ),
    in_lessons={"person": (when(_has_shape, _width_control),)},
    answer=answer,
    table=table,
    file="dpviz-protection.csv",
)
