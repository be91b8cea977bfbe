"""A visitor looks the evidence up: the paper's figures and tables, simulations, the glossary."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from dpviz.reported import TABLES
from dpviz.wording.theorems import theorem_link

OWN = "noise_multiplier=2.5"


def choose_figure(visitor, name):
    """Choose a figure by its name."""
    visitor.menu("paper_figure").select_option(label=name)
    visitor.wait_for_timeout(300)
    visitor.settle()


def test_figure_and_panel_are_chosen_downloaded_and_reopened(visit, tmp_path):
    """The chart, the link and the table are those of the panel; a reload shows it again."""
    visitor = visit(f"paper_figures?{OWN}")
    assert "After 1 step, 1 window per series" in visitor.headline
    choose_figure(visitor, "Figure 8: sample series, or walk through them, 4 pairs of rates")
    visitor.choose("1 epoch", figure="8", panel="1")
    visitor.wait_for_description("(exact, Theorem 4.2, 1 epoch)")
    assert "less private above ε = " in visitor.headline
    assert {"series-0-line", "series-0-attained", "series-1-line"} <= visitor.drawn.keys()
    rows = visitor.csv(tmp_path)
    at = next(row for row in rows if row["curve"] == "drawn at random" and row["epsilon"] == "1.0")
    line = visitor.drawn["series-0-line"]
    assert line["y"][line["x"].index(1.0)] == float(at["delta_as_in_paper"])
    assert visitor.link["noise_multiplier"] == "2.5"
    visitor.assert_kept()


@pytest.mark.slow
def test_zoom_is_kept_from_panel_to_panel(visit):
    """What was zoomed to after one step is what is seen after ten epochs."""
    visitor = visit("paper_figures?figure=3")
    zoomed = visitor.zoom_in()
    visitor.press_button("next_panel")
    visitor.press_button("next_panel")
    assert visitor.link["panel"] == "2"
    assert "After 10 epochs" in visitor.headline
    assert visitor.ranges == pytest.approx(zoomed)


@pytest.mark.slow
def test_panel_opens_in_its_explorer_and_undo_brings_the_own_settings_back(visit):
    """From Figure 4 to noise on windows and back to what the visitor had."""
    visitor = visit(f"paper_figures?{OWN}&figure=4")
    visitor.unfold("Show the code")
    visitor.locator(".st-key-open_in_explorer button:visible").first.click()
    visitor.wait_for_url("**/label_noise?**")
    visitor.settle()
    link = visitor.link
    assert (link["forecast_noise"], link["noise_multiplier"]) == ("1.0", "1.0")
    visitor.press_button("undo")
    assert visitor.link["noise_multiplier"] == "2.5"


@pytest.mark.slow
def test_table_is_chosen_downloaded_and_its_set_up_planned(visit, tmp_path):
    """Chart, link and file are those of the table; its set-up opens, and Undo leads back."""
    visitor = visit(f"paper_tables?{OWN}")
    assert "on traffic at ε = 0.5: DeepAR" in visitor.headline
    visitor.menu("reported_table").select_option(label="Table 3: electricity, privacy budgets ε")
    visitor.wait_for_function(
        "() => document.title && location.search.includes('reported_table=3')"
    )
    visitor.settle()
    visitor.choose("ε = 1", reported_table="3", reported_column="2")
    assert "on electricity at ε = 1: DLinear" in visitor.headline
    line = visitor.drawn["reported-DLinear-None"]
    assert line["y"][2] == 0.061
    rows = visitor.csv(tmp_path)
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
    visitor.settle()
    link = visitor.link
    assert (link["num_series"], link["batch_size"], link["target_epsilon"]) == ("321", "128", "1.0")
    assert link["free_quantity"] == "training"
    visitor.press_button("undo")
    assert visitor.link["noise_multiplier"] == "2.5"


PATH = "theory_check?simulated_runs=2000&fixed_epsilon=0.01"
SCORE = ".st-key-game_score"
REVEALED = ".st-key-game_revealed"


def wait_for_score(visitor, rounds):
    """Wait until so many rounds are counted."""
    visitor.wait_for_function(
        "([score, rounds]) => document.querySelector(score).innerText.includes(` of ${rounds}`)",
        arg=[SCORE, rounds],
    )


@pytest.mark.slow
def test_a_visitor_plays_sees_what_it_was_and_keeps_the_score(visit):
    """Answers by click, by Enter and by the keys Y and N; the link brings the game back."""
    visitor = visit(PATH)
    assert re.search(r"simulated runs of 1 step contradict neither bound", visitor.headline)
    assert "Nothing is revealed yet." in visitor.locator(REVEALED).inner_text()
    visitor.locator(".st-key-game_y button").click()
    wait_for_score(visitor, 1)
    assert re.search(
        r"Round 1 revealed: it was (not )?in the data\. You said yes",
        visitor.locator(REVEALED).inner_text(),
    )
    visitor.locator(".st-key-game_n button").press("Enter")
    wait_for_score(visitor, 2)
    visitor.settle()
    visitor.evaluate("() => document.activeElement.blur()")
    visitor.keyboard.press("n")
    wait_for_score(visitor, 3)
    visitor.settle()
    visitor.keyboard.press("y")
    wait_for_score(visitor, 4)
    # What is typed into a box is no answer.
    runs = visitor.box("simulated_runs")
    runs.press("n")
    runs.press("Backspace")
    assert visitor.link["game_answers"].endswith("-ynny")
    score = visitor.locator(SCORE).inner_text()
    assert re.search(r"you\s+[0-4] of 4", score)
    assert "Theorem 4.4" in score
    visitor.reload()
    visitor.settle()
    assert visitor.locator(SCORE).inner_text() == score
    visitor.locator(".st-key-game_anew button:visible").first.click()
    visitor.wait_for_link(game_seed="2", game_answers=None)
    visitor.wait_for_function(
        "place => document.querySelector(place).innerText.includes('Nothing is revealed')",
        arg=REVEALED,
    )


@pytest.mark.slow
def test_more_runs_narrow_the_band_and_the_file_has_them(visit, tmp_path):
    """Coarse first, then filled in; another seed draws other runs."""
    visitor = visit(PATH)
    coarse = visitor.drawn
    assert "100,000 simulated runs" in visitor.slide("simulated_runs", "End")
    fine = visitor.drawn
    width = [trace["band-high"]["y"][0] - trace["band-low"]["y"][0] for trace in (coarse, fine)]
    assert width[1] < width[0]
    visitor.press_button("simulate_anew")
    assert visitor.drawn["estimate"]["y"] != fine["estimate"]["y"]
    rows = visitor.csv(tmp_path)
    assert len(rows) == 62
    assert all(float(row["simulated_low"]) <= float(row["delta_upper"]) for row in rows)


@pytest.mark.slow
def test_a_symbol_is_explained_where_it_stands_and_found_by_its_name(visit):
    visitor = visit("privacy_curve")
    # The question mark beside a slider says what its symbol is, and links to the glossary.
    visitor.locator(".st-key-noise_multiplier .dpviz-help").click()
    tooltip = visitor.locator(".st-key-noise_multiplier .dpviz-tip")
    tooltip.get_by_text("Standard deviation of the Gaussian noise").wait_for()
    with visitor.context.expect_page() as opened:
        tooltip.get_by_role("link", name="Glossary").click()
    glossary = opened.value
    card = glossary.locator(".st-key-asked_term")
    card.get_by_role("heading", name="σ, noise multiplier").wait_for()

    box = glossary.get_by_role("textbox", name="Find a symbol or a word")
    box.fill("lambda")
    box.press("Enter")
    glossary.wait_for_function("() => new URLSearchParams(location.search).get('search')")
    assert unquote(glossary.url).endswith("/glossary?search=lambda")
    first = glossary.locator(".stMain h2").first
    first.get_by_text("λ, windows per series").wait_for()
    # What was looked for survives a reload.
    glossary.reload()
    glossary.locator(".stMain h2").first.get_by_text("λ, windows per series").wait_for()
    glossary.wait_for_function(
        "() => document.querySelector('.st-key-glossary_search input')?.value === 'lambda'"
    )

    with visitor.context.expect_page() as opened:
        glossary.get_by_role("link", name="Theorem F.1").first.click()
    theorems = opened.value
    theorems.get_by_role("heading", name="Theorem F.1").wait_for()
    assert theorems.url.endswith("/theorems#theorem-f-1")


ROOT = Path(__file__).parents[2]
SETTLED_MILLISECONDS = 2000
# Below the navigation, in the upper quarter of the window.
NEAR_THE_TOP = range(200)


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("theorem", ["4.2", "G.1"])
def test_link_to_a_theorem_puts_it_at_the_top(server, page, theorem, width):
    address = theorem_link(theorem).partition("](")[2].rstrip(")")
    visitor = page(server(ROOT / "app.py").url + address, width=width)
    heading = visitor.locator("#" + address.partition("#")[2])
    visitor.wait_for_selector("#proposition-c-2")
    visitor.wait_for_timeout(SETTLED_MILLISECONDS)
    assert int(heading.bounding_box()["y"]) in NEAR_THE_TOP


def test_visitor_who_moves_on_is_not_pulled_back(server, page):
    visitor = page(server(ROOT / "app.py").url + "theorems#theorem-g-1")
    visitor.wait_for_selector("#proposition-c-2")
    # Before a section is followed there is nothing to move on from.
    visitor.wait_for_function(
        "() => document.querySelector('#theorem-g-1')?.getBoundingClientRect().top < 200"
    )
    visitor.wait_for_timeout(SETTLED_MILLISECONDS // 2)
    visitor.mouse.move(400, 400)
    visitor.mouse.wheel(0, -3000)
    visitor.wait_for_timeout(SETTLED_MILLISECONDS)
    assert int(visitor.locator("#theorem-g-1").bounding_box()["y"]) not in NEAR_THE_TOP
