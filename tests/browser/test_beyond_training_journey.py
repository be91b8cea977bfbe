"""A visitor on the pages beyond training: stages, releases, protected data, hidden contexts."""

import re

import pytest

PATH = "multistage?staged_levels=1:2,3:6&staged_episodes=4"


@pytest.mark.slow
def test_levels_are_edited_by_keyboard_and_the_link_brings_them_back(visit):
    """A number typed into a box, a level added and taken away by Enter."""
    visitor = visit(PATH)
    assert "1 of 2, then 3 of 6 in each" in visitor.headline
    assert set(visitor.drawn) == {"upper", "lower", "printed"}
    size = visitor.box("staged_size_1")
    size.fill("30")
    size.press("Enter")
    visitor.wait_for_link(staged_levels="1:2,3:30")
    visitor.settle()
    assert "then 1 of 10 in each" in visitor.press_button("staged_add")
    visitor.wait_for_link(staged_levels="1:2,3:30,1:10")
    visitor.press_button("staged_remove_0_reset")
    visitor.wait_for_link(staged_levels="3:30,1:10")
    visitor.assert_kept()
    assert visitor.link["staged_levels"] == "3:30,1:10"


@pytest.mark.slow
def test_more_episodes_give_away_more_and_the_file_says_what_is_no_bound(visit, tmp_path):
    visitor = visit(PATH)
    assert re.search("which is not a bound", visitor.headline)
    assert "5 episodes" in visitor.slide("staged_episodes")
    rows = visitor.csv(tmp_path)
    assert all(float(row["delta_lower"]) <= float(row["delta_upper"]) for row in rows)
    assert any(float(row["delta_printed_unsound"]) < float(row["delta_lower"]) for row in rows)


PATH_OF_RELEASE = "release?release_repetitions=10&synth_frequency=0.0625"


def choose_file(visitor):
    """Choose a series of one's own; there is no chart until a file is open."""
    visitor.segment("a file of yours").click()
    visitor.get_by_text("No link holds a file").first.wait_for()
    assert visitor.link["release_source"] == "file"


@pytest.mark.slow
def test_a_visitor_compares_mechanisms_and_takes_the_numbers_home(visit, tmp_path):
    """More steps of one individual need more noise; the link and the file have it."""
    visitor = visit(PATH_OF_RELEASE)
    before = visitor.headline
    assert "at most 100 of the 625 steps" in before
    assert {"truth", "released", "difference"} <= visitor.drawn.keys()
    after = visitor.slide("participation")
    assert "at most 110 of the 625 steps" in after
    assert visitor.link["participation"] == "110"
    visitor.unfold("Another mechanism")
    visitor.choose("filtered, exact", release_way="filter-subsample-exact")
    visitor.settle()
    assert "dpviz's own extension" in visitor.headline
    visitor.unfold("Repetitions, seed, more participation")
    released = visitor.drawn["released"]["y"]
    visitor.locator(".st-key-release_anew button:visible").first.press("Enter")
    visitor.wait_for_link(release_seed="2")
    visitor.settle()
    assert visitor.drawn["released"]["y"] != released
    rows = visitor.csv(tmp_path)
    assert len(rows) == 625


def test_a_file_of_counts_is_released_and_is_gone_after_a_reload(visit, tmp_path):
    """The link has the settings, never the counts: whoever opens it is asked for the file."""
    visitor = visit(PATH_OF_RELEASE + "&participation=9")
    before = visitor.headline
    choose_file(visitor)
    table = tmp_path / "counts.csv"
    table.write_text("\n".join(["count", *(str(50 + at % 40) for at in range(300))]))
    visitor.locator("input[type=file]").set_input_files(table)
    visitor.wait_for_selector("text=From the file: 300 steps.")
    visitor.settle()
    assert "at most 9 of the 300 steps" in visitor.headline
    assert visitor.headline != before
    assert sum(len(value) for value in visitor.link.values()) < 500
    visitor.reload()
    visitor.wait_for_selector("text=No link holds a file")
    assert visitor.locator(".dpviz-chart").count() == 0


@pytest.mark.slow
def test_a_file_that_is_no_series_is_refused_in_words(visit, tmp_path):
    """The sentence names line, value and what is allowed."""
    visitor = visit(PATH_OF_RELEASE)
    choose_file(visitor)
    table = tmp_path / "counts.csv"
    table.write_text("count\n1\n<script>alert(1)</script>\n")
    visitor.locator("input[type=file]").set_input_files(table)
    warning = visitor.locator("[data-testid=stAlert]").filter(has_text="The file was not used.")
    warning.first.wait_for()
    assert "it must be a whole number from 0" in warning.first.inner_text()


QUICK = "live_forecasters=ses&forecast_count=3"


def test_data_are_protected_downloaded_and_replaced_by_a_file(visit, tmp_path):
    """Chart, link and file are those of the protection; a file's name and values are in no link."""
    visitor = visit(f"protected_forecasts?{QUICK}")
    before = visitor.headline
    assert "After top coding of 10 %" in before
    assert visitor.get_by_text("No privacy guarantee:").is_visible()
    visitor.locator("summary", has_text="Another protection").click()
    visitor.menu("protection_method").select_option("laplace-known-bounds")
    visitor.wait_for_link(protection_method="laplace-known-bounds")
    visitor.wait_for_other_headline(before)
    assert visitor.get_by_text("Proven, for one value of one series:").is_visible()
    rows = visitor.csv(tmp_path)
    assert [row["series"] for row in rows] == ["1", "2", "3"]
    assert visitor.drawn["box-protected"]["y"] == [
        float(row["absolute_error_of_protected"]) for row in rows
    ]
    visitor.segment("A file").click()
    visitor.wait_for_link(protected_data="file")
    visitor.get_by_text("No link holds a file").first.wait_for()
    path = tmp_path / "secret_sales.csv"
    lines = [
        f"shop {at},{time},{500 + 9 * at + time % 12}" for at in range(3) for time in range(40)
    ]
    path.write_text("\n".join(["series_id,t,value", *lines]), encoding="utf-8")
    visitor.locator("input[type=file]").set_input_files(path)
    visitor.get_by_text("3 series of your file are protected.").wait_for()
    visitor.settle()
    assert "(your file)" in visitor.headline
    link = str(visitor.link)
    assert not any(word in link for word in ("secret", "sales", "shop"))


@pytest.mark.slow
def test_more_kept_values_and_more_forecasts_take_more_noise(visit, tmp_path):
    """Headline, chart, link and file are those of the settings."""
    visitor = visit("private_inference?hidden_context=4")
    before = visitor.headline
    assert "Noise of 16.51" in before
    assert {"context", "kept", "hidden", "truth"} <= visitor.drawn.keys()
    after = visitor.slide("hidden_rate")
    assert "Noise of 16.54" in after
    assert visitor.link["hidden_rate"] == "0.51"
    assert "for 2 released forecasts together" in visitor.slide("hidden_forecasts")
    seen = visitor.drawn["kept"]["y"]
    visitor.press_button("hide_anew")
    visitor.settle()
    assert visitor.link["hidden_seed"] == "2"
    assert visitor.drawn["kept"]["y"] != seen
    before = visitor.headline
    visitor.choose("The noise", hidden_given="noise")
    assert "Noise of 20 (standard deviation)" in visitor.wait_for_other_headline(before)
    rows = visitor.csv(tmp_path)
    assert [row["part"] for row in rows] == ["context"] * 4 + ["forecast"] * 6
    visitor.unfold("What the paper prints")
    visitor.choose("Table 12: electricity", hidden_table="12")
    visitor.get_by_text("Most spreads are printed equal to the means").wait_for()
