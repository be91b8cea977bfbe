"""The charts of the lessons for paper: each as its page opens, with the slider's ends beside it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from dpviz.figures import Band, bands_chart
from dpviz.figures.attack_rates import people_chart
from dpviz.figures.batch_drawing import batch_drawing
from dpviz.figures.densities import membership_game_chart
from dpviz.figures.epsilon_lines import sweep_chart
from dpviz.figures.parts import STYLES, Spec
from dpviz.figures.protected_series import protected_series
from dpviz.figures.static_svg import svg_of
from dpviz.planning import Order, ScenarioCurves, curves_of
from dpviz.planning.attack_rates import attack_rates
from dpviz.planning.calibrate import calibrated
from dpviz.planning.drawn_batches import drawable_batches, drawn_run
from dpviz.planning.hit_laws import hit_law
from dpviz.planning.label_noise import LIMITS_OF_NOISE, compared_noises
from dpviz.planning.membership_game import Game, membership_game
from dpviz.planning.one_bag import (
    bag_run,
    compared_lengths,
    promise_run,
    series_first_run,
    with_window_length,
)
from dpviz.planning.order import winning_region
from dpviz.planning.over_steps import after_steps
from dpviz.planning.placement import excerpt, placement
from dpviz.planning.proven import SweepPoint, proven_epsilon
from dpviz.planning.subsequences import possible_subsequences, with_subsequences
from dpviz.planning.target import Target
from dpviz.scenario import Relation, Scenario
from dpviz.scenario.mechanism import COINS
from dpviz.settings.lessons import PAPER_SEED
from dpviz.wording import label_noise as noise_words
from dpviz.wording import membership_game as game_words
from dpviz.wording import one_bag as bag_words
from dpviz.wording.attack_rates import Told
from dpviz.wording.batch_drawing import batch_description
from dpviz.wording.findings import curve_title, curves_description
from dpviz.wording.lessons import Lesson
from dpviz.wording.markup import markdown_table
from dpviz.wording.numbers import counted, epsilon_at_most, joined, power_of_ten, rounded_down
from dpviz.wording.people import odds_of_run, people_description, people_headline
from dpviz.wording.protected_values import drawing_description, drawing_title
from dpviz.wording.proven_epsilon import sweep_description
from dpviz.wording.scope import conditions, protection_sentence
from dpviz.wording.subsequences import scenario_label
from dpviz.wording.theorems import brief_source

PAPER_ROUNDS = 10
_MOST_NAMED = 3  # runs whose names stand beside their points
_LONGER = (1, 1000, 10_000)  # steps, as the lesson says
_HEIGHT, _LOW, _HIGH = 340.0, 270.0, 440.0
Runs = list[tuple[str, Scenario]]


@dataclass(frozen=True, kw_only=True)
class LessonChart:
    """The chart of a lesson: as SVG, and what its numbers are bounds on, as Markdown."""

    svg: str
    caption: str


@lru_cache(maxsize=64)
def proven(scenario: Scenario) -> ScenarioCurves:
    """Return what is proven of a scenario: several lessons share some."""
    return curves_of(scenario)


def paper_game(lesson: Lesson) -> Game:
    """Return the game whose rounds are on paper."""
    return membership_game(lesson.scenario, lesson.view.game_kind, PAPER_SEED)


def lesson_chart(lesson: Lesson) -> LessonChart:
    """Return the chart that a lesson leads to.

    >>> from dpviz.wording.lessons import LESSONS_BY_NAME
    >>> chart = lesson_chart(LESSONS_BY_NAME["guess"])
    >>> chart.svg[:5], chart.caption
    ('<svg ', '')
    """
    runs = [
        (name, replace(proven(run), lower=None) if name == bag_words.PROMISE else proven(run))
        for name, run in lesson_runs(lesson)
    ]
    if draw := _DRAWINGS.get(lesson.name):
        figure, alt, height, caption = draw(lesson)
    else:
        figure, height, caption = _bands(lesson, runs), _HEIGHT, ""
        alt = curves_description(curve_title(runs[0][1]), runs)
    if runs:
        caption = bounds_table(runs)
    return LessonChart(svg=svg_of(figure, alt=alt, height=height), caption=caption)


def lesson_runs(lesson: Lesson) -> Runs:
    """Return the runs that a lesson compares, by name; none where it draws something else."""
    scenario = lesson.scenario
    if lesson.name == "person":  # who protects one hour, a day and two weeks
        step = scenario.units.time_step
        assert step is not None  # the lesson's data are hourly
        spans = (step.values_in(*span) for span in ((1, "hour"), (1, "day"), (2, "week")))
        return [
            (step.duration(width), replace(scenario, relation=Relation(width=width)))
            for width in spans
            if width is not None
        ]
    if lesson.name == "rates":
        half_r = scenario.with_rates(bottom_rate=scenario.bottom_rate / 2)
        half_rho = scenario.with_rates(top_rate=scenario.top_rate / 2)
        runs = (scenario, half_r, half_rho)
        return [(f"r = {run.bottom_rate:g}, ρ = {run.top_rate:g}", run) for run in runs]
    if lesson.name == "windows":
        several = [with_subsequences(scenario, many) for many in possible_subsequences(scenario)]
        return [(scenario_label(run), run) for run in several]
    if lesson.name == "steps":
        return [(counted(steps, "step"), after_steps(scenario, steps)) for steps in _LONGER]
    if lesson.name == "labels":
        compared = compared_noises(scenario, LIMITS_OF_NOISE)
        others = [(noise_words.forecast_label(run), run) for run in compared]
        return [(noise_words.forecast_label(scenario, is_own=True), scenario), *others]
    if lesson.name == "bag":
        return _bags(scenario)
    if lesson.name == "plan":
        target = Target(epsilon=lesson.view.target_epsilon, delta=scenario.delta)
        longer = replace(scenario.training, count=2 * scenario.training.count)
        found = [
            calibrated(replace(scenario, training=training), "noise_multiplier", target)
            for training in (scenario.training, longer)
        ]
        return [
            (f"{counted(run.num_epochs, 'epoch')}, σ = {run.noise.noise_multiplier}", run)
            for run in found
        ]
    return []


def _bags(scenario: Scenario) -> Runs:
    bag, first = bag_run(scenario), series_first_run(scenario)
    runs = [bag, bag_run(scenario, COINS), *([] if first is None else [first])]
    named = [(bag_words.loader_label(run), run) for run in runs]
    return [*named, (bag_words.PROMISE, promise_run(bag))]


def _bands(lesson: Lesson, runs: Sequence[tuple[str, ScenarioCurves]]) -> Spec:
    is_named = len(runs) <= _MOST_NAMED
    bands = [
        Band(curves=curves, label=name, style=style, mark=name if is_named else "")
        for (name, curves), style in zip(runs, STYLES, strict=False)
    ]
    one, *others = (curves for _, curves in runs)
    shades = [
        (stretch, f"{runs[0][0]} wins")
        for stretch in (winning_region(one, others) if lesson.name == "windows" else ())
        if stretch.order is Order.FIRST
    ]
    return bands_chart(bands, identity=lesson.name, shaded=shades)


def bounds_table(runs: Sequence[tuple[str, ScenarioCurves]]) -> str:
    """Return what is proven of each run, and for whom, as Markdown."""
    rows = []
    for name, curves in runs:
        attained = "none told"
        if curves.lower is not None and curves.epsilon_lower is not None:
            source = brief_source(curves.lower.bound)
            attained = f"ε ≥ {rounded_down(curves.epsilon_lower)} ({source})"
        upper = f"{epsilon_at_most(curves.epsilon_upper)} ({brief_source(curves.upper.bound)})"
        rows.append((name, upper, attained))
    delta = power_of_ten(runs[0][1].scenario.delta)
    heads = ["", f"ε at δ = {delta}, upper bound", "lower bound, attained"]
    of_individuals = [(name, curves) for name, curves in runs if name != bag_words.PROMISE]
    told = [protection_sentence(of_individuals)]
    if len(of_individuals) < len(runs):
        told.append(f"Of *{bag_words.PROMISE}*, what is protected is that window alone.")
    told.append(conditions([curves.upper.bound for _, curves in runs]))
    return f"{markdown_table(heads, rows)}\n\n{joined(*told)}"


Drawn = tuple[Spec, str, float, str]  # with what it shows in words, its height and its caption


def _game(lesson: Lesson) -> Drawn:
    game = paper_game(lesson)
    title = game_words.game_title(game, 0, tells_most=False)
    alt = game_words.game_description(game, "", title)
    return membership_game_chart(game, "", title), alt, _LOW, ""


def _people(lesson: Lesson) -> Drawn:
    view = lesson.view
    rate, curves = view.target_false_positive_rate, proven(lesson.scenario)
    rates = attack_rates(lesson.scenario, rate)
    odds = odds_of_run(Told(rates=rates, curves=curves, rate=rate, prior=view.prior))
    return people_chart(odds), people_description(odds), _LOW, people_headline(odds)


def _batch(lesson: Lesson) -> Drawn:
    scenario, view, shape = lesson.scenario, lesson.view, lesson.scenario.given_shape
    total = drawable_batches(scenario)
    run = drawn_run(scenario, view.drawing_seed, total)
    batch = view.drawn_batch
    (shown,) = drawn_run(scenario, view.drawing_seed, batch, batch).shown
    placed = placement(shape, scenario.relation)
    law, whole, so_far = hit_law(scenario), run.counts(), run.counts(batch)
    figure = batch_drawing(placed, shown, so_far, law=law, whole=whole, identity=lesson.name)
    return figure, batch_description(shown, placed), _HIGH, ""


def _series(lesson: Lesson) -> Drawn:
    scenario, shape = lesson.scenario, lesson.scenario.given_shape
    placed = placement(shape, scenario.relation)
    title = drawing_title(scenario, placed)
    figure = protected_series(
        placed, excerpt(placed), series_calendar=None, title=title, identity=lesson.name
    )
    return figure, drawing_description(title, scenario, placed, ""), _HEIGHT, ""


def _lengths(lesson: Lesson) -> Drawn:
    """Return epsilon against the window length, which moves all but the promise."""
    scenario, lengths = lesson.scenario, compared_lengths(lesson.scenario)

    def point(name: str, run: Scenario, length: int) -> SweepPoint:
        is_promise = name == bag_words.PROMISE
        found = proven_epsilon(run if is_promise else with_window_length(run, length))
        if is_promise:
            found = replace(found, lower=None)
        return SweepPoint(x=length, name=bag_words.length_name(length), proven=found)

    lines = [(name, [point(name, run, at) for at in lengths]) for name, run in _bags(scenario)]
    title = bag_words.lengths_title(lines[0][1], lines[-1][1][0].proven, is_complete=True)
    figure = sweep_chart(
        lines,
        title=title,
        identity=lesson.name,
        x_title="window length L_C + L_F (values)",
        own_x=scenario.given_shape.window_length,
        x_ticks=[(float(length), f"{length}") for length in lengths],
    )
    return figure, sweep_description(title, "the window length", lines), _HEIGHT, ""


_DRAWINGS: dict[str, Callable[[Lesson], Drawn]] = {
    "guess": _game,
    "epsilon": _people,
    "leak": _batch,
    "person": _series,
    "bag": _lengths,
}
