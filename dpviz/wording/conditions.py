"""What has to hold of a training run for what is proven of it: only what applies to it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache

from dpviz.guarantees import guarantee_for
from dpviz.scenario import Rates, Scenario
from dpviz.scenario.mechanism import AT_RANDOM, IN_ORDER
from dpviz.wording.numbers import counted, in_full
from dpviz.wording.texts import sections, wording_text

COVERED = ("covered", "covered-several", "covered-in-part")
# Of the top level, and of one bag by its bottom level.
_SERIES = {
    "without-replacement": "series-drawn",
    "poisson": "series-by-coins",
    "deterministic": "series-walked",
    "shuffled": "series-shuffled",
    "bins": "series-by-bins",
}
_BAGS = {"with-replacement": "bag-drawn", "poisson": "bag-by-coins"}
_WINDOWS = {"with-replacement": "windows-drawn", "poisson": "windows-by-coins"}
# What the line of an exported training script has in it that meets a condition.
_IN_SCRIPT = {
    "clipping": "total += model.clipped_sum(",
    "gradient-noise": "total += rng.normal(",
    "window-noise": "cut = noisy_windows(",
    **dict.fromkeys((*_SERIES.values(), *_BAGS.values(), *_WINDOWS.values()), "drawn = batches("),
    "positions": "cut = windows(",
    "nothing-else": "LEARNING_RATE =",
    **dict.fromkeys(("attacker", "attacker-of-a-walk"), "DEBUG_SEED = None"),
    **dict.fromkeys(("rates", *COVERED), "SCENARIO = "),
}


def line_in(script: str, key: str) -> int | None:
    """Return the number of the line of an exported training script that meets a condition, from 1.

    ``None`` if there is none: the script may be of another run.
    """
    lines = enumerate(script.splitlines(), start=1)
    mark = _IN_SCRIPT[key]
    return next((number for number, line in lines if line.lstrip().startswith(mark)), None)


def training_conditions(scenarios: Iterable[Scenario]) -> dict[str, str]:
    """Return the conditions of what is proven of some runs by key, each one once.

    What has to hold is Markdown, with TeX between dollar signs.

    Raises:
        ScenarioError: no bound covers one of them.
    """
    runs = defaultdict[str, list[Scenario]](list)
    for scenario in scenarios:
        for key in _keys(scenario):
            runs[key].append(scenario)
    return {
        key: _with_numbers(text, runs[key]) if key in COVERED else text
        for key, text in all_conditions().items()
        if key in runs
    }


def _with_numbers(told: str, runs: Sequence[Scenario]) -> str:
    """Return a condition with the numbers of who is covered, where all runs have the same."""
    relations = [run.relation for run in runs]
    placed = {(one.level, one.width) for one in relations}
    if len(placed) == 1:
        ((level, width),) = placed
        where = "" if width == 1 else " in a row" if level == "event" else ", anywhere,"
        told = told.replace("$w$ values", f"$w$ = {counted(width, 'value')}{where}")
    for symbol, field in {"m": "series_per_person", "v": "max_change"}.items():
        values = {getattr(one, field) for one in relations}
        if len(values) == 1 and None not in values:
            told = told.replace(f"${symbol}$", f"${symbol}$ = {in_full(values.pop())}")
    return told


@cache
def all_conditions() -> dict[str, str]:
    """Return every condition by its key, in the order in which they are told."""
    _, *parts = sections(wording_text("conditions")).items()
    return dict(parts)


def _keys(scenario: Scenario) -> Iterable[str]:
    sampling = scenario.sampling
    yield from ("clipping", "gradient-noise", "positions", "nothing-else")
    if isinstance(scenario.data, Rates):
        yield "rates"
    if scenario.noise.is_on_windows:
        yield "window-noise"
    if sampling.is_bag:
        yield _BAGS[sampling.bottom_level]
    else:
        top_level = sampling.top_level
        if sampling.has_bins and not scenario.has_several_bins:
            top_level = IN_ORDER
        elif sampling.takes_series_by_coins and not scenario.has_coins_for_series:
            top_level = AT_RANDOM
        yield from (_WINDOWS[sampling.bottom_level], _SERIES[top_level])
    knows_order = sampling.is_walk and not scenario.has_several_bins
    yield "attacker-of-a-walk" if knows_order else "attacker"
    if scenario.relation.series_per_person > 1:
        yield "covered-several"  # of noise on windows nothing is claimed, which limits changes
    else:
        yield "covered-in-part" if guarantee_for(scenario).upper.condition else "covered"
