"""What noise on context and labels buys, as sentences that stay true."""

from dpviz.guarantees import covers_noise_on_windows
from dpviz.planning import ScenarioCurves
from dpviz.planning.label_noise import has_noise, untold_by_rates
from dpviz.scenario import Scenario
from dpviz.scenario.mechanism import LARGEST_AUGMENTATION
from dpviz.wording.findings import quoted_epsilon
from dpviz.wording.numbers import capitalised, counted, power_of_ten, rounded_down, rounded_up
from dpviz.wording.protection import caveats
from dpviz.wording.scope import protected_in, run_length, scheme_name
from dpviz.wording.theorems import bound_meaning

WHAT_IS_COVERED = (
    "A theorem covers the noise for one window per series (λ = 1), drawn with replacement, whether "
    'series are drawn or walked through: choose that under "How series and windows are drawn".'
)


def sigma_text(sigma: float) -> str:
    """Return a standard deviation in units of v, with all its digits.

    >>> sigma_text(2.0), sigma_text(0.0), sigma_text(1e6)
    ('2', '0', '10⁶')
    """
    if sigma == 0.0:
        return "0"
    return "10⁶" if sigma == LARGEST_AUGMENTATION else power_of_ten(sigma)


def noise_words(scenario: Scenario) -> str:
    """Return which noise the windows get.

    >>> from dpviz.planning.label_noise import with_noise
    >>> from dpviz.scenario import PRESETS
    >>> noise_words(with_noise(PRESETS["toy"].scenario, context=0.5, forecast=2.0))
    'noise of σ_C = 0.5 on context and σ_F = 2 on labels'
    """
    noise = scenario.noise
    parts = [
        f"{name} = {sigma_text(sigma)} on {what}"
        for name, sigma, what in (
            ("σ_C", noise.context_noise, "context"),
            ("σ_F", noise.forecast_noise, "labels"),
        )
        if sigma > 0.0
    ]
    return f"noise of {' and '.join(parts)}" if parts else "no noise on windows"


def forecast_label(scenario: Scenario, *, is_own: bool = False) -> str:
    """Return a curve's name, by its noise on labels."""
    label = f"labels with σ_F = {sigma_text(scenario.noise.forecast_noise)}"
    return f"now: {label}" if is_own else label


def short_label(scenario: Scenario, *, is_own: bool = False) -> str:
    """Return the same for a legend whose title says what it is."""
    label = sigma_text(scenario.noise.forecast_noise)
    return f"{label} (now)" if is_own else label


def legend_title(scenario: Scenario) -> str:
    """Return what the curves' short names stand for."""
    context = sigma_text(scenario.noise.context_noise)
    return f"Noise on labels σ_F (context: σ_C = {context})"


def noise_title(own: ScenarioCurves, plain: ScenarioCurves) -> str:
    """Return what the noise buys, as a finding.

    Args:
        own: with the noise.
        plain: the same run without it.
    """
    scenario = own.scenario
    delta, steps = power_of_ten(scenario.delta), counted(scenario.num_steps, "step")
    scope = f"at δ = {delta}, after {steps}"
    if not covers_noise_on_windows(scenario):
        return f"No theorem says what noise on windows buys here: {quoted_epsilon(own)} {scope}"
    if not has_noise(scenario):
        return f"Without noise on windows: {quoted_epsilon(own)} {scope}"
    words = noise_words(scenario)
    if quoted_epsilon(own) == quoted_epsilon(plain):
        return f"With {words}, as without: {quoted_epsilon(own)} {scope}"
    before = "no finite one" if plain.epsilon_upper is None else rounded_up(plain.epsilon_upper)
    return f"With {words}: {quoted_epsilon(own)} instead of {before} {scope}"


def noise_headline(own: ScenarioCurves, plain: ScenarioCurves) -> str:
    """Return epsilon with the noise against epsilon without it, with its scope, as Markdown.

    >>> from dpviz.planning import curves_of
    >>> from dpviz.planning.label_noise import with_noise
    >>> from dpviz.scenario import PRESETS
    >>> toy = PRESETS["toy"].scenario
    >>> noisy = with_noise(toy, forecast=2.0)
    >>> text = noise_headline(curves_of(noisy), curves_of(toy))
    >>> "against **ε ≤ 19.03** without noise on windows" in text
    True
    """
    scenario, bound = own.scenario, own.upper.bound
    hidden = protected_in(scenario)
    scheme = scheme_name(scenario.sampling)
    run = f"after {run_length(scenario)} with {scheme}, for {hidden}"
    told = (
        f"**{quoted_epsilon(own)} at δ = {power_of_ten(scenario.delta)}** ({bound_meaning(bound)})"
    )
    covered = covers_noise_on_windows(scenario)
    if not has_noise(scenario):
        rest = "Move σ_F or σ_C to see what noise buys."
        if (problem := untold_by_rates(scenario)) is not None:
            rest = f"{capitalised(problem.allowed)}."
        elif not covered:
            rest = f"Noise on windows would buy nothing that is proven. {WHAT_IS_COVERED}"
        parts = [f"Without noise on windows, {run}: {told}.", _attained(own), rest, caveats(bound)]
    elif not covered:
        words = noise_words(scenario)
        parts = [
            f"**Here {words} buys nothing that is proven.** With it as without it, {run}: {told}.",
            WHAT_IS_COVERED,
            caveats(bound),
        ]
    else:
        source = bound_meaning(plain.upper.bound)
        against = f"against **{quoted_epsilon(plain)}** without noise on windows ({source})"
        words = noise_words(scenario)
        parts = [f"With {words}, {run}: {told}, {against}.", _gain(own, plain), caveats(bound)]
    return " ".join(part for part in parts if part)


def _gain(own: ScenarioCurves, plain: ScenarioCurves) -> str:
    """Return how much of the difference is known to be real."""
    if own.epsilon_upper is None:
        return ""
    least = plain.epsilon_lower
    if least is not None and own.epsilon_upper < least:
        return (
            f"Without the noise no analysis can promise every model less than ε = "
            f"{rounded_down(least)} (attained lower bound): the gain is proven."
        )
    if quoted_epsilon(own) == quoted_epsilon(plain):
        return "The noise makes no difference that shows in these digits."
    return "Both are upper bounds: how much of the difference is real is not proven."


def _attained(curves: ScenarioCurves) -> str:
    if not curves.epsilon_lower:
        return ""
    return (
        f"No analysis can promise every model less than ε = {rounded_down(curves.epsilon_lower)}"
        " (attained lower bound)."
    )
