"""The shown command and Python give the page's numbers once more."""

import contextlib
import io
import json
import re

import pytest

from dpviz.command_line import main
from dpviz.wording.numbers import rounded_down, rounded_up
from tests.pages.app import EXPLORING, TOY, link_of

SHORT = link_of(TOY) | {"steps": "10", "num_subsequences": "2"}
PARTS = ("open_code", "open_relation", "open_data")


def shown_code(app, language: str) -> list[str]:
    return [block.value for block in app.get("code") if block.language == language]


def by_command(command: str, capsys) -> dict:
    """Return what a command answers that needs no file."""
    words = command.replace("\\\n", " ").split()
    assert words[:3] == ["python", "-m", "dpviz"]
    capsys.readouterr()
    assert main(words[3:]) == 0
    return json.loads(capsys.readouterr().out)


def by_python(script: str) -> list[float]:
    """Return the epsilons that a script prints, upper bound first."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(script, {})
    return [
        float(number) for number in re.findall(r"epsilon ([\d.]+) at delta", printed.getvalue())
    ]


@pytest.mark.every(3)
@pytest.mark.parametrize("page", EXPLORING)
def test_command_and_python_give_the_headline_s_numbers(open_page, capsys, page):
    app = open_page(SHORT, page, parts=PARTS)
    command = shown_code(app, "bash")[0]
    upper, lower = by_python(shown_code(app, "python")[0])
    quoted = app.headline
    if page == "subsequences":
        assert f"**1 window per series: ε ≤ {rounded_up(upper)} (Theorem 4.4, " in quoted
        assert f" steps; ≥ {rounded_down(lower)} attained)**" in quoted
    elif page == "sample_or_walk":
        assert f"**ε ≤ {rounded_up(upper)}, ≥ {rounded_down(lower)} attained**" in quoted
    else:
        assert f"**ε ≤ {rounded_up(upper)} at δ = 10⁻⁷**" in quoted
    answer = by_command(command, capsys)
    assert answer["upper"]["epsilon"] == [upper]
    assert answer["lower"]["epsilon"] == [lower]


def test_second_command_gives_points_of_the_drawn_curve_and_pins_have_code_too(open_page, capsys):
    app = open_page(SHORT, parts=PARTS)
    answer = by_command(shown_code(app, "bash")[1], capsys)
    traces = {one.get("uid"): one for one in app.chart("privacy_curve")["data"]}
    for side in ("upper", "lower"):
        line = traces[f"series-0-{side}"]
        drawn = dict(zip(line["x"], line["y"], strict=True))
        told = dict(zip(answer[side]["epsilon"], answer[side]["delta"], strict=True))
        assert list(told) == [0.1, 1.0, 10.0]
        assert [told[at] for at in (0.1, 1.0)] == pytest.approx([drawn[at] for at in (0.1, 1.0)])
    app.press("pin")
    pinned = app.headline
    app.act("noise_multiplier", 3.0)
    here, _ = by_python(shown_code(app, "python")[0])
    assert f"ε ≤ {rounded_up(here)}" in app.headline
    app.act("code_of", app.control("code_of").tokens[-1])
    there, _ = by_python(shown_code(app, "python")[0])
    assert f"ε ≤ {rounded_up(there)}" in pinned
