"""How is one series of counts released privately, and at which cost?"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from uuid import uuid4

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from dpviz.export.code import release_command_line
from dpviz.export.programs import release_python
from dpviz.export.protection_tables import release_table
from dpviz.export.table import Table, without_cells
from dpviz.figures import release as charts
from dpviz.release import Calibration, ReleaseSettings, calibrated, release
from dpviz.release.mechanisms import Row, absolute_errors, error_summary, rows_without_errors
from dpviz.release.published import FREQUENCIES, WAYS, synth_errors
from dpviz.release.series import TruthAndSeries, counts_in_file, lane_like, synthetic
from dpviz.series_file import SeriesFileError
from dpviz.settings import SETTINGS, View
from dpviz.settings.grids import round_counts
from dpviz.settings.release import MOST_RELEASED_STEPS
from dpviz.ui import frame
from dpviz.ui.chart import draw_chart
from dpviz.ui.compute import content, part_of
from dpviz.ui.file_reading import read_box
from dpviz.ui.filling import fill_in, is_left_out
from dpviz.ui.number_control import view_number
from dpviz.ui.page import fold, folded_part, folded_text, say, viewed, when
from dpviz.ui.question import Answer, question_of_no_run
from dpviz.ui.rests_on import draw_reading, folded_code, folded_conditions
from dpviz.ui.results import Part
from dpviz.ui.state import State
from dpviz.ui.texts import text
from dpviz.ui.widgets import draw_anew
from dpviz.wording import release as words
from dpviz.wording.numbers import counted

_COUNTS = "series of counts"  # the visitor's series, with a name of its own
_NOISE_HEIGHT = 420
# Repetitions come in so many portions at most, none smaller than the least.
_PORTIONS, _LEAST = 10, 20
# As often is each mechanism tried at each frequency, with and without noise of the observation.
_AT_FREQUENCY, _OBSERVATION_NOISES = 20, (0.0, 100.0)


def _counts_upload(state: State) -> None:
    read_box(
        state,
        "A series of counts (CSV, Parquet)",
        counts_in_file,
        partial(_take, state),
        name="counts_upload",
        explains="One column of whole numbers, with or without the time. In this session's memory "
        f"alone, not in the link. At most {MOST_RELEASED_STEPS:,} steps.",
    )
    if (found := state.opened.get(_COUNTS)) is not None:
        st.caption(f"From the file: {counted(len(found[1]), 'step')}.")


def _take(state: State, values: NDArray[np.float64]) -> None:
    if len(values) > MOST_RELEASED_STEPS:
        raise SeriesFileError(
            f"The series has {len(values):,} steps; at most {MOST_RELEASED_STEPS:,} are "
            "released on this page: use the command line for longer ones."
        )
    state.opened[_COUNTS] = (uuid4().hex, values)
    state.notes.append(f"A series of {counted(len(values), 'count')} was opened.")


def _participation(state: State) -> None:
    """Draw the control up to all steps of the series: nobody is in more of them."""
    limits, grid = SETTINGS["participation"].limits, SETTINGS["participation"].grid
    if (found := _series(state)) is not None:
        steps = len(found[2].series)
        limits = 1, min(steps, MOST_RELEASED_STEPS)
        grid = round_counts(1, steps) if steps < grid[-1] else ()
    view_number("participation", limits=limits, grid=grid)(state)


@dataclass(frozen=True, eq=False)
class Shown:
    """What the page shows."""

    name: str  # of the series; equal names mean equal series
    expression: str  # the Python that makes it
    series: TruthAndSeries
    chosen: Calibration
    rows: tuple[Row, ...]


def _shown_release(state: State) -> Shown | None:
    """Return what is to be shown; ``None`` while the visitor has opened no file."""
    view = state.view
    if (found := _series(state)) is None:
        return None
    name, expression, series = found
    settings = ReleaseSettings(
        length=len(series.series),
        participation=min(view.participation, len(series.series)),
        times_per_step=view.times_per_step,
        epsilon=view.release_epsilon,
        delta=view.release_delta,
        rate=view.release_rate,
        filter_width=view.filter_width,
    )
    mechanism, _, accounting = view.release_way.rpartition("-")
    chosen = calibrated(settings, mechanism, accounting)
    rows = content(
        "rows of releases",
        [settings, view.participation_factor],
        lambda: rows_without_errors(settings, view.participation_factor),
    )
    return Shown(name, expression, series, chosen, rows)


def _repetition_portions(repetitions: int) -> list[int]:
    """Return how many repetitions each portion has.

    >>> _repetition_portions(50), _repetition_portions(1000)[:2]
    ([20, 20, 10], [100, 100])
    """
    size = max(_LEAST, repetitions // _PORTIONS)
    return [min(size, repetitions - done) for done in range(0, repetitions, size)]


def _draw_release(state: State, shown: Shown, rows: Sequence[Row]) -> None:
    error = _chosen_row(shown, rows).error
    truth = shown.series.truth
    values, kept = _drawn(shown, shown.chosen, state.view.release_seed)
    title, identity = "Original counts and one release", f"release {shown.name}"
    frame.draw_answer(
        headline=words.release_headline(shown.chosen, error),
        # Not kept among what visitors share: the series may be somebody's own.
        figure=charts.released_series_chart(truth, values, kept, title=title, identity=identity),
        alt=words.release_description(shown.chosen, error, charts.is_drawn_thin(len(truth))),
        key="release",
        finding=words.release_finding(rows, shown.chosen, len(kept)),
        caption=text("release_caption"),
        height=560,
    )


def _draw_mechanisms(shown: Shown, rows: Sequence[Row]) -> None:
    draw_chart(
        charts.release_noise_chart(rows, identity=f"noise {shown.name}"),
        key="release_noise",
        alt=f"{charts.noise_title(rows)}. The table below has the numbers.",
        height=_NOISE_HEIGHT,
    )
    say(words.comparison_table(rows))


def _of_the_figures(shown: Shown) -> list[Calibration]:
    calibrations = [row.calibration for row in shown.rows]
    ways = {(one.mechanism, one.accounting): one for one in calibrations}
    return [ways[way] for way in WAYS if way in ways]


def _draw_each(shown: Shown, named: Sequence[Calibration], seed: int) -> None:
    releases = {words.short_name(one): _drawn(shown, one, seed)[0] for one in named}
    draw_chart(
        charts.releases_chart(shown.series.truth, releases, f"each {shown.name}"),
        key="release_each",
        alt=words.each_description(shown.series.truth, releases),
        height=150 * len(releases) + 100,
        file_name="dpviz-releases",
    )


def _draw_failure() -> None:
    draw_chart(
        charts.failure_chart(),
        key="release_failure",
        alt=words.failure_description(),
        height=_NOISE_HEIGHT,
        file_name="dpviz-failure-chance",
    )


def _draw_frequencies(seed: int) -> None:
    for noise in _OBSERVATION_NOISES:
        parts = [part_of(synth_errors, one, noise, _AT_FREQUENCY, seed) for one in FREQUENCIES]
        errors = fill_in(parts).by(FREQUENCIES)
        left_out = [one for one, part in zip(FREQUENCIES, parts, strict=True) if is_left_out(part)]
        draw_chart(
            charts.frequencies_chart(errors, noise),
            key=f"release_frequencies_{noise:g}",
            alt=words.frequencies_description(errors, noise, left_out),
            height=_NOISE_HEIGHT,
            file_name="dpviz-sampling-frequency",
        )
    st.caption(words.frequencies_caption(_AT_FREQUENCY))


def _released_table(state: State) -> Table:
    if (shown := _shown_release(state)) is None:
        return without_cells("No file is open: choose another series, or open one.")
    view = state.view
    rows = _known_rows(shown, view)
    values, _ = _drawn(shown, shown.chosen, view.release_seed)
    truth = shown.series.truth
    return release_table(
        rows,
        _chosen_row(shown, rows),
        {
            "original": truth,
            "observed": shown.series.series,
            "released": values,
            "difference": values - truth,
        },
        series=SETTINGS["release_source"].choices[view.release_source],
        seed=view.release_seed,
    )


def _code(state: State, shown: Shown) -> list[tuple[str, str, str]]:
    view, seed = state.view, state.view.release_seed
    portions = _repetition_portions(view.release_repetitions)
    program = release_python(shown.chosen, shown.expression, portions, seed, _draw_seed(seed))
    command = release_command_line(shown.chosen, has_file=view.release_source == "file")
    return [
        ("From the command line; with a file of counts, its release:", command, "bash"),
        ("Release and mean error, from Python:", program, "python"),
    ]


def _series(state: State) -> tuple[str, str, TruthAndSeries] | None:
    view, seed = state.view, state.view.release_seed
    if view.release_source == "file":
        if (own := state.opened.get(_COUNTS)) is None:
            return None
        (name, values), read = own, 'counts_in_file(Path("counts.csv"), "counts.csv")'
        return name, f"TruthAndSeries({read}, {read})", TruthAndSeries(values, values)
    if view.release_source == "lane":
        expression = f"lane_like({view.lane_days}, {seed})"
        return expression, expression, lane_like(view.lane_days, seed)
    given = (view.synth_frequency, view.synth_noise, seed)
    expression = f"synthetic{given!r}"
    return expression, expression, synthetic(*given)


def _drawn(shown: Shown, way: Calibration, seed: int) -> tuple[Any, Any]:
    found = release(shown.series.series, way, np.random.default_rng(_draw_seed(seed)))
    return np.real(found.values), found.kept


def _draw_seed(seed: int) -> list[int]:
    # Of another stream than the repetitions, whose seeds have four numbers.
    return [seed, 0]


def _known_rows(shown: Shown, view: View) -> list[Row]:
    """Return the rows with their errors, as far as these are known."""
    seed, parts = view.release_seed, []
    # Of every mechanism by a portion of the repetitions, then by the next.
    for at, repetitions in enumerate(_repetition_portions(view.release_repetitions)):
        for one in (row.calibration for row in shown.rows):
            way = f"{one.mechanism} {one.accounting}"
            key = f"release errors {way} {repetitions} {seed} {at} {one.settings!r} {shown.name}"
            compute = partial(absolute_errors, shown.series, one, repetitions, [seed, at])
            parts.append(Part(key=key, compute=compute))
    known, rows = fill_in(parts).results, []
    for place, row in enumerate(shown.rows):
        errors = [one for one in known[place :: len(shown.rows)] if one is not None]
        error = error_summary(np.concatenate(errors)) if errors else None
        rows.append(replace(row, error=error))
    return rows


def _chosen_row(shown: Shown, rows: Sequence[Row]) -> Row:
    return next(row for row in rows if row.calibration == shown.chosen)


def _answer(state: State) -> Answer:
    shown = _shown_release(state)
    if shown is None:
        with st.container(key="no_file"):
            st.info(text("release_no_file"), icon=":material/upload_file:")
        return
    view = state.view
    rows = _known_rows(shown, view)
    _draw_release(state, shown, rows)
    yield
    folded_part("Every mechanism, same budget", "open_mechanisms", _draw_mechanisms, shown, rows)
    label = "Who takes part more often than planned"
    folded_text(label, "open_more_often", lambda: words.more_often_text(rows))
    label = "What Koga et al. report: Tables 1 and 2"
    folded_text(label, "open_release_paper", words.published_text)
    label, seed = "Each mechanism's release: Figures 1 and A1 of Koga et al.", view.release_seed
    if named := _of_the_figures(shown):  # none, of a large δ and an ε of the exact accounting alone
        folded_part(label, "open_each", _draw_each, shown, named, seed)
    label = "Error by sampling frequency: Figure 2 of Koga et al."
    folded_part(label, "open_frequencies", _draw_frequencies, seed)
    folded_part("Filters: Figure A2 of Koga et al.", "open_failure", _draw_failure)
    folded_conditions(lambda: words.certificate_text(shown.chosen))
    folded_code(lambda: _code(state, shown))
    draw_reading("release_reading")


QUESTION = question_of_no_run(
    introduction="release_introduction",
    settings=(
        "release_source",
        when(viewed("release_source", "lane"), "lane_days"),
        when(viewed("release_source", "file"), _counts_upload),
        "release_epsilon",
        "release_delta",
        _participation,
        "times_per_step",
        "release_rate",
        when(viewed("release_source", "synth"), "synth_frequency", "synth_noise"),
        fold("Another mechanism", "open_mechanism", "release_way", "filter_width"),
        fold(
            "Repetitions, seed, more participation",
            "open_trials",
            "release_repetitions",
            "participation_factor",
            draw_anew(
                "release_seed",
                "release_anew",
                "Draws the series and the noise anew. The same seed gives the same ones.",
            ),
        ),
    ),
    answer=_answer,
    table=_released_table,
    file="dpviz-release.csv",
)
