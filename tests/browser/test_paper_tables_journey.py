"""A visitor's way through the paper's tables, in a real browser."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpviz.reported import TABLES
from tests.browser.visitor import (
    choose,
    downloaded,
    drawn,
    headline,
    in_link,
    menu,
    press_button,
    settle,
    shared,
    table_in,
)

OWN = "noise_multiplier=2.5"


@pytest.mark.slow
def test_table_is_chosen_downloaded_and_its_set_up_planned(
    visit: Callable[..., Any], tmp_path: Path
) -> None:
    """Chart, link and file are those of the table; its set-up opens, and Undo leads back."""
    visitor = visit(f"paper_tables?{OWN}")
    assert "on traffic at ε = 0.5: DeepAR" in headline(visitor)
    menu(visitor, "reported_table").select_option(label="Table 3: electricity, privacy budgets ε")
    visitor.wait_for_function(
        "() => document.title && location.search.includes('reported_table=3')"
    )
    settle(visitor)
    choose(visitor, "ε = 1", reported_table="3", reported_column="2")
    assert "on electricity at ε = 1: DLinear" in headline(visitor)
    line = drawn(visitor)["reported-DLinear-None"]
    assert line["y"][2] == 0.061
    csv = shared(visitor, "Download CSV")
    rows = table_in(downloaded(visitor, csv, tmp_path))
    assert {
        "model": "DLinear",
        "epsilon": "1",
        "mean": "0.061",
        "spread": "0.001",
        "bold": "1",
    } in (rows)
    assert len(rows) == sum(len(one.cells) for one in TABLES["3"].lines)
    assert visitor.get_by_text("Computed here, not reported").is_visible()
    visitor.locator(".st-key-open_in_planner button:visible").first.click()
    visitor.wait_for_url("**/planner?**")
    settle(visitor)
    link = in_link(visitor)
    assert (link["num_series"], link["batch_size"], link["target_epsilon"]) == ("321", "128", "1.0")
    assert link["free_quantity"] == "training"
    press_button(visitor, "undo")
    assert in_link(visitor)["noise_multiplier"] == "2.5"
