"""Proposition 23 in words: whom it covers, and what it says beside the classical bound."""

from dpviz.accounting.closer_upper import MOST_UNITS

CLOSER_SCOPE = (
    "one window per series, drawn with replacement, of series drawn without replacement or walked "
    "through in order, individuals in one series, windows without noise, and 2 to "
    f"{MOST_UNITS:,} steps or epochs"
)
