"""What to mind about settings and answers that protect hardly anybody, in one sentence each."""

from dataclasses import dataclass

from dpviz.planning import ScenarioCurves
from dpviz.planning.single_unit import single_unit_exceeds
from dpviz.scenario import DataShape, Scenario
from dpviz.wording.epsilon_tiers import HARDLY_ANY_PROTECTION
from dpviz.wording.numbers import capitalised, counted, rounded_down, rounded_up
from dpviz.wording.scope import weak_delta


@dataclass(frozen=True)
class SettingWarning:
    """Something to mind.

    Args:
        field: the scenario's field, or ``batch_share``, beside whose control it belongs;
            ``epsilon`` for the answer itself.
        sentence: one plain sentence.
    """

    field: str
    sentence: str


def setting_warnings(scenario: Scenario) -> tuple[SettingWarning, ...]:
    """Return what to mind about a scenario, without computing its curves.

    >>> from dataclasses import replace
    >>> from dpviz.scenario import PRESETS
    >>> toy = PRESETS["toy"].scenario
    >>> setting_warnings(toy)
    ()
    >>> [(told.field, told.sentence) for told in setting_warnings(toy.with_rates(top_rate=1.0))]
    [('top_rate', 'Every batch draws every series (ρ = 1): choosing series gains nothing.')]
    """
    told = {
        "context_length": _long_windows(scenario.shape),
        "bottom_rate": _every_window(scenario),
        "top_rate": _every_series(scenario),
        "batch_share": _whole_bag(scenario),
        "noise_multiplier": _weak_noise(scenario),
        "delta": weak_delta(scenario),
    }
    return tuple(SettingWarning(field, sentence) for field, sentence in told.items() if sentence)


def answer_warnings(curves: ScenarioCurves) -> tuple[SettingWarning, ...]:
    """Return what to mind about an answer: that its epsilon is hardly any protection."""
    upper, lower = curves.epsilon_upper, curves.epsilon_lower
    least = ""
    if lower is not None and lower > HARDLY_ANY_PROTECTION:
        least = f"no analysis can promise less than ε = {rounded_down(lower)}"
    if upper is None:
        most = "No finite ε is proven, which promises nothing"
    elif upper > HARDLY_ANY_PROTECTION:
        most = f"ε ≤ {rounded_up(upper)} is hardly any protection"
    else:  # if anything, then of the individuals whom the upper bound is not about
        sentence = f"{capitalised(least)}, which is hardly any protection."
        return (SettingWarning("epsilon", sentence),) if least else ()
    return (SettingWarning("epsilon", f"{most}{'; ' if least else ''}{least}."),)


def _long_windows(shape: DataShape | None) -> str:
    """Return that windows are longer than a series: these are padded on the left."""
    if shape is None or shape.window_length <= shape.series_lengths[0]:
        return ""
    length = shape.series_lengths[0]
    which = "the shortest" if _has_several_lengths(shape) else "a"
    missing = counted(shape.window_length - length, "value")
    return (
        f"A window of {counted(shape.window_length, 'value')} is longer than {which} series "
        f"({length:,}): at least {missing} of it "
        f"{'is' if shape.window_length - length == 1 else 'are'} padding."
    )


def _every_window(scenario: Scenario) -> str:
    """Return that r is 1; of one bag r decides nothing."""
    sampling, shape = scenario.sampling, scenario.shape
    if sampling.is_bag or scenario.bottom_rate < 1.0:
        return ""
    series = "the shortest series" if shape and _has_several_lengths(shape) else "a series"
    fact = f"Every window of {series} can touch the individual's values (r = 1)"
    is_noisy = scenario.noise.is_on_windows
    # Independent draws may all miss, and noise hides more in some windows than in others.
    if sampling.takes_windows_by_coins or is_noisy:
        return f"{fact}."
    return f"{fact}: choosing windows gains nothing."


def _every_series(scenario: Scenario) -> str:
    """Return that rho is 1."""
    if scenario.sampling.is_bag or scenario.top_rate < 1.0:
        return ""
    way = "walking through" if scenario.sampling.is_walk else "choosing"
    return f"Every batch draws every series (ρ = 1): {way} series gains nothing."


def _whole_bag(scenario: Scenario) -> str:
    """Return that a batch holds all windows of the one bag."""
    if not scenario.sampling.is_bag or scenario.top_rate < 1.0:
        return ""
    return "Every batch has every window of the bag (Λ = N_total): drawing windows gains nothing."


def _weak_noise(scenario: Scenario) -> str:
    """Return that a single step or epoch is beyond what protects.

    A criterion of σ alone would be wrong for somebody: where the protected values are hardly ever
    drawn, chance hides them under any noise. What is proven of one step counts that in.
    """
    if not single_unit_exceeds(scenario, HARDLY_ANY_PROTECTION):
        return ""
    unit = scenario.sampling.composed_unit
    return (
        f"So little noise hides hardly anything: even for a single {unit}, no analysis can promise "
        f"ε ≤ {HARDLY_ANY_PROTECTION:g} at this δ."
    )


def _has_several_lengths(shape: DataShape) -> bool:
    return len(shape.series_lengths) > 1 or shape.longer_series_beyond is not None
