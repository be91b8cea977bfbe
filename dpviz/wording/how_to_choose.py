"""Where to start, by what the data are like: the settings that each piece of advice shows.

The numbers are those of :func:`dpviz.planning.curves_of`, rounded to their own side; the tests
compute each of them anew.
"""

from dataclasses import dataclass, field, replace
from itertools import compress
from urllib.parse import urlencode

from dpviz.guarantees import guarantee_for
from dpviz.planning.label_noise import with_noise
from dpviz.planning.one_bag import bag_run
from dpviz.planning.over_steps import after_steps, under_top_level
from dpviz.planning.protection import at_relation
from dpviz.planning.subsequences import with_subsequences
from dpviz.scenario import PRESETS, DataShape, Noise, Rates, Sampling, Scenario, Training, to_query
from dpviz.scenario.mechanism import AT_RANDOM, COINS, IN_ORDER
from dpviz.settings import View
from dpviz.settings.view import view_to_query
from dpviz.wording.markup import markdown_table
from dpviz.wording.numbers import power_of_ten
from dpviz.wording.scope import protected_in, run_length
from dpviz.wording.theorems import extension_mark, theorem_link

_SCOPE = ("At", "Hides", "After", "Upper bound by")


@dataclass(frozen=True)
class Example:
    """Settings, and what is proven of them.

    Args:
        at_most: the upper bound on epsilon at the scenario's delta, rounded up.
        at_least: the lower bound, rounded down; empty where none is proven.
    """

    name: str
    scenario: Scenario
    at_most: str
    at_least: str


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A piece of advice.

    Args:
        key: its anchor, and the name of its text.
        more: pages to go on with besides that of the examples, with what they are for.
    """

    key: str
    examples: tuple[Example, ...]
    page: str = "privacy_curve"
    view: View = field(default_factory=View)
    more: tuple[tuple[str, str], ...] = ()

    def address(self, example: Example) -> str:
        """Return where the settings of an example are opened, seen from a page."""
        view = urlencode(view_to_query(self.view))
        return f"{self.page}?" + "&".join(filter(None, (to_query(example.scenario), view)))


def examples_table(choice: Choice) -> str:
    """Return the settings with their bounds, as Markdown: what all rows share stands above them."""
    scopes = [_scope(example.scenario) for example in choice.examples]
    differ = [len(set(values)) > 1 for values in zip(*scopes, strict=True)]
    *shared, theorem = scopes[0]
    shared = [*shared, f"upper bounds by {theorem}"]
    told = [words for words, is_own in zip(shared, differ, strict=True) if not is_own]
    # Phones show the first columns: the numbers before what they are about.
    heads = ["Settings", "ε", "ε, attained", *compress(_SCOPE, differ)]
    rows = [
        [
            f"[{example.name}]({choice.address(example)})",
            f"≤ {example.at_most}",
            f"≥ {example.at_least}" if example.at_least else "none proven",
            *compress(scope, differ),
        ]
        for example, scope in zip(choice.examples, scopes, strict=True)
    ]
    return f"For {', '.join(told)}:\n\n{markdown_table(heads, rows)}"


def _scope(scenario: Scenario) -> tuple[str, str, str, str]:
    """Return what an upper bound is about: delta, individual, length of training, theorem."""
    bound = guarantee_for(scenario).upper
    return (
        f"δ = {power_of_ten(scenario.delta)}",
        protected_in(scenario),
        run_length(scenario),
        theorem_link(bound.theorem) + extension_mark(bound),
    )


def more_links(choice: Choice) -> str:
    """Return where to go on from a piece of advice, as Markdown."""
    return " · ".join(f"[{words}]({page})" for page, words in choice.more)


_TRAFFIC = PRESETS["traffic"].scenario
_TOY = PRESETS["toy"].scenario


def _one_epoch(top_level: str) -> Scenario:
    return Scenario(
        data=Rates(bottom_rate=0.5, top_rate=0.5, steps_per_epoch=2),
        sampling=Sampling(top_level=top_level, batch_size=32),
        noise=Noise(noise_multiplier=1.0),
        training=Training(unit="epochs", count=1),
    )


def _few_series(windows: int, noise_multiplier: float) -> Scenario:
    return Scenario(
        data=DataShape(
            num_series=8, series_lengths=(50_000,), context_length=96, forecast_length=24
        ),
        sampling=Sampling(batch_size=8 * windows, num_subsequences=windows),
        noise=Noise(noise_multiplier=noise_multiplier),
        training=Training(unit="steps", count=1000),
        units=_TRAFFIC.units,
    )


def _batch(size: int) -> Scenario:
    """Return a run on as many windows, with as much noise on an averaged gradient as ever."""
    before = _TRAFFIC.sampling.batch_size
    # An epoch is as many full batches as there are: its number of windows depends on their size.
    run = after_steps(_TRAFFIC, _TRAFFIC.num_steps * before // size)
    noise = Noise(noise_multiplier=_TRAFFIC.noise.noise_multiplier / before * size)
    return replace(run, sampling=replace(run.sampling, batch_size=size), noise=noise)


_WALK = under_top_level(_TRAFFIC, IN_ORDER)
_TWO_WEEKS = at_relation(_TRAFFIC, "event", 336)
_WHOLE_SERIES = at_relation(_TRAFFIC, "user", 17_544)
_WITH_MUCH_NOISE = replace(_WHOLE_SERIES, noise=Noise(noise_multiplier=50.0))
_WHOLE_SOLAR_SERIES = at_relation(PRESETS["solar_10_minutes"].scenario, "user", 52_560)
_WITHOUT_CONTEXT = replace(_TRAFFIC, data=replace(_TRAFFIC.given_shape, context_length=0))
_NOISED_WITHOUT_CONTEXT = with_noise(_WITHOUT_CONTEXT, forecast=2.0)
_NOISED = {sigma: with_noise(_TRAFFIC, forecast=sigma) for sigma in (2.0, 1000.0)}
_NOISED_ALL = with_noise(_TRAFFIC, context=2.0, forecast=2.0)
_EIGHT_WINDOWS = with_subsequences(_TOY, 8)


CHOICES = (
    Choice(
        key="who",
        examples=(
            Example("One value", _TRAFFIC, "0.6374", "0.5428"),
            Example("Two weeks of hours in a row", _TWO_WEEKS, "2.649", "2.25"),
            Example("Four hours anywhere", at_relation(_TRAFFIC, "user", 4), "2.807", "2.384"),
            Example("A whole series", _WHOLE_SERIES, "269.9", "229.5"),
        ),
        page="protection",
    ),
    Choice(
        key="delta",
        examples=(
            Example("δ = 1e-5", replace(_TRAFFIC, delta=1e-5), "0.4908", "0.4148"),
            Example("δ = 1e-7", _TRAFFIC, "0.6374", "0.5428"),
            Example("δ = 1e-9", replace(_TRAFFIC, delta=1e-9), "0.7594", "0.6495"),
        ),
        page="epsilon_meaning",
    ),
    Choice(
        key="many-series",
        examples=(
            Example("862 series, drawn at random", _TRAFFIC, "0.6374", "0.5428"),
            Example("862 series, walked through", _WALK, "1.291", "1.109"),
            Example("r = ρ = 0.5, drawn at random", _one_epoch(AT_RANDOM), "13.83", "13.81"),
            Example("r = ρ = 0.5, walked through", _one_epoch(IN_ORDER), "10.95", "10.94"),
        ),
        page="sample_or_walk",
    ),
    Choice(
        key="few-series",
        examples=(
            Example("8 series, λ = 1, σ = 1, Λ = 8", _few_series(1, 1.0), "7.537", "7.358"),
            Example("8 series, λ = 4, σ = 1, Λ = 32", _few_series(4, 1.0), "23.27", "22.04"),
            Example("8 series, λ = 4, σ = 4, Λ = 32", _few_series(4, 4.0), "0.8888", "0.7774"),
            Example("8 series, λ = 1, σ = 4, Λ = 8", _few_series(1, 4.0), "0.2053", "0.1795"),
        ),
        more=(("glossary?term=noise-per-gradient", "Noise per gradient"),),
    ),
    Choice(
        key="one-window-first",
        examples=(
            Example("λ = 1", _TOY, "19.03", "17.59"),
            Example("λ = 8", _EIGHT_WINDOWS, "199.3", "183.8"),
            Example("λ = 1, one step", after_steps(_TOY, 1), "5.397", "5.396"),
            Example("λ = 8, one step", after_steps(_EIGHT_WINDOWS, 1), "68.85", "64.45"),
        ),
        page="subsequences",
    ),
    Choice(
        key="public-calendar",
        examples=(
            Example("96 past values read", _TRAFFIC, "0.6374", "0.5428"),
            Example("Public inputs only, L_C = 0", _WITHOUT_CONTEXT, "0.1166", "0.09922"),
        ),
        more=(("glossary?term=context-length", "Context length"),),
    ),
    Choice(
        key="loader",
        examples=(
            Example("At random", _TRAFFIC, "0.6374", "0.5428"),
            Example("By coins", under_top_level(_TRAFFIC, COINS), "0.5313", "0.5012"),
            Example("Walk", _WALK, "1.291", "1.109"),
            Example("Shuffled", under_top_level(_TRAFFIC, "shuffled"), "1.291", "0.5179"),
            Example("In bins", under_top_level(_TRAFFIC, "bins"), "0.6458", "0.5848"),
        ),
        page="batch_drawing",
        more=(("sample_or_walk", "The ways compared"),),
    ),
    Choice(
        key="by-coins",
        examples=(
            Example("By coins", under_top_level(_TOY, COINS), "3.734", "3.556"),
            Example("A fixed number", _TOY, "19.03", "17.59"),
        ),
        page="sample_or_walk",
        more=(("planner", "Plan with coins"),),
    ),
    Choice(
        key="one-bag",
        examples=(
            Example("One bag, fixed size", bag_run(_TOY), "21.52", "20.11"),
            Example("One bag, by coins", bag_run(_TOY, COINS), "3.588", "3.585"),
            Example("Series first", _TOY, "19.03", "17.59"),
        ),
        page="one_bag",
        view=View(bag_chart="curve"),
    ),
    Choice(
        key="label-noise",
        examples=(
            Example("Public inputs, no noise", _WITHOUT_CONTEXT, "0.1166", "0.09922"),
            Example("Public inputs, σ_F = 2", _NOISED_WITHOUT_CONTEXT, "0.02093", "0.01775"),
            Example("Past values read, σ_F = 2", _NOISED[2.0], "0.5297", "0.4284"),
            Example("Past values read, σ_F = 1000", _NOISED[1000.0], "0.5035", "0.4284"),
            Example("Past values read, σ_C = σ_F = 2", _NOISED_ALL, "0.115", "0.09774"),
        ),
        page="label_noise",
    ),
    Choice(
        key="batch-and-steps",
        examples=(
            Example("Λ = 128, σ = 2", _batch(128), "1.281", "0.9954"),
            Example("Λ = 256, σ = 4", _batch(256), "0.6374", "0.5428"),
            Example("Λ = 512, σ = 8", _batch(512), "0.3888", "0.356"),
        ),
        more=(("planner?plan_chart=map", "The map around your plan"),),
    ),
    Choice(
        key="give-up",
        examples=(
            Example("862 series, all of one protected", _WHOLE_SERIES, "269.9", "229.5"),
            Example("The same with σ = 50", _WITH_MUCH_NOISE, "7.308", "7.217"),
            Example("137 series, all of one protected", _WHOLE_SOLAR_SERIES, "2,093", "2,054"),
        ),
        page="protection",
        more=(("planner", "Plan with your own data"),),
    ),
)
