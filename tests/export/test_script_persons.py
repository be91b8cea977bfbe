"""The script that trains refuses tables in which somebody is in more than was planned for."""

import sys
from dataclasses import replace

import pytest

from dpviz.scenario import Relation
from tests.export import training_scripts as scripts
from tests.export.training_scripts import SMALL


def test_nobody_may_be_in_more_series_than_planned(tmp_path):
    rows = [f"m{at},{home},{day},{at}" for at, home in enumerate("aab") for day in range(10)]
    path = tmp_path / "homes.csv"
    path.write_text("meter_id,home,day,kwh\n" + "\n".join(rows) + "\n", encoding="utf-8")
    one, two = (
        scripts.loaded(replace(SMALL, relation=Relation(width=10, series_per_person=many)), "numpy")
        for many in (1, 2)
    )
    two.check_persons(path, "home")
    with pytest.raises(ValueError, match=r"in 2 series, and 1 was planned for.*dpviz shape"):
        one.check_persons(path, "home")
    narrow = scripts.loaded(replace(SMALL, relation=Relation(series_per_person=2)), "numpy")
    with pytest.raises(ValueError, match="10 values in one series, and w = 1 was planned for"):
        narrow.check_persons(path, "home")


def test_persons_are_counted_in_the_columns_that_are_trained_on(tmp_path, monkeypatch):
    rows = [
        f"m{at},h{at % 3},{day},{'' if at > 2 else 20},{at + day}"
        for at in range(6)
        for day in range(20)
    ]
    path = tmp_path / "homes.csv"
    path.write_text("meter_id,home,day,temperature,kwh\n" + "\n".join(rows), encoding="utf-8")
    relation = Relation(level="user", width=20)
    script = scripts.loaded(replace(SMALL, relation=relation), "numpy")
    asked = ["x", str(path), "--person", "home", "--value"]
    monkeypatch.setattr(sys, "argv", [*asked, "temperature"])
    assert len(script.loaded_data(script.parsed_options()).series) == 6
    monkeypatch.setattr(sys, "argv", [*asked, "kwh"])
    with pytest.raises(SystemExit, match="in 2 series, and 1 was planned for"):
        script.loaded_data(script.parsed_options())


def test_persons_are_no_series_whatever_their_column_is_called(tmp_path, monkeypatch):
    """Counted are persons in shops, and so shops are trained on, not customers."""
    rows = [f"c{(shop + day) % 15},s{shop},{day},{day}" for shop in range(12) for day in range(20)]
    path = tmp_path / "sales.csv"
    path.write_text("customer_id,shop,day,sold\n" + "\n".join(rows), encoding="utf-8")
    relation = Relation(level="user", width=2, series_per_person=12)
    script = scripts.loaded(replace(SMALL, relation=relation), "numpy")
    monkeypatch.setattr(sys, "argv", ["x", str(path), "--person", "customer_id"])
    data = script.loaded_data(script.parsed_options())
    assert data.names == [f"s{shop}" for shop in range(12)]
    assert data.understood[0] == (
        'One row for each value: series in column "shop", time in "day", values in "sold".'
    )


def test_values_in_a_row_are_no_values_here_and_there(tmp_path):
    rows = [f"shop,{'a' if day in (2, 9) else f'p{day}'},{day},{day}" for day in range(20)]
    path = tmp_path / "visits.csv"
    path.write_text("store_id,person,day,sold\n" + "\n".join(rows) + "\n", encoding="utf-8")
    in_a_row, in_eight, any_two = (
        scripts.loaded(replace(SMALL, relation=relation), "numpy")
        for relation in (Relation(width=2), Relation(width=8), Relation(level="user", width=2))
    )
    in_eight.check_persons(path, "person")
    any_two.check_persons(path, "person")
    with pytest.raises(ValueError, match="reach over 8 time steps, and w = 2 values in a row"):
        in_a_row.check_persons(path, "person")
