"""The tables quote each bound on its sound side, with bracket, width and theorem."""

import re
from dataclasses import replace

import pytest

from dpviz.wording.findings import bounds_table, deltas_table
from dpviz.wording.theorems import named_theorem
from tests.planning.brackets import with_bracket
from tests.planning.kinds import RUNS, curves_of_kind
from tests.wording.reading import is_between, jargon_in, number, numbers_after

ONE_DELTA = [name for name in RUNS if RUNS[name].delta == 1e-7]


def rows_of(table):
    """Return the cells of a Markdown table, without its two head rows."""
    lines = [line for line in table.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split(" |")] for line in lines]
    return cells[2:]


@pytest.mark.parametrize("name", RUNS)
def test_tables_are_well_formed(name):
    runs = [("one", curves_of_kind(name)), ("other", curves_of_kind("drawn"))]
    for table in (bounds_table(runs), deltas_table(runs)):
        widths = {line.count("|") for line in table.splitlines() if line.startswith("|")}
        assert len(widths) == 1
        assert jargon_in(table) == []


@pytest.mark.parametrize("name", RUNS)
def test_bounds_are_quoted_and_bracketed_on_their_sound_sides(name):
    curves = curves_of_kind(name)
    upper, lower = rows_of(bounds_table([("now", curves)]))
    assert upper[:2] == ["now", "upper"]
    for row, side in ((upper, curves.upper), (lower, curves.lower)):
        if side is None:
            assert row[2:] == ["none proven", "", "", ""]
            continue
        low, high = side.bracket.low, side.bracket.high
        is_upper = side is curves.upper
        if high is None:
            if is_upper:
                assert row[2] == "no finite ε proven"
            assert numbers_after("above ", row[3])[0] <= low
            assert row[4] == ""
            continue
        (quoted,) = numbers_after("≤ " if is_upper else "≥ ", row[2])
        assert quoted >= high if is_upper else quoted <= low
        ends = [number(end) for end in row[3].split(" to ")]
        assert is_between(low, ends[0], ends[1], high)
        width = number(row[4].removesuffix(" %")) / 100
        assert width >= side.bracket.relative_gap * (1 - 1e-12)
        assert f"{named_theorem(side.bound.theorem)}]" in row[5]
        assert f"{side.bound.count:,} {side.bound.unit.value}" in row[5]


def test_what_is_not_resolved_has_no_number():
    curves = curves_of_kind("drawn")
    unresolved = with_bracket(curves.lower, None, None)
    _, lower = rows_of(bounds_table([("now", replace(curves, lower=unresolved))]))
    assert lower[2] == "beyond what is resolved"
    assert not re.search("[0-9]", "".join(lower[3:5]))


def test_the_table_ends_with_the_relation():
    assert bounds_table([("now", curves_of_kind("drawn"))]).endswith(
        "\n\nProtected is any single value of one series (1-event privacy: substitution of at most "
        "1 value of one series)."
    )
    assert "3-user privacy" in bounds_table([("now", curves_of_kind("wide and noisy"))])


def test_the_table_tells_of_each_run_who_is_protected_where_they_differ():
    """The relation of the first run would be a wrong one for the others."""
    names = ("drawn", "wide and noisy", "one bag")
    table = bounds_table([(name, curves_of_kind(name)) for name in names])
    assert "Drawn: any single value of one series (1-event privacy" in table
    assert "Wide and noisy: any 3 values of one series (3-user privacy" in table
    assert "One bag: any single value of one series (1-event privacy" in table
    assert table.count("Theorem G.1 holds if no value changes by more than v") == 1


@pytest.mark.parametrize("name", ONE_DELTA)
def test_deltas_are_quoted_from_lower_to_upper_bound(name):
    curves = curves_of_kind(name)
    for epsilon, cell in rows_of(deltas_table([("now", curves)])):
        at = curves.upper.place_of(float(epsilon))
        high = curves.upper.delta_high[at]
        low = 0.0 if curves.lower is None else curves.lower.delta_low[at]
        if high < 1e-15:
            assert cell == "below 10⁻¹⁵"
        elif curves.lower is None:
            (shown,) = numbers_after("≤ ", cell)
            assert high <= shown <= 1.01 * high
        else:
            shown = [number(end) for end in cell.split(" to ")]
            assert is_between(low if low >= 1e-15 else 0.0, shown[0], shown[1], high)
            assert shown[1] <= 1.0101 * high


def test_a_cell_never_says_two_signs_at_once():
    """To be at most below something is no sentence."""
    for name in ONE_DELTA:
        assert "≤ below" not in deltas_table([("now", curves_of_kind(name))])


def test_the_table_of_deltas_ends_where_nothing_is_left_to_tell():
    runs = [("one", curves_of_kind("one step")), ("long", curves_of_kind("walked"))]
    rows = rows_of(deltas_table(runs))
    assert [row[0] for row in rows] == ["0.01", "0.1", "0.5", "1", "2", "5", "10", "20", "100"]
    short = rows_of(deltas_table(runs[:1]))
    assert short[-1][1] == "below 10⁻¹⁵"
    assert all(row[1] != "below 10⁻¹⁵" for row in short[:-1])
    assert len(short) < len(rows)


def test_the_table_of_deltas_links_its_theorems():
    table = deltas_table([("now", curves_of_kind("drawn"))])
    assert "[Theorem 4.4](theorems#theorem-4-4), 1,000 steps" in table


def test_the_table_of_deltas_names_the_theorem_of_either_side():
    table = deltas_table([("now", curves_of_kind("several windows"))])
    assert "from lower to upper bound, [Theorem F.7](theorems#" in table
    assert ") to [dpviz's Proposition 2](theorems#" in table
