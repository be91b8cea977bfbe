"""The page about draws in stages: every setting is kept, and no claim passes for a bound."""

import json
import shlex

from dpviz.command_line import main
from dpviz.multistage.guarantee import draw_in
from dpviz.planning.multistage import STAGED_LINES, delta_at, staged_line
from dpviz.ui.questions import multistage
from dpviz.wording.numbers import rounded_down, rounded_up
from tests.csv_text import rows_of

PAGE, KEY = "multistage", "staged_chart"
OPEN = ("open_certificate", "open_code", "open_printed")
LINK = {"staged_levels": "1:2,3:6", "staged_noise": "2.0", "staged_episodes": "4",
        "fixed_epsilon": "0.5"}  # fmt: skip


def test_bounds_and_claim_are_told_apart_by_page_file_command_and_script(opened, downloads, capsys):
    app = opened()
    app.assert_sound(KEY)
    assert "after 4 episodes of 1 of 2, then 3 of 6 in each (upper bound" in app.headline
    assert "**Not a bound**: δ = " in app.headline
    names = {trace["uid"]: trace["name"] for trace in app.chart(KEY)["data"]}
    assert set(names) == {"upper", "lower", "printed"}
    assert "UNSOUND" in names["printed"]
    assert "UNSOUND" in app.described(KEY)
    text = downloads["Download CSV"]()
    for row in rows_of(text):
        assert float(row["delta_lower"]) <= float(row["delta_upper"])
    command, script = (block.value for block in app.get("code"))
    assert command.startswith("python -m dpviz multistage --level 1:2 --level 3:6")
    assert main([*shlex.split(command.replace("\\\n", " "))[3:], "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    [upper], [lower] = told["delta"], told["lower"]["delta"]
    exec(script, {})
    printed = capsys.readouterr().out
    at = told["epsilon"][0]
    assert f"at most {upper!r} at epsilon {at!r}, by" in printed
    assert f"at least {lower!r} at epsilon {at!r}, by" in printed
    assert f"δ ≤ {rounded_up(upper)}" in app.headline
    assert f"δ ≥ {rounded_down(lower)}" in app.headline


def test_the_first_answer_is_a_quick_upper_bound_that_the_exact_lines_replace(opened, monkeypatch):
    asked = []

    def recorded(name, *run, **how):
        asked.append((name, how))
        return staged_line(name, *run, **how)

    monkeypatch.setattr(multistage, "staged_line", recorded)
    app = opened(LINK | {"staged_episodes": "5"})
    assert asked == [("upper", {"only_quoted": True}), *((name, {}) for name in STAGED_LINES)]
    app.assert_sound(KEY)
    assert {trace["uid"] for trace in app.chart(KEY)["data"]} == set(STAGED_LINES)
    run = draw_in("1:2,3:6"), 2.0, 5, 0.5
    coarse, exact = (staged_line("upper", *run, only_quoted=quick) for quick in (True, False))
    assert f"δ ≤ {rounded_up(delta_at(exact, 0.5))}" in app.headline
    assert delta_at(exact, 0.5) < delta_at(coarse, 0.5) < delta_at(exact, 0.5) * 1.001


def test_levels_are_added_edited_and_removed(opened):
    app = opened()
    app.act("staged_drawn_1", "7")  # more than there are
    assert not app.warning  # it stands beside the box alone
    told = "drawn = 7 is not allowed: it must be at most 6 here."
    assert app.warnings == told
    assert app.control("staged_drawn_1").text == "3"
    app.act("staged_size_0", "many")
    assert "it must be a whole number" in app.warnings
    assert app.state.view.staged_levels == "1:2,3:6"
    app.press("staged_add")
    assert app.query_params["staged_levels"] == "1:2,3:6,1:10"
    app.act("staged_size_2", "40")
    assert app.query_params["staged_levels"] == "1:2,3:6,1:40"
    app.act("staged_drawn_2", "4")
    assert app.query_params["staged_levels"] == "1:2,3:6,4:40"
    assert "then 4 of 40 in each" in app.headline
    app.press("staged_remove_0_reset")
    assert app.query_params["staged_levels"] == "3:6,4:40"
    assert app.control("staged_remove_0_reset").disabled
    for _ in range(3):
        app.press("staged_add")
    assert app.control("staged_add").disabled
    app.assert_sound(KEY)
    app.press("staged_preset_schools")
    assert "4 of 50, then 2 of 10 in each, then 3 of 25 in each" in app.headline


def test_what_is_done_to_a_level_that_is_gone_by_then_changes_no_other(opened):
    """A press and what follows it may come in one message, before the rows are drawn anew."""
    app = opened({"staged_levels": "1:2,3:6,1:10,4:40"})
    remove = ("staged_remove_0_reset", app.control("staged_remove_0_reset").spec["means"])
    app.acts([remove, remove, ("staged_drawn_3", "2")])
    assert app.query_params["staged_levels"] == "3:6,1:10,4:40"
    assert not app.warnings
