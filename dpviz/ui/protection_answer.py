"""The answer to who is protected: the drawing of a series, and who is not covered."""

import streamlit as st

from dpviz.figures import Band, bands_chart, figure_json
from dpviz.figures.palette import STYLES
from dpviz.figures.protected_series import protected_series
from dpviz.planning import ScenarioCurves
from dpviz.planning.placement import SeriesCalendar, excerpt, placement
from dpviz.ui import frame
from dpviz.ui.compute import content
from dpviz.ui.protected_widths import begin_widths
from dpviz.ui.state import State
from dpviz.ui.texts import text
from dpviz.wording import protected_values as words
from dpviz.wording.findings import curve_title, curves_description
from dpviz.wording.not_covered import not_covered

_KEY = "protection"
_HEIGHT = 500  # on a phone the legend takes much of it


def draw_series(state: State, curves: ScenarioCurves) -> None:
    """Draw a series with the protected values, and which windows touch them."""
    scenario = curves.scenario
    if scenario.shape is None:
        _draw_curve(curves)
        return
    begin_widths(scenario)
    series_calendar = SeriesCalendar.of(state.view.first_date, scenario.units.time_step)
    placed = placement(scenario.shape, scenario.relation, series_calendar)
    part = excerpt(placed)
    title = words.drawing_title(scenario, placed)
    place = words.place_sentence(scenario, placed, part, series_calendar)

    places = text("protection_places")

    def chart() -> str:
        return figure_json(
            protected_series(
                placed,
                part,
                series_calendar=series_calendar,
                title=title,
                # A zoom into other values would show nothing of these.
                identity=f"protection {part.first} {part.last}",
            )
        )

    frame.draw_answer(
        headline=words.protection_headline(curves),
        curves=curves,
        figure_json=content("protection chart", [scenario, state.view.first_date], chart),
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

    def chart() -> str:
        band = Band(curves=curves, label="these rates", style=STYLES[0])
        return figure_json(bands_chart([band], title=title, identity="protection curve"))

    frame.draw_answer(
        headline=words.protection_headline(curves),
        curves=curves,
        figure_json=content("protection curve", runs, chart),
        alt=curves_description(title, runs),
        key=_KEY,
    )


def draw_not_covered(curves: ScenarioCurves) -> None:
    """Say who is not covered."""
    st.header("Who is not covered", anchor=False)
    sentences = not_covered(curves.scenario, curves.upper.bound)
    st.markdown(
        "\n".join(
            f"- {text(f'not_covered/{name}').strip().format(**filled)}"
            for name, filled in sentences
        )
    )
