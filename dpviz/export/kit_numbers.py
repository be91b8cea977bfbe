"""The numbers of the teacher's kit: of its exercises and its two tests, each computed."""

from dataclasses import dataclass, replace
from itertools import permutations
from math import ceil

from dpviz.export.code import command_line
from dpviz.export.lesson_charts import Runs, bounds_table, lesson_runs, proven
from dpviz.planning import Order, proven_order_at_delta
from dpviz.planning.attack_rates import attackers_gain
from dpviz.planning.calibrate import calibrated
from dpviz.planning.one_bag import bag_run, bag_size, promise_run
from dpviz.planning.over_steps import after_steps
from dpviz.planning.subsequences import with_subsequences
from dpviz.planning.target import Target
from dpviz.scenario import PRESETS, Noise, Relation, Scenario
from dpviz.scenario.mechanism import COINS
from dpviz.wording.lessons import LESSONS_BY_NAME
from dpviz.wording.markup import markdown_table
from dpviz.wording.numbers import power_of_ten, rounded, rounded_down, rounded_up
from dpviz.wording.one_bag import loader_label
from dpviz.wording.people import PEOPLE, odds_of_pair
from dpviz.wording.theorems import composed_source, named_theorem

HOURLY = PRESETS["electricity"].scenario
_SMALL = LESSONS_BY_NAME["rates"].scenario
_DAY = 24  # hours
_EPSILONS = {"small": 0.5, "middle": 1.0, "large": 4.0}
_GOAL = 1.0
_LESS_NOISE = 1  # per cent less misses the goal


def at_most(scenario: Scenario) -> str:
    """Return the upper bound on epsilon at the scenario's delta, rounded up."""
    epsilon = proven(scenario).epsilon_upper
    assert epsilon is not None  # of all that the kit tells
    return rounded_up(epsilon)


def at_least(scenario: Scenario) -> str:
    """Return the lower bound, rounded down."""
    epsilon = proven(scenario).epsilon_lower
    assert epsilon is not None  # as above
    return rounded_down(epsilon)


def _source(scenario: Scenario) -> str:
    return composed_source(proven(scenario).upper.bound)


def _least_words(scenario: Scenario) -> str:
    """Return what no analysis can promise less than, and by what."""
    lower = proven(scenario).lower
    assert lower is not None  # of all that the kit tells
    return f"ε = {at_least(scenario)} (lower bound, {composed_source(lower.bound)})"


def _is_proven_less(one: Scenario, other: Scenario) -> bool:
    return proven_order_at_delta(proven(one), proven(other)) is Order.FIRST


def _even_odds(epsilon: float, delta: float) -> str:
    """Return of how many of 100 guesses at even odds are right at most."""
    return f"{ceil(PEOPLE * odds_of_pair(epsilon, delta, 0.5, 0.5).success)}"


def day_run() -> Scenario:
    """Return the training that protects a day of one customer."""
    return replace(HOURLY, relation=Relation(width=_DAY))


def needed_run() -> Scenario:
    """Return the same with as little noise as meets the goal."""
    return calibrated(day_run(), "noise_multiplier", Target(epsilon=_GOAL, delta=HOURLY.delta))


def halved_runs() -> list[Scenario]:
    """Return the small training, with half of either rate, and with half of the batch."""
    one, half_r, half_rho = (run for _, run in lesson_runs(LESSONS_BY_NAME["rates"]))
    return [one, half_r, half_rho, after_steps(half_rho, 2 * one.num_steps)]


def compared_ways() -> Runs:
    """Return the ways to draw a batch that an exercise compares."""
    several = [("λ = 1", _SMALL), ("λ = 2", with_subsequences(_SMALL, 2))]
    bags = [bag_run(_SMALL), bag_run(_SMALL, COINS)]
    return [*several, *((loader_label(run), run) for run in bags)]


def exercise_numbers() -> dict[str, str]:
    """Return what the exercises and their solutions tell, by the names in their text."""
    shape, own = HOURLY.given_shape, at_most(HOURLY)
    of_windows = {
        "series": f"{shape.num_series:,}",
        "context": f"{shape.context_length}",
        "forecast": f"{shape.forecast_length}",
        "day": f"{_DAY}",
        "places": f"{shape.start_positions:,}",
        "hour_windows": f"{HOURLY.touched_windows}",
        "day_windows": f"{day_run().touched_windows}",
        "share": rounded(HOURLY.bottom_rate),
    }
    of_odds = {
        "hundred": f"{PEOPLE}",
        **{name: f"{epsilon:g}" for name, epsilon in _EPSILONS.items()},
        **{f"{name}_right": _even_odds(epsilon, 0.0) for name, epsilon in _EPSILONS.items()},
        "own": own,
        "own_source": _source(HOURLY),
        "delta": power_of_ten(HOURLY.delta),
        "pair_right": _even_odds(float(own), HOURLY.delta),
        "curve_right": f"{ceil(PEOPLE * attackers_gain(HOURLY).success.share)}",
    }
    return of_windows | of_odds | _of_halves() | _of_orders() | _of_offer()


def _of_halves() -> dict[str, str]:
    runs = halved_runs()
    one, half_r, _, half_batch = runs
    rows = [
        (f"{run.bottom_rate:g}", f"{run.top_rate:g}", f"{run.num_steps:,}",
         "?" if run is half_r else f"ε ≤ {at_most(run)}")
        for run in runs
    ]  # fmt: skip
    end = "Yes, the order is proven." if _is_proven_less(half_batch, one) else "It proves no order."
    return {
        "sigma": f"{one.noise.noise_multiplier:g}",
        "small_delta": power_of_ten(one.delta),
        "rates_theorem": named_theorem(proven(one).upper.bound.theorem),
        "rates_table": markdown_table(["r", "ρ", "steps", "upper bound"], rows, "r"),
        "halved": at_most(half_r),
        "half_batch": f"It has ε ≤ {at_most(half_batch)}, and no analysis can promise the first "
        f"one less than {_least_words(one)}. {end}",
    }


def _of_orders() -> dict[str, str]:
    ways = compared_ways()
    return {
        "small_batch": f"{_SMALL.sampling.batch_size}",
        "small_steps": f"{_SMALL.num_steps:,}",
        "ways_table": bounds_table([(name, proven(run)) for name, run in ways]),
        "orders": "\n".join(
            f"- *{name}* is below *{other}*: {at_most(run)} < {at_least(above)}"
            for (name, run), (other, above) in permutations(ways, 2)
            if _is_proven_less(run, above)
        ),
    }


def _of_offer() -> dict[str, str]:
    bag, needed = bag_run(HOURLY), needed_run()
    return {
        "bag_windows": f"{bag_size(HOURLY.given_shape):,}",
        "batch": f"{HOURLY.sampling.batch_size}",
        "steps": f"{bag.num_steps:,}",
        "epochs": f"{HOURLY.num_epochs:,}",
        "offered_sigma": f"{HOURLY.noise.noise_multiplier:g}",
        "promise": at_most(promise_run(bag)),
        "promise_source": _source(promise_run(bag)),
        "offer_truth": f"ε ≤ {at_most(bag)} (upper bound, {_source(bag)}). No analysis can promise "
        f"less than {_least_words(bag)}.",
        "goal": f"{_GOAL:g}",
        "needed_sigma": f"{needed.noise.noise_multiplier:g}",
        "reached": at_most(needed),
        "needed_source": _source(needed),
        "less_noise": f"{_LESS_NOISE}",
        "command": command_line(needed),
    }


@dataclass(frozen=True, kw_only=True)
class Form:
    """One of two tests with the same questions, written before or after the lessons.

    ``rates`` are r and rho of four steps, that with the smallest product first.
    """

    name: str
    run: Scenario
    rates: tuple[tuple[float, float], ...]

    @property
    def runs(self) -> list[Scenario]:
        """Its training, with two windows per series, from one bag, and what is promised of that."""
        bag = bag_run(self.run)
        return [self.run, with_subsequences(self.run, 2), bag, promise_run(bag)]


def _form_run(context: int, forecast: int, sigma: float, steps: int) -> Scenario:
    shape = replace(
        _SMALL.given_shape, series_lengths=(200,), context_length=context, forecast_length=forecast
    )
    return after_steps(replace(_SMALL, data=shape, noise=Noise(noise_multiplier=sigma)), steps)


FORMS = (
    Form(
        name="before",
        run=_form_run(5, 3, 1.5, 500),
        rates=((0.2, 0.02), (0.05, 0.1), (0.01, 0.9), (0.1, 0.1)),
    ),
    Form(
        name="after",
        run=_form_run(6, 4, 1.25, 800),
        rates=((0.02, 0.1), (0.3, 0.01), (0.05, 0.08), (0.01, 0.5)),
    ),
)


def form_numbers(form: Form) -> dict[str, str]:
    """Return what a test and its key tell, by the names in their text."""
    one, two, bag, promise = form.runs
    shape, first = one.given_shape, at_most(after_steps(one, 1))
    names = ("least", "second", "third", "fourth")
    rates = {
        f"{symbol}_{name}": f"{value:g}"
        for name, pair in zip(names, form.rates, strict=True)
        for symbol, value in zip(("r", "rho"), pair, strict=True)
    }
    r, rho = form.rates[0]
    return rates | {
        "product": rounded(r * rho),
        "context": f"{shape.context_length}",
        "forecast": f"{shape.forecast_length}",
        "touched": f"{one.touched_windows}",
        "delta": power_of_ten(one.delta),
        "steps": f"{one.num_steps:,}",
        "first": first,
        "all": at_most(one),
        "sum": rounded_up(one.num_steps * float(first)),
        "source": _source(one),
        "above_a": at_most(one),
        "above_b": at_most(two),
        "below_c": at_least(bag),
        "batch": f"{one.sampling.batch_size}",
        "half": f"{two.sampling.series_per_batch}",
        "least": _least_words(bag),
        "promise": at_most(promise),
        "promise_source": _source(promise),
    }
