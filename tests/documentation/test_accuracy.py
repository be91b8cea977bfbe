"""docs/accuracy.md says what is measured."""

import re

import pytest

from bench import accuracy
from dpviz.accounting import composed_curve

# Of a printed number: its last digit, and what another processor's rounding changes.
CLOSE = 0.02
NUMBER = re.compile(r"\d[\d,]*\.?\d*(?:e[+-]?\d+)?")
# Widths of brackets are rounding errors in part: another processor has others.
WIDTH = re.compile(r"^\d\.\de-\d\d$")


def values(text):
    return [one.replace(",", "") for one in NUMBER.findall(text)]


@pytest.mark.slow
@pytest.mark.parametrize("name", accuracy.TABLES)
def test_table_is_what_is_measured(name):
    """Otherwise: python -m bench.accuracy --write."""
    said, measured = accuracy.committed(name), accuracy.TABLES[name]()
    assert NUMBER.sub("#", said) == NUMBER.sub("#", measured)
    for old, new in zip(values(said), values(measured), strict=True):
        width = 0.5 if WIDTH.match(old) else CLOSE
        assert float(new) == pytest.approx(float(old), rel=width, abs=0.0), (old, new)


def test_every_exact_value_is_in_its_bracket():
    """By the page; the test above holds it to what is measured."""
    for line in accuracy.committed("exact values").splitlines()[2:]:
        _, compared, inside, _ = (part.strip() for part in line.strip("|").split("|"))
        assert int(compared) == int(inside) > 0


def test_brackets_are_rounded_outwards():
    told = re.findall(r"([\d.]+) to ([\d.]+)", accuracy.committed("second opinion"))
    for (low, high), set_up in zip(told, accuracy.CHECKED, strict=True):
        bound, _ = accuracy.one_step(*set_up)
        bracket = composed_curve(bound).epsilon_at(accuracy.DELTA)
        assert float(low) <= bracket.low
        assert float(high) >= bracket.high
