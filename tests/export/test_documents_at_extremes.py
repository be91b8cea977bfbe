"""The smallest and the largest value of every field: statement and report hold the account's."""

import json
import re
from datetime import date

import pytest

from dpviz.export.report import html_report
from dpviz.export.statement import privacy_statement
from dpviz.planning import curves_of
from dpviz.planning.attack_rates import attackers_gain
from dpviz.scenario import from_fields, from_json
from dpviz.scenario.link import fields_from_query
from dpviz.scenario.mechanism import MOST_STEPS, NOISE_MULTIPLIER_RANGE
from tests.pages.test_extremes import BASE, EVERYWHERE, OF_THE_DATA
from tests.wording.reading import numbers_after

LONGEST = {"steps": MOST_STEPS, "noise_multiplier": NOISE_MULTIPLIER_RANGE[0]}
NO_NUMBER = re.compile(r"\b(nan|inf|[Ii]nfinity|None)\b")


@pytest.mark.parametrize("settings", [*EVERYWHERE, *OF_THE_DATA, LONGEST], ids=json.dumps)
def test_extreme_is_stated_and_reported(settings):
    base = {} if "bottom_rate" in settings else BASE
    link = {name: str(value) for name, value in ({"schema": 1} | base | settings).items()}
    scenario = from_fields(fields_from_query(link))
    curves, gain = curves_of(scenario), attackers_gain(scenario)
    text = privacy_statement(curves, gain)
    assert not NO_NUMBER.search(text.replace("bound.** None is proven", ""))
    high, low = curves.epsilon_upper, curves.epsilon_lower
    told = numbers_after("**Upper bound:** ε ≤ ", text)
    assert told == [] if high is None else high <= told[0] <= 1.001 * high
    if low is not None:
        assert numbers_after("**Lower bound:** ε ≥ ", text)[0] <= low
    shown = re.search(r"```json\n(.*?)\n```", text, re.DOTALL)[1]
    assert from_json(shown) == scenario
    report = html_report(curves, gain, made_on=date(2026, 1, 1))
    for number in re.findall(r"\*\*(ε ≤ [^*]+)\*\*", text):
        assert number.replace(" ≤ ", "\u00a0≤\u00a0") in report
