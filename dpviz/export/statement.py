"""A privacy statement for a paper or a model card: every number with what it rests on."""

import json
import re
from datetime import date

import dpviz
from dpviz.accounting import Curve
from dpviz.export.code import command_line
from dpviz.export.parameters import exact, noise_in_units, parameters_table
from dpviz.export.report_first_page import NO_REQUEST, Request, decision_page
from dpviz.guarantees import Composition
from dpviz.planning import ScenarioCurves
from dpviz.planning.attack_rates import Gain
from dpviz.scenario import DataShape, Rates, Scenario, to_fields, to_query
from dpviz.scenario.link import checked_address
from dpviz.wording.attack_rates import gain_sentence
from dpviz.wording.certificate import certificate
from dpviz.wording.closer_upper import closer_facts
from dpviz.wording.conditions import COVERED, training_conditions
from dpviz.wording.findings import headline
from dpviz.wording.numbers import counted, rounded_down, rounded_up
from dpviz.wording.protected_values import largest_change
from dpviz.wording.scope import (
    batches_of_an_epoch,
    named_protected_unit,
    of_series,
    protected_in,
    run_length,
)
from dpviz.wording.texts import sections, without_formulas, wording_text
from dpviz.wording.theorems import composed_source, composed_units, qualifier


def mechanism_words(scenario: Scenario) -> str:
    """Return the parts of one training step, as a Markdown list.

    >>> from dpviz.scenario import PRESETS
    >>> print(mechanism_words(PRESETS["toy"].scenario).splitlines()[2])
    - **Series.** Each step draws 32 of the 320 series anew, uniformly without replacement.
    """
    sigma = exact(scenario.noise.noise_multiplier)
    divisor = "the constant batch size Λ"
    if isinstance(scenario.data, DataShape):
        divisor += f" = {scenario.sampling.batch_size:,}"
    noise, on_windows = scenario.noise, []
    if noise.is_on_windows:
        on_windows = [
            "**Noise on context and labels.** Each drawn window gets fresh Gaussian noise before "
            "its gradient is taken. Its standard deviation is "
            f"σ_C = {noise_in_units(scenario, noise.context_noise)} on context values, "
            f"σ_F = {noise_in_units(scenario, noise.forecast_noise)} on labels, where v is the "
            "largest change of one value."
        ]
    parts = [
        *_drawing(scenario),
        *on_windows,
        "**Clipping.** The gradient of every single window is clipped to the same norm C.",
        f"**Noise.** Gaussian noise of standard deviation σ C, with noise multiplier σ = {sigma}, "
        f"is added to the sum of the clipped gradients; the sum is divided by {divisor}.",
        f"**Length.** {run_length(scenario)}; every intermediate model may be seen.",
    ]
    way = "Structured DP-SGD"
    if scenario.sampling.is_bag:
        way = "DP-SGD on windows from one bag"
    step = f"{way}: a training step draws windows and noises the sum of their clipped gradients."
    return "\n".join([step, "", *(f"- {part}" for part in parts)])


def _drawing(scenario: Scenario) -> list[str]:
    shape, sampling = scenario.data, scenario.sampling
    of_what, names = "of a shape", [sampling.top_level, f"windows {sampling.bottom_level}"]
    numbers: dict[str, object] = {
        "batches": batches_of_an_epoch(scenario),
        "windows": counted(sampling.num_subsequences, "window"),
    }
    if isinstance(shape, Rates):
        of_what, names = "of rates", [sampling.top_level, "windows"]
        numbers |= {"top": exact(scenario.top_rate), "bottom": exact(scenario.bottom_rate)}
    else:
        numbers |= {"drawn": sampling.series_per_batch, "all": shape.num_series}
        if sampling.is_bag:
            names = [f"bag {sampling.bottom_level}"]
            numbers |= {"size": sampling.batch_size, "bag": sampling.largest_batch(shape)}
            numbers["most"] = "" if shape.is_of_one_length else "at most "
    texts = sections(wording_text("drawing"))
    return [texts[f"{name}, {of_what}"].format_map(numbers) for name in names]


_LINK_IN_APP = re.compile(r"\[([^\]]*)\]\((theorems#[^)]*)\)")
_PAGE = "privacy_curve"
Section = tuple[str, str]  # its heading, and its Markdown


def privacy_statement(
    curves: ScenarioCurves,
    gain: Gain,
    *,
    closer: Curve | None = None,
    request: Request = NO_REQUEST,
    base_url: str | None = None,
) -> str:
    """Return the statement as Markdown, in sections below its title.

    Args:
        curves: what is proven about a training run.
        gain: what an attacker gains at most from the same run.
        closer: its closer upper bound, where that was asked for and is smaller: told beside it.
        base_url: the app's address, for links; none without.

    Raises:
        ScenarioError: the address is no web address.

    >>> from dpviz.planning import curves_of
    >>> from dpviz.planning.attack_rates import attackers_gain
    >>> from dpviz.scenario import PRESETS
    >>> toy = PRESETS["toy"].scenario
    >>> text = privacy_statement(curves_of(toy), attackers_gain(toy))
    >>> "**Upper bound:** ε ≤ 19.03 at δ = 10⁻⁷" in text
    True
    """
    told = statement_sections(curves, gain, closer=closer, base_url=base_url)
    decision = decision_page(curves, gain, request, date.today(), closer)
    parts = ["# Privacy statement", decision, "## In full", headline(curves)]
    parts += [f"## {heading}\n\n{body}" for heading, body in told]
    return "\n\n".join(parts) + "\n"


def statement_sections(
    curves: ScenarioCurves, gain: Gain, *, closer: Curve | None = None, base_url: str | None = None
) -> list[Section]:
    """Return the sections; arguments and errors as for :func:`privacy_statement`."""
    if base_url is not None:
        checked_address("base_url", base_url)
    scenario = curves.scenario
    bounds = certificate(curves)
    if closer is not None:
        bounds += f"\n\n{closer_facts(closer, curves)}"
    told = {
        "What is protected": _protected(curves),
        "Mechanism": mechanism_words(scenario),
        "Proven bounds": bounds,
        "What an attacker gains, in rates": attacker_words(curves, gain),
        "Parameters": parameters_table(scenario),
        "How the numbers are computed": _accountant(curves),
        "Conditions": _conditions(scenario, of_who_is_covered=False),
        "Sources": wording_text("sources").strip(),
        "Computing it again": _reproduction(scenario, closer is not None, base_url),
    }
    return [(heading, linked(body, base_url)) for heading, body in told.items()]


def _protected(curves: ScenarioCurves) -> str:
    scenario, bound = curves.scenario, curves.upper.bound
    relation = scenario.relation
    where = "of ONE series" if relation.series_per_person == 1 else of_series(relation)
    channels = f", in all {relation.num_channels:,} channels" if relation.num_channels > 1 else ""
    change = f"at most {largest_change(scenario)}" if bound.condition else "any amount"
    parts = [
        f"**Unit:** {named_protected_unit(curves)}.",
        "**Neighbouring data sets:** the same number of series of the same lengths; the protected "
        f"values {where} are substituted{channels}, each changed by {change}.",
    ]
    covered = _conditions(scenario, of_who_is_covered=True)
    return "\n".join([*(f"- {part}" for part in parts), covered])


def _accountant(curves: ScenarioCurves) -> str:
    parts = [
        f"dpviz {dpviz.__version__} computes ε in nats from the privacy loss of one pair of "
        "distributions for each unit (step or epoch), by numerical composition.",
        f"**Upper bound:** the mirrored pair, which covers both directions of a substitution, "
        f"composed over {composed_units(curves.upper.bound)}; the loss discretised from above "
        "(connect-the-dots) on the grid named above.",
    ]
    if curves.lower is not None:
        bound, direction = curves.lower.bound, "one fixed direction"
        if bound.composition is Composition.ADAPTIVE:
            direction = "a direction that earlier outputs choose"
        parts.append(
            f"**Lower bound:** a pair of outputs that some gradients attain, in {direction}, "
            f"composed over {composed_units(bound)}; the loss discretised from below."
        )
    parts.append(
        "**Rounding:** every bound is computed from above and from below, with truncation and "
        "floating-point errors on the safe side. Upper bounds quote the upper end and are rounded "
        "up, lower bounds the lower end and are rounded down."
    )
    return "\n".join(f"- {part}" for part in parts)


def _conditions(scenario: Scenario, *, of_who_is_covered: bool) -> str:
    return "\n".join(
        f"- {without_formulas(text)}"
        for key, text in training_conditions([scenario]).items()
        if (key in COVERED) == of_who_is_covered
    )


def _reproduction(scenario: Scenario, has_closer: bool, base_url: str | None) -> str:
    # One field a line: a list of lengths over hundreds of lines is read by nobody.
    fields = to_fields(scenario).items()
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in fields)
    # No line of either is a fence, as none begins with a backtick.
    parts = [
        f"dpviz {dpviz.__version__}, command line:",
        f"```bash\n{command_line(scenario)}{has_closer * ' --closer'}\n```",
        "The scenario, to open in dpviz or with `--scenario`:",
        f"```json\n{{\n{lines}\n}}\n```",
    ]
    if base_url is not None:
        parts.append(f"[Open this scenario in dpviz]({scenario_link(scenario, base_url)})")
    return "\n\n".join(parts)


def scenario_link(scenario: Scenario, base_url: str) -> str:
    """Return the address at which the app opens a scenario."""
    return f"{base_url.rstrip('/')}/{_PAGE}?{to_query(scenario)}"


def linked(markdown: str, base_url: str | None) -> str:
    """Return a text whose links into the app are complete, or are words."""
    if base_url is None:
        return _LINK_IN_APP.sub(r"\1", markdown)
    return _LINK_IN_APP.sub(rf"[\1]({base_url.rstrip('/')}/\2)", markdown)


def attacker_words(curves: ScenarioCurves, gain: Gain) -> str:
    """Return the limits of every attack in words, as Markdown, with whom they are about.

    >>> from dpviz.planning import curves_of
    >>> from dpviz.planning.attack_rates import attackers_gain
    >>> from dpviz.scenario import PRESETS
    >>> toy = PRESETS["toy"].scenario
    >>> "**at least 0.57" in attacker_words(curves_of(toy), attackers_gain(toy))
    True
    """
    whom = f"what is protected ({protected_in(curves.scenario)})"
    advantage = rounded_up(2.0 * gain.success.share - 1.0)  # success is (1 + advantage) / 2
    parts = [
        f"The attacker knows two data sets that differ only in {whom}, and has to say on which of "
        "them the model was trained. No attack does better than this, whatever it computes.",
        "",
        f"- {gain_sentence(gain)}",
        f"- The true positive rate exceeds the false positive rate by **at most {advantage}** "
        f"(advantage; upper bound, {composed_source(gain.bound)}{qualifier(gain.bound)}).",
    ]
    if curves.lower is not None:
        # The first of the epsilons is 0, where delta is the advantage.
        least = rounded_down(float(curves.lower.delta_low[0]))
        parts.append(
            f"- For some model an attacker's advantage is **at least {least}** "
            f"(attained lower bound, {composed_source(curves.lower.of_curve)})."
        )
    return "\n".join(parts)
