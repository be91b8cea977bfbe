"""A visitor's way through the real app, in a real browser against the real server."""

import pytest

from tests.browser.visitor import ROOT, SETTLED, epsilons

# Enters a text into a box, and goes on typing before any answer can come.
ENTER = """(box, [text, more]) => {
  box.value = text;
  box.dispatchEvent(new Event("change"));
  box.value += more;
}"""
# As a browser does that fills in a form: it presses no key.
FILL_IN = "box => box.dispatchEvent(new Event('keydown', { bubbles: true }))"
COUNT_LISTENERS = """() => {
  window.listeners = 0;
  const listen = document.addEventListener;
  document.addEventListener = (event, ...more) => {
    window.listeners += event === "keydown";
    listen.call(document, event, ...more);
  };
}"""


def test_from_preset_by_slider_and_copied_link_to_the_same_numbers_and_csv(visit, page, tmp_path):
    visitor = visit("")
    visitor.get_by_role("button", name="electricity").click()
    visitor.settle()
    moved = visitor.slide()
    assert "16,000 steps" in moved

    visitor.shared("Copy link").click()
    visitor.get_by_text("Copied").wait_for()
    link = visitor.evaluate("navigator.clipboard.readText()")
    assert "noise_multiplier=2.2" in link

    other = page(link, new=True)
    other.settle()
    assert other.headline == moved
    other.assert_kept()

    rows = other.csv(tmp_path)
    [epsilon, *_] = epsilons(moved)
    # The quoted epsilon is rounded up: the curve passes 1e-7 at or before it.
    after = next(row for row in rows if float(row["epsilon"]) >= epsilon)
    before = [row for row in rows if float(row["epsilon"]) < epsilon * 0.995][-1]
    assert float(after["delta_upper"]) <= 1e-7 < float(before["delta_upper"])


def test_chart_changes_in_place_and_keeps_the_zoom(visit):
    visitor = visit()
    visitor.evaluate(
        "() => { const chart = document.querySelector('.js-plotly-plot'); chart.mine = true;"
        " window.blank = 0; const watch = () => { if (!document.querySelector("
        "'.js-plotly-plot .scatterlayer path.js-line')) window.blank += 1;"
        " requestAnimationFrame(watch); }; watch(); }"
    )
    lines = "() => [...document.querySelectorAll('path.js-line')].map(line => line.outerHTML)"
    zoomed, curve = visitor.zoom_in(), visitor.evaluate(lines)
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        visitor.slide(key=key)
    visitor.wait_for_function(f"old => String(({lines})()) !== String(old)", arg=curve)
    assert visitor.evaluate("() => document.querySelector('.js-plotly-plot').mine") is True
    assert visitor.evaluate("() => window.blank") == 0
    assert visitor.ranges == pytest.approx(zoomed)


@pytest.mark.slow
def test_first_visitor_of_a_fresh_server_may_come_by_a_deep_link(server, page):
    """A link works even where nobody has opened the start page, also below a path."""
    visitor = page(server(ROOT / "app.py", base_path="fresh").url + "privacy_curve?steps=500")
    visitor.settle()
    visitor.slide()
    visitor.go_to("Beyond training", "Hide the context")


def test_back_button_undoes_a_change(visit):
    visitor = visit()
    first = visitor.headline
    second = visitor.slide()
    visitor.go_back()
    assert visitor.wait_for_other_headline(second) == first


def test_each_page_is_one_step_back(visit):
    """Streamlit puts the page's address into the history before that with its settings."""
    visitor = visit()
    before = visitor.evaluate("() => history.length")
    tabs = ("Windows per series", "Privacy curve", "Windows per series")
    for tab in tabs:
        visitor.go_to("Compare sampling", tab)
        visitor.settle()
    assert visitor.evaluate("() => history.length") == before + len(tabs)
    visitor.go_back()
    visitor.page.locator(".st-key-tab_here", has_text=tabs[1]).wait_for()


def test_a_box_keeps_what_is_typed_into_it(visit):
    """The answer to what was entered takes the place of that alone, as where it is refused.

    A number that is shown shortened stands there as another text while it is edited.
    """
    visitor = visit()
    box = visitor.box("noise_multiplier")
    box.evaluate(FILL_IN)
    box.focus()
    box.evaluate(ENTER, ["1.5", "2"])
    visitor.wait_for_link(noise_multiplier="1.5")
    visitor.settle()
    assert box.input_value() == "1.52"
    visitor.keyboard.type("5")
    for typed in ("", "none"):
        visitor.keyboard.type(typed)
        visitor.keyboard.press("Enter")
        visitor.wait_for_link(noise_multiplier="1.525")
        visitor.settle()
        assert box.input_value() == "1.525"
    for typed in ("1.0123456789", "2.5"):
        box.fill(typed)
        box.press("Enter")
        visitor.settle()
        box.blur()
        assert visitor.link["noise_multiplier"] == typed
    box.fill("1.0123456789")
    box.blur()
    assert box.input_value() == "≈ 1.012"
    box.fill("1,234.5678")
    before_any_answer = "box => { box.blur(); return box.value; }"
    assert box.evaluate(before_any_answer) == "1,234.5678"


def test_files_are_read_in_the_browser_too(visit, tmp_path):
    """What is typed into one box is kept while the answer to another one comes."""
    path = tmp_path / "mine.csv"
    rows = [f"{name},{t},{t % 7}" for name in ("a", "b") for t in range(200)]
    path.write_text("\n".join(["series_id,t,value", *rows]), encoding="utf-8")
    visitor = visit()
    visitor.unfold("Data and windows, or a file")
    visitor.locator("[data-testid=stFileUploader] input[type=file]").set_input_files(path)
    visitor.locator(".st-key-use_file button").click()
    visitor.box("first_relation_width").wait_for()
    visitor.get_by_text("N = 2 series of 200 values").first.wait_for()
    visitor.wait_for_function(SETTLED)
    context = visitor.box("first_context_length")
    context.press_sequentially("4")
    visitor.box("first_time_step").evaluate(ENTER, ["1 hour", ""])
    visitor.locator(".st-key-first_context_length [placeholder^='such as']").wait_for()
    visitor.keyboard.type("8")
    assert context.input_value() == "48"
    visitor.keyboard.press("Enter")
    visitor.get_by_role("button", name="Take Context length L_C = 48").wait_for()
    visitor.keyboard.type("none")
    visitor.keyboard.press("Enter")
    visitor.locator(".st-key-first_context_length .dpviz-problem").wait_for()
    assert context.input_value() == "48"


@pytest.mark.slow
def test_settings_stay_from_question_to_question(visit):
    visitor = visit("subsequences")
    visitor.slide()
    visitor.evaluate(COUNT_LISTENERS)
    for tab in ("Sample or walk", "Privacy curve", "Windows per series"):
        visitor.go_to("Compare sampling", tab)
        visitor.settle()
        assert visitor.link["noise_multiplier"] == "1.1"
        told = visitor.slider("noise_multiplier").get_attribute("aria-valuetext")
        assert told == "1.1"
    assert visitor.evaluate("() => window.listeners") == 0  # more with each page would slow keys


RELEASE = "release?release_repetitions=10&synth_frequency=0.0625"
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


@pytest.mark.slow
def test_settings_are_taken_back_and_told_and_done_again(visit):
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
    visitor.assert_kept()
