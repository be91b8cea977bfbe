"""The first page of a report: the goal of a training run, and whether it is met."""

import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

import dpviz
from dpviz.accounting import Curve
from dpviz.planning import ScenarioCurves
from dpviz.planning.attack_rates import FALSE_POSITIVE_RATES, Gain
from dpviz.planning.target import Reached
from dpviz.scenario import ScenarioError
from dpviz.scenario.errors import checked_real
from dpviz.scenario.scenario import TARGET_EPSILON_RANGE
from dpviz.wording.markup import markdown_table, plain
from dpviz.wording.numbers import (
    capitalised,
    digits_within,
    joined,
    no_less,
    number_rounded_up,
    power_of_ten,
    rounded_down,
    rounded_up,
)
from dpviz.wording.people import PEOPLE, accused, people_at_most, right_at_most
from dpviz.wording.plan import goal_words, reached_words
from dpviz.wording.protected_values import limited_change
from dpviz.wording.proven_epsilon import strength
from dpviz.wording.scope import (
    caveats,
    conditions,
    protected_in,
    rates_by_hand,
    run_length,
    weak_delta,
)
from dpviz.wording.theorems import bound_meaning

_MOST_CHARACTERS = 120
_BLANK = "\N{NO-BREAK SPACE}" * 24
_SERIES = "series"
_TEXTS = ("organisation", "data_set", "author", "series_word")
_NO_RECORD = "All is computed from the settings: dpviz has seen no training, finished or not."
_LARGER_CHANGE = (
    "**A larger change of a value than named above.** Noise on context and labels then hides less: "
    "no number here is proven for it."
)
_NOT_COVERED = (
    "**More of one person.** Somebody with more values than named above, or in more than {many}, "
    "is not protected to this extent.",
    "**Anything else that looked at the data.** Tuning, early stopping, scaling by statistics of "
    "the data, and other models trained on them: each needs a budget of its own, and budgets add "
    "up.",
    "**What is published besides the model.** Losses of batches, seeds and logs of what was drawn "
    "have to stay secret. How many {words} there are, and how long, is taken to be public.",
    "**The exception.** The probability of any event may exceed what ε allows by up to "
    "δ = {delta}.",
    "**Another program.** The promise is for training that meets the conditions below, not for a "
    "data loader that makes its batches in any other way.",
)


@dataclass(frozen=True, kw_only=True)
class Request:
    """What a report is to decide, and for whom; empty where nobody has said it.

    Args:
        epsilon: the largest one allowed at the scenario's delta, in nats; ``None`` for any.
        series_word: what one series is to its owner, such as ``shop``.
        attack: what attackers may achieve at most, in the place of an epsilon; ``None`` for any.

    Raises:
        ScenarioError: a number is not allowed, or a text has more than a line.

    >>> Request(epsilon=-1.0)
    Traceback (most recent call last):
    ...
    dpviz.scenario.errors.ScenarioError: required_epsilon = -1.0 is not allowed: it must be a \
number from 1e-09 to 1e+09.
    """

    epsilon: float | None = None
    organisation: str = ""
    data_set: str = ""
    author: str = ""
    series_word: str = _SERIES
    attack: Reached | None = None

    def __post_init__(self) -> None:
        if self.epsilon is not None:
            checked_real("required_epsilon", self.epsilon, *TARGET_EPSILON_RANGE)
        for name in _TEXTS:
            text = getattr(self, name)
            if len(text) > _MOST_CHARACTERS or not text.isprintable():
                allowed = f"it must be one line of at most {_MOST_CHARACTERS} characters"
                raise ScenarioError(name, text[:_MOST_CHARACTERS], allowed)

    @property
    def word(self) -> str:
        """What one series is called, as Markdown."""
        return plain(self.series_word.strip() or _SERIES)

    @property
    def words(self) -> str:
        """What several are called.

        >>> [Request(series_word=word).words for word in ("bus", "factory", "series", "menus")]
        ['buses', 'factories', 'series', 'menus']
        """
        word = self.word
        if re.search("[^aeiou]y$", word):
            return f"{word[:-1]}ies"
        if re.search("(ss|(?<!en)us|x|ch|sh)$", word):  # menus are several already
            return f"{word}es"
        return word if word.endswith("s") else f"{word}s"


NO_REQUEST = Request()


def day(made_on: date) -> str:
    """Return a day in words.

    >>> day(date(2026, 3, 9))
    '9 March 2026'
    """
    return f"{made_on:%d %B %Y}".lstrip("0")


def decision_page(
    curves: ScenarioCurves,
    gain: Gain,
    request: Request,
    made_on: date,
    closer: Curve | None = None,
) -> str:
    """Return the page as Markdown: goal, answer, what an attacker gains, what is not covered.

    Arguments are those of :func:`dpviz.export.statement.privacy_statement`.

    >>> from dpviz.planning import curves_of
    >>> from dpviz.planning.attack_rates import attackers_gain
    >>> from dpviz.scenario import PRESETS
    >>> traffic = PRESETS["traffic"].scenario
    >>> page = decision_page(
    ...     curves_of(traffic), attackers_gain(traffic),
    ...     Request(epsilon=1.0, series_word="sensor"), date(2026, 3, 9))
    >>> page.splitlines()[0]
    '**Goal:** privacy loss ε ≤ 1 at δ = 10⁻⁷ for any single value (1 hour) \
of one sensor.'
    >>> page.splitlines()[2].partition(" (upper")[0]
    '**Met.** After 4,000 epochs (12,000 steps), ε ≤ 0.6374 at δ = 10⁻⁷'
    """
    scenario, proven = curves.scenario, curves.epsilon_upper
    delta, step = power_of_ten(scenario.delta), scenario.units.time_step
    strong = ""
    if proven is not None:
        strong = strength(proven, "what is named above", weak_delta(scenario))
    # Of a single value also how long it stands for.
    duration = "" if step is None else f" ({step.duration(1)})"
    whom = protected_in(scenario).replace("any single value", f"any single value{duration}")
    series = scenario.relation.series_per_person
    many = f"one {request.word}" if series == 1 else f"{series:,} {request.words}"
    whom = whom.replace("one series" if series == 1 else f"{series:,} series", many)
    limit = limited_change(scenario, curves.upper.bound)
    whom += limit
    if request.attack is not None:
        goal = f"{goal_words(request.attack.goal)}, for {whom}"
    elif request.epsilon is not None:
        goal = f"privacy loss ε ≤ {power_of_ten(float(request.epsilon))} at δ = {delta} for {whom}"
    else:
        goal = f"no requirement was named. Protected: {whom}"
    exceptions = (*((_LARGER_CHANGE,) if limit else ()), *_NOT_COVERED)
    not_covered = (one.format(many=many, words=request.words, delta=delta) for one in exceptions)
    return "\n\n".join(
        [
            f"**Goal:** {goal}.",
            _answer(curves, request, delta, closer)
            if request.attack is None
            else _attack_answer(curves, request.attack, delta),
            joined(strong, _NO_RECORD),
            "### What an attacker gains",
            f"A person here stands for {whom}. {_gains(gain, curves)}",
            "### What is not covered",
            "\n".join(f"- {one}" for one in not_covered),
            "### For the file",
            decision_fields(request, made_on),
        ]
    )


def _answer(curves: ScenarioCurves, request: Request, delta: str, closer: Curve | None) -> str:
    goal, proven, attained = request.epsilon, curves.epsilon_upper, curves.epsilon_lower
    bound = curves.upper.bound
    if proven is None:
        verdict = "" if goal is None else "**Not met.** "
        none = f"{verdict}No finite ε is proven at δ = {delta} for this training."
        return joined(none, conditions([bound]), rates_by_hand(curves.scenario))
    digits = digits_within(goal, proven)
    promise = (
        f"After {run_length(curves.scenario)}, ε ≤ {rounded_up(proven, digits)} at δ = {delta} "
        f"({bound_meaning(bound)})"
    )
    notes = joined(caveats(bound), rates_by_hand(curves.scenario))
    notes = f" {notes}" if notes else ""
    if goal is None:
        return f"**Promised:** {promise}.{notes}"
    if proven <= goal:
        # What is spare is counted from the number beside it.
        told = number_rounded_up(proven, digits)
        if told >= goal:
            return f"**Met.** {promise}, just within the goal.{notes}"
        spare = rounded_down(float(100 * (1 - Decimal(repr(told)) / Decimal(repr(goal)))), 2)
        return f"**Met.** {promise}: {spare} % below the goal.{notes}"
    over = rounded_up(100.0 * (proven / goal - 1.0), 2)
    text = f"{promise}: {over} % above the goal.{notes}"
    least = None if closer is None else closer.quoted_epsilon_at(curves.scenario.delta)
    if closer is not None and least is not None and least <= goal:
        closest = rounded_up(least, digits_within(goal, least))
        by = bound_meaning(closer.bound)
        return f"**Met, by a closer bound alone:** ε ≤ {closest} at δ = {delta} ({by}). {text}"
    text = f"**Not met.** {text}"
    if attained is not None and attained > goal:
        return f"{text} {capitalised(no_less(attained))}."
    if attained is not None:
        return f"{text} Whether less can be proven is open: {rounded_down(attained)} is attained."
    return text


def _attack_answer(curves: ScenarioCurves, attack: Reached, delta: str) -> str:
    proven, of_attack = curves.upper.bound, attack.proven.bound
    verdict = "Met" if attack.is_met else "Not met"
    reached = f"{run_length(curves.scenario)}: {reached_words(attack.goal, attack.proven)}"
    by = f" ({bound_meaning(of_attack)})"
    if curves.epsilon_upper is None:
        told = f"{by}. No finite ε is proven at δ = {delta}"
    else:
        loss = f", and ε ≤ {rounded_up(curves.epsilon_upper)} at δ = {delta}"
        told = f"{loss}{by}" if of_attack == proven else f"{by}{loss} ({bound_meaning(proven)})"
    needed = caveats(proven) if of_attack == proven else conditions([of_attack, proven])
    told = f"**{verdict}.** After {reached}{told}."
    return joined(told, needed, rates_by_hand(curves.scenario))


def _gains(gain: Gain, curves: ScenarioCurves) -> str:
    right = right_at_most(gain.success.share, curves.epsilon_upper, curves.scenario.delta)
    found = (
        f"who falsely accuses {accused(rate)} others finds at most {people_at_most(hits.share)}"
        for rate, hits in zip(FALSE_POSITIVE_RATES, gain.hits, strict=True)
    )
    return (
        "If the values named above are as likely in the data as not, a coin toss is right for "
        f"{PEOPLE // 2} of {PEOPLE} people; no attacker for more than {right}. Of {PEOPLE} people "
        f"whose values are in the data, an attacker {', and one '.join(found)} "
        f"({bound_meaning(gain.bound)}; on average, rounded up to whole people; the attacker knows "
        "all settings and sees every model)."
    )


def decision_fields(request: Request, made_on: date) -> str:
    """Return who decides, of what and when, with room to sign, as a Markdown table."""
    told = {
        "Organisation": plain(request.organisation),
        "Data set": plain(request.data_set),
        "Author": plain(request.author),
        "Date": day(made_on),
        "Made with": f"dpviz {dpviz.__version__}",
        "Signed": "",
    }
    return markdown_table(["", ""], [(name, words or _BLANK) for name, words in told.items()])
