"""A visitor trains a small forecaster in the background, also on a file, and may end it."""

import math
from random import randrange

import pytest

from dpviz.training.panel_source import NOT_ACCOUNTED
from tests.browser.processes import children_of, ended_within
from tests.browser.visitor import SETTLED

# What another visitor of the server has trained is there at once: seeds are its own.
PATH = "train?panel_series=60&trained_batch=32&trained_steps=60"
LONG = "train?training_chart=compare&compared_seeds=5&trained_seed=71"
# Training stands behind all else that a machine does.
PATIENCE = 240_000
START = ".st-key-train_start button:visible"
CANCEL = ".st-key-train_cancel button:visible"


def test_a_visitor_trains_sees_the_result_and_finds_it_again(visit):
    """Nothing begins by itself; then there are a result, its certificate and a forecast."""
    visitor = visit(f"{PATH}&trained_seed={randrange(1000, 10**6)}")
    assert "Not trained yet" in visitor.headline
    visitor.locator(START).first.click()
    visitor.wait_for_forecaster(PATIENCE)
    visitor.settle()
    assert "upper bound, Theorem 4.4 composed over 60 steps" in visitor.headline
    assert visitor.locator(START).count() == 0
    assert {"error", "spent"} <= visitor.drawn.keys()
    visitor.assert_kept()


@pytest.mark.slow
def test_a_run_under_way_tells_how_far_it_is_and_can_be_ended(visit):
    """Progress is drawn while it runs; controls answer meanwhile; Cancel leaves what was told."""
    visitor = visit(LONG)
    visitor.locator(START).first.click()
    visitor.locator(CANCEL).first.wait_for()
    assert visitor.locator(START).first.is_disabled()
    visitor.get_by_test_id("stProgress").get_by_text("runs are done").wait_for(timeout=60_000)
    visitor.locator(CANCEL).first.click()
    visitor.locator(CANCEL).first.wait_for(state="detached")
    visitor.wait_for_function(SETTLED)  # no chart: there may be no line yet
    assert visitor.locator(START).first.is_enabled()


SMALL = "train?trained_on=file&trained_context=12&trained_forecast=4&trained_batch=16"
QUICK = f"{SMALL}&trained_steps=60&target_epsilon=50"
# So many steps that there is time to kill the server in the middle of them.
LONG_OF_FILE = f"{SMALL}&trained_steps=20000&target_epsilon=1000"
FIELD = "[data-testid=stFileUploader] input"


def series_file(folder, *, missing=0):
    """Write thirty monthly series of sixty values, some of them missing in the first series."""
    rows = ["month," + ",".join(f"shop {shop}" for shop in range(30))]
    for month in range(60):
        values = [f"{50 + shop + 9 * math.sin(month / 2 + shop):.2f}" for shop in range(30)]
        if 10 <= month < 10 + missing:
            values[0] = ""
        rows.append(f"{2000 + month // 12}-{month % 12 + 1:02}," + ",".join(values))
    path = folder / "shops.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def open_file(visitor, path):
    """Hand over a file, and wait until it is what is trained on."""
    visitor.locator(FIELD).set_input_files(path)
    visitor.get_by_text("From shops.csv: 30 series.").wait_for(timeout=PATIENCE)
    visitor.settle()


@pytest.mark.slow
def test_a_visitor_trains_on_a_file_and_takes_its_numbers_away(visit, tmp_path):
    visitor = visit(QUICK.replace("trained_on=file", "trained_on=generated"))
    visitor.segment("a file").click()
    visitor.get_by_text("No file is open").wait_for()
    open_file(visitor, series_file(tmp_path, missing=3))
    assert "has fresh noise" in visitor.headline
    visitor.get_by_text("3 missing values counted as 0 in training").wait_for()
    visitor.locator(START).first.click()
    visitor.wait_for_forecaster(PATIENCE)
    visitor.get_by_text("a yardstick that protects nobody").wait_for(timeout=PATIENCE)
    visitor.settle()
    assert "upper bound, Theorem 4.4 composed over 60 steps" in visitor.headline
    for sentence in NOT_ACCOUNTED:
        visitor.get_by_text(sentence).first.wait_for()
    assert visitor.csv(tmp_path)[-1]["step"] == "60"


@pytest.mark.slow
def test_a_server_killed_during_a_run_on_a_file_says_that_its_budget_is_spent(
    served, lasting_page, tmp_path
):
    """The page comes back with its settings, without file and result, and says what counts."""
    server = served()
    visitor = lasting_page(
        server.url + LONG_OF_FILE.replace("trained_on=file", "trained_on=generated")
    )
    visitor.segment("a file").click()
    visitor.locator(FIELD).wait_for(state="attached")
    open_file(visitor, series_file(tmp_path))
    visitor.locator(START).first.click()
    visitor.get_by_test_id("stProgress").get_by_text("Step ").wait_for(timeout=PATIENCE)
    visitor.wait_for_function(
        r"() => /at most ε\s=\s/.test(document.querySelector('.st-key-answer')?.innerText)",
        timeout=PATIENCE,
    )
    children = children_of(server.process.pid)
    server.kill()
    assert ended_within(60, children)  # one that trains ends when it has something to tell
    served(port=server.port)
    visitor.bring_to_front()
    note = visitor.get_by_test_id("stAlert").filter(has_text="Was a run on your file cut off")
    note.wait_for(timeout=PATIENCE)
    assert "What it showed is spent" in note.inner_text()
    assert note.get_by_role("link", name="Ledger").count() == 1
    assert visitor.link["trained_steps"] == "20000"
    # It can be opened and trained again, and the page says what that adds up to.
    open_file(visitor, series_file(tmp_path))
    assert "budgets add up" in visitor.headline
    assert visitor.locator(START).first.is_enabled()
