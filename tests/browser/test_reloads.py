"""What a reload keeps, in a browser: the ledger's runs, and what was taken back."""

import pytest

pytestmark = pytest.mark.slow
RELEASE = "release?release_repetitions=10&synth_frequency=0.0625"


RUNS = (
    "run_1=name%3Done%26schema%3D1%26num_series%3D320%26series_length%3D20%26context_length%3D1"
    "%26forecast_length%3D1%26batch_size%3D32%26noise_multiplier%3D1.0%26steps%3D50"
)


def test_a_run_is_added_outlives_a_reload_and_is_taken_away(visit, tmp_path):
    visitor = visit(f"ledger?{RUNS}")
    first = visitor.headline
    assert ". 1 run: ε ≤ " in first
    visitor.box("name_of_run").fill("night run")
    visitor.box("name_of_run").press("Tab")
    both = visitor.press_button("ledger_add")
    assert ". 2 runs together: ε ≤ " in both
    assert "night+run" in visitor.link["run_2"]
    visitor.assert_kept()
    rows = visitor.csv(tmp_path)
    assert [row["place"] for row in rows] == ["all", "1", "2"]
    assert visitor.press_button("ledger_remove_1") == first
    visitor.wait_for_link(run_2=None)


JOINER = "\N{WORD JOINER}"  # keeps words from being links

HAS_FOCUS = "key => !!document.activeElement?.closest(`.st-key-${key}`)"
# The notice that is seen is not read out: what is read out says the same.
TOLD, SEEN = "#dpviz-undone[role=status]:not(:empty)", "[data-testid=stToast]"


def press(visitor, key, **changed):
    """Press a button by the keyboard; return what is said when the link has changed."""
    button = visitor.locator(f".st-key-{key} button:visible").first
    button.focus()
    visitor.keyboard.press("Enter")
    visitor.wait_for_link(**changed)
    visitor.settle()
    return str(visitor.locator(TOLD).first.text_content())


def test_settings_are_taken_back_and_told_also_on_another_page(visit):
    """Also those that live on one page alone; a reload shows what was gone back to."""
    visitor = visit(RELEASE)
    first = visitor.headline
    second = visitor.slide("participation")
    assert visitor.link["participation"] == "110"
    said = press(visitor, "undo", participation=None)
    assert said == "Undone: Steps that one individual is in, at most, from 110 back to 100."
    assert said in visitor.locator(SEEN).first.inner_text().replace(JOINER, "")
    assert visitor.headline == first
    visitor.wait_for_function(HAS_FOCUS, arg="redo")  # Undo has no more to take back
    press(visitor, "redo", participation="110")
    visitor.wait_for_function(HAS_FOCUS, arg="undo")
    assert visitor.headline == second

    visitor.go_to("Beyond training", "Sampling in stages")
    visitor.wait_for_url("**/multistage**")
    visitor.settle()
    said = press(visitor, "undo", participation=None)
    assert said.startswith("Undone on Release one series: Steps that one")
    visitor.assert_kept()
