"""What is asked to be trained, what begins or ends it, and simple forecasts beside it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic
from typing import Any

import streamlit as st

from dpviz.jobs import Limits, LongRun, LongRuns, TooCostlyError
from dpviz.jobs import State as RunState
from dpviz.planning.target import Target
from dpviz.planning.ways import to_less_noise, ways_found
from dpviz.scenario import Scenario, ScenarioError
from dpviz.settings import SETTINGS
from dpviz.training import compared_runs, small_run
from dpviz.training.budgeted_run import DivergedError
from dpviz.training.panel_source import NOT_ACCOUNTED, PanelSource, parts_of
from dpviz.training.progress import Progress, TrainingResult, accounted_scenario
from dpviz.training.run import not_accounted
from dpviz.training.settings import TrainingSettings
from dpviz.training.small_run import WithoutPrivacy
from dpviz.training.split import Split
from dpviz.ui import long_runs
from dpviz.ui.compute import part_of
from dpviz.ui.filling import fill_in, is_left_out
from dpviz.ui.page import say
from dpviz.ui.questions.train_settings import is_planned, is_private, trained_batch
from dpviz.ui.results import Part, T
from dpviz.ui.state import State, change_view
from dpviz.ui.widgets import act_button
from dpviz.wording import compared_runs as compared_words
from dpviz.wording import small_run as words
from dpviz.wording.compared_runs import Told, variant_label
from dpviz.wording.numbers import counted, number_rounded_up

# Of processor time, by estimate: what one visitor may ask for with one click.
MOST_SECONDS = 60.0
MOST_COMPARED_SECONDS = 180.0
START_AT_ONCE = "dpviz_train_at_once"
_NO_PROCESSES = (
    "Training needs a process of its own, and this server may start none (`DPVIZ_WORKERS=0`): run "
    "the code below on your own computer instead."
)
_LIMITS = Limits(seconds=60.0)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What the page's settings ask for."""

    run: small_run.SmallRun  # the run, or what the compared runs share
    source: PanelSource
    parts: Split
    variants: tuple[compared_runs.Variant, ...] = ()  # what is compared; empty for one run
    repeats: int = 1

    @property
    def wanted(self) -> int:
        """How many runs there are in all."""
        return sum(one.run is not None for one in self.variants) * self.repeats or 1

    @property
    def key(self) -> str:
        """Names it among all long runs."""
        told = [variant.run.key if variant.run else variant.refusal for variant in self.variants]
        return f"train {self.source.key} {self.run.key} {told} {self.repeats}"

    @property
    def not_accounted(self) -> tuple[str, ...]:
        """What is told of the data that epsilon does not cover, as sentences."""
        told = not_accounted(self.run.model, small_run.SHOWN_VALIDATION)
        if self.run.is_private and self.run.model != "naive":
            told = (*told, small_run.NOT_ACCOUNTED)
        return told if self.source.is_public else (*told, *NOT_ACCOUNTED)

    @property
    def steps(self) -> Callable[[], Iterator[Any]]:
        """What computes it, to be told to another process."""
        if not self.variants:
            return partial(small_run.told_by_run, self.run, self.source)
        return partial(compared_runs.told_by_comparison, self.variants, self.repeats, self.source)


def asked_for(state: State, source: PanelSource) -> Asked:
    """Return what the settings ask for.

    Raises:
        ScenarioError: it is refused, or would take too long.
        MissingPackageError: the data are not installed.
    """
    view = state.view
    parts = parts_of(source, view.trained_context, view.trained_forecast)
    run = small_run.small_run(
        state.scenario,
        parts,
        context_length=view.trained_context,
        forecast_length=view.trained_forecast,
        batch_size=trained_batch(state, source),
        max_change=view.trained_change,
        steps=view.trained_steps,
        model=view.trained_model,
        target_epsilon=view.target_epsilon if is_private(state) else None,
        fits_noise=view.trained_noise == "fit" and is_private(state),
        learning_rate=view.learning_rate,
        # Whoever knows it can take the noise off again.
        seed=view.trained_seed if source.is_public else None,
        # Of the file that was planned for, as in its plan: the visitor may have set them.
        units=None if source.is_public or not is_planned(state) else state.scenario.units,
    )
    run.check()
    asked = Asked(run=run, source=source, parts=parts)
    most = MOST_SECONDS
    if view.training_chart == "compare":
        variants = compared_runs.variants_of(run, view.compared_setting)
        asked = replace(asked, variants=variants, repeats=view.compared_seeds)
        most = MOST_COMPARED_SECONDS
    small_run.check_cost(run, most, asked.wanted)
    return asked


def begun_at_once(asked: Asked) -> LongRun | None:
    """Return the run, begun now if the visitor has asked for it on another page."""
    run = long_runs.known_run(asked.key)
    runs, is_wanted = long_runs.long_runs(), st.session_state.pop(START_AT_ONCE, False)
    is_there = run is not None and run.state is not RunState.CANCELLED
    if not is_wanted or is_there or runs is None:
        return run
    long_runs.begin(runs, asked.key, asked.steps, TrainingResult)
    return long_runs.known_run(asked.key)


def draw_start(asked: Asked, run: LongRun | None) -> None:
    """Draw the button that begins or ends the run, and how far it is."""
    runs = long_runs.long_runs()
    if runs is None:
        st.info(_NO_PROCESSES)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        if run is None or run.state is not RunState.DONE:
            _draw_row(runs, asked, run)
    long_runs.tell_if_full()


def _draw_row(runs: LongRuns, asked: Asked, run: LongRun | None) -> None:
    is_running = long_runs.is_under_way(run)
    many = counted(asked.wanted, "run")
    act_button(
        "Train" if asked.wanted == 1 else f"Train {many}",
        partial(long_runs.begin, runs, asked.key, asked.steps, TrainingResult),
        key="train_start",
        means=asked.key,
        primary=True,
        icon=":material/play_arrow:",
        # There all the while: what goes would stay in sight for as long as the page waits.
        disabled=is_running,
        explains="Computes in the background; ends when nobody has looked at this page for a "
        "minute.",
    )
    if run is None or not is_running:
        return
    act_button(
        "Cancel",
        partial(long_runs.leave, runs, run),
        key="train_cancel",
        means=asked.key,
        icon=":material/stop:",
        explains="Ends it, unless somebody else waits for the same.",
    )
    share, told = _progress(runs, asked, run)
    st.progress(share, text=told)


def _progress(runs: LongRuns, asked: Asked, run: LongRun) -> tuple[float, str]:
    if run.state is RunState.WAITING:
        return 0.0, long_runs.waiting_words(runs, run)
    if asked.variants:
        done = len(run.told)
        return done / asked.wanted, f"{done:,} of {counted(asked.wanted, 'run')} are done …"
    told = told_in(run, Progress)
    if not told:
        return 0.0, "Begins …"
    now, most = told[-1], words.steps_to_come(told[-1])
    if now.step >= most:  # of what follows nothing is told on the way
        is_told = first_in(run, TrainingResult) is not None
        return 1.0, f"{compared_words.all_steps_words(now.step, is_told=is_told)} …"
    share, left = now.step / max(1, most), None
    if len(told) >= 2 and share:  # about how long the steps to come take
        first, last = run.times[-len(told)], run.times[-1]
        left = max(0.0, (last - first) * (1.0 - share) / share - (monotonic() - last))
    return share, f"{words.progress_words(now)}{compared_words.left_words(left)} …"


def failure(run: LongRun) -> str:
    """Return why a run has failed, in a sentence; empty where it has not."""
    if run.state is not RunState.FAILED:
        return ""
    if isinstance(run.error, ScenarioError | DivergedError):
        settings = first_in(run, TrainingSettings)
        return words.failure_words(run.error, None if settings is None else settings.scenario)
    if isinstance(run.error, TooCostlyError):
        # An end says nothing of what was asked for, and the clock's sentence has its advice.
        advice = {"end": " You can start it again.", "clock": ""}.get(
            run.error.what, " Ask for fewer steps, or smaller windows and batches."
        )
        return f"It was ended, as {run.error}.{advice}"
    return "It was not trained, as something went wrong on this server. You can start it again."


def draw_beside_run(asked: Asked, result: TrainingResult) -> None:
    """Draw a finished run beside simple forecasts."""
    if (found := _baseline(asked)) is not None:
        error = compared_runs.crps_beside(result, found.of)
        st.markdown(words.baselines_table(found, result, error))
        st.caption(words.baselines_note(found))


def draw_beside_comparison(asked: Asked, setting: str, told: Told) -> None:
    """Draw compared runs beside simple forecasts."""
    is_any = any(isinstance(one, compared_runs.ComparedRun) for one in told)
    if is_any and (found := _baseline(asked)) is not None:
        runs = []
        for at, variant in enumerate(asked.variants):
            errors = [run.crps_beside for run in compared_runs.of_variant(told, at)]
            known = [error for error in errors if error is not None]
            if known:
                runs.append((variant_label(setting, variant.value), sum(known) / len(known)))
        say(words.compared_baselines(found, runs))


def _baseline(asked: Asked) -> compared_runs.SmoothedBaseline | None:
    """Return the simple forecasts once they are there; say so where they are not."""
    shape = asked.run.scenario.given_shape
    lengths = (shape.context_length, shape.forecast_length)
    part = Part(
        # A file's key is known to nobody but the visitor who has opened it.
        key=f"smoothed {asked.source.key} {asked.run.period} {lengths}",
        compute=partial(compared_runs.smoothed_baseline, asked.source, *lengths),
        limits=_LIMITS,
        is_long=True,
    )
    if is_left_out(part):
        st.caption(words.TOO_COSTLY)
        return None
    try:
        filled = fill_in([part])
    except ScenarioError:  # all that came is zero: the run has told its error as refused, too
        return None
    if filled.to_come:
        st.caption(words.UNDER_WAY)
    return filled.results[0]


def told_in(run: LongRun | None, kind: type[T]) -> list[T]:
    """Return what a run has told of a kind, oldest first."""
    return [] if run is None else [one for one in run.told if isinstance(one, kind)]


def first_in(run: LongRun | None, kind: type[T]) -> T | None:
    """Return the first, or only one, that a run has told of a kind."""
    return next(iter(told_in(run, kind)), None)


def result_in(asked: Asked, run: LongRun | None) -> TrainingResult | None:
    """Return a run's result, in the units that its series have by now."""
    result = first_in(run, TrainingResult)
    return None if result is None else replace(result, settings=_in_units(asked, result.settings))


def settings_in(asked: Asked, run: LongRun | None) -> TrainingSettings | None:
    """Return what a run is trained by, in those units."""
    settings = first_in(run, TrainingSettings)
    return None if settings is None else _in_units(asked, settings)


def _in_units(asked: Asked, settings: TrainingSettings) -> TrainingSettings:
    return replace(settings, scenario=replace(settings.scenario, units=asked.run.scenario.units))


def spent_without_result(asked: Asked, run: LongRun | None) -> Scenario | None:
    """Return what a run that is over has spent, where it has no result but has shown its course."""
    if run is None or not run.state.is_over:
        return None
    settings = settings_in(asked, run)
    spent = [one.spent for one in told_in(run, Progress)]
    if isinstance(run.error, DivergedError):
        spent.append(run.error.spent)
    return accounted_scenario(settings, spent[-1]) if settings is not None and spent else None


def draw_next(asked: Asked, result: TrainingResult, run: LongRun | None) -> None:
    """Draw what to try next against too much noise."""
    spent, target = result.spent, result.settings.target
    lowest, _ = SETTINGS["target_epsilon"].limits
    if (
        target is None
        or spent is None
        or spent.epsilon is None
        or spent.epsilon < lowest
        or not compared_words.is_too_noisy(result, first_in(run, WithoutPrivacy))
    ):
        return
    scenario = result.settings.scenario
    # Noise that was fitted, and training that the budget ended, have spent it but for a rest.
    is_spent = asked.run.fits_noise or result.steps < result.settings.most_steps
    epsilon = min(number_rounded_up(spent.epsilon), target.epsilon)
    goal = Target(epsilon=target.epsilon if is_spent else epsilon, delta=spent.delta)
    quantities = compared_words.SETTING_OF
    parts = [part_of(ways_found, to_less_noise, scenario, one, goal) for one in quantities]
    filled = fill_in(parts)
    if not filled.is_complete:
        return
    every = [way for ways in filled.results for way in ways or ()]
    found = [way for way in every if compared_words.can_be_next(way, scenario)]
    way = min(found, key=lambda one: one.factor, default=None)
    with st.container(horizontal=True, vertical_alignment="center"):
        is_public = asked.source.is_public
        said = compared_words.next_words(way, goal.epsilon, asked.run, is_public=is_public)
        st.markdown(said, width="stretch")
        if way is not None:
            made = {
                "trained_batch": way.scenario.sampling.batch_size,
                "trained_steps": way.scenario.num_steps,
                "trained_noise": "fit",
                "target_epsilon": goal.epsilon,
            }
            act_button(
                "Set it",
                lambda: change_view(lambda: made),
                key="train_next",
                means=f"{way.quantity} {way.after!r}",
                explains="Nothing is trained yet.",
            )
