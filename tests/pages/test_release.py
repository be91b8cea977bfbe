"""The page that releases one series of counts."""

import json
import re

import numpy as np
import pytest

from dpviz.command_line import main
from dpviz.release import ReleaseSettings, calibrated
from dpviz.ui.results import RESULTS

PAGE = KEY = "release"
OPEN = ("open_more_often", "open_mechanisms", "open_held")
CODE = (*OPEN, "open_mechanism", "open_trials", "open_code", "open_reading")
LINK = {"release_repetitions": "10", "synth_frequency": "0.0625"}


def counts_csv():
    return "\n".join(["count", *(str(50 + at % 40) for at in range(300))]).encode()


@pytest.mark.parametrize(
    ("way", "told"),
    [
        ("subsample-paper", "corrected Corollary 3"),
        ("filter-subsample-exact", "dpviz's extension for filters"),
    ],
)
def test_a_mechanism_says_noise_budget_whom_and_theorem_and_the_program_prints_them(
    opened, capsys, way, told
):
    """The words of all of them are tested without a page."""
    app = opened(LINK | {"release_way": way}, CODE)
    app.assert_sound(KEY)
    mechanism, _, accounting = way.rpartition("-")
    settings = ReleaseSettings(length=625, participation=100)
    noise = calibrated(settings, mechanism, accounting).noise
    quoted = float(re.search(r"noise of ([\d.]+) counts", app.headline)[1])
    assert quoted == pytest.approx(noise, rel=0.01)
    assert quoted >= noise
    assert "keeps ε ≤ 0.5 at δ = 10⁻⁴" in app.headline
    assert "one individual, present or not, who is counted in at most 100" in app.headline
    assert told in app.headline
    command, program = (code.value for code in app.code)
    assert command.startswith(f"python -m dpviz release --mechanism {mechanism}")
    found = {}
    exec(program, found)  # the page's own text
    printed, mean = capsys.readouterr().out.split("\n")[:2]
    noise_word, told_noise, *_ = printed.split()
    assert noise_word == "noise"
    assert quoted >= float(told_noise)
    assert " for epsilon 0.5 at delta 0.0001, by " in printed
    assert f"{float(mean.removeprefix('mean absolute error ')):.3g}" in app.headline
    released = app.traces(KEY)["released"]["y"]
    assert found["released"] == pytest.approx(np.array(released), abs=1e-3)


def test_the_link_the_noise_and_the_release_follow_slider_and_seed(opened, capsys):
    """The command that is shown gives the page's noise."""
    app = opened(parts=CODE)
    command = app.code[0].value.replace("\\\n", " ").split()[3:]
    assert main([*command, "--json"]) == 0
    noise = json.loads(capsys.readouterr().out)["noise"]
    assert float(re.search(r"noise of ([\d.]+)", app.headline)[1]) == pytest.approx(noise, rel=0.01)
    drawn, seed = app.chart(KEY)["data"], app.state.view.release_seed
    told = app.headline.partition("** (")[0]
    app.press("release_anew")
    assert app.state.view.release_seed == seed + 1
    assert app.chart(KEY)["data"] != drawn
    assert app.headline.partition("** (")[0] == told
    app.act("participation", 200)
    assert "at most 200 of the 625 steps" in app.headline
    assert app.headline.partition("** (")[0] != told
    assert app.link["participation"] == "200"
    app.act("release_rate", "2")
    assert "Share of steps that are kept p" in app.warnings


def test_a_file_is_released_and_is_in_no_link_nor_kept_for_others(opened, downloads):
    app = opened(LINK | {"release_source": "file", "participation": "9"})
    assert "No link holds a file" in app.notes
    assert not app.error
    before = set(RESULTS._outcomes)
    app.upload("counts_upload_0", "counts.csv", counts_csv())
    app.assert_sound(KEY)
    assert "of the 300 steps" in app.headline
    text = downloads["Download CSV"]()
    assert "# NOT FOR PUBLICATION: the table has the original counts" in text
    table = [line for line in text.splitlines() if line[0] != "#"]
    assert len(table) == 1 + 300
    assert float(table[1].split(",")[1]) == 50
    link = app.link
    assert link["release_source"] == "file"
    assert not any("50" in value and "51" in value for value in link.values())
    for key in set(RESULTS._outcomes) - before:
        found = RESULTS.peek(key)
        # Errors, noises and words, never the counts.
        assert not (isinstance(found, np.ndarray) and len(found) == 300), key
        assert not (isinstance(found, str) and "hovertemplate" in found), key


def test_nobody_is_in_more_steps_than_a_short_file_has(opened):
    app = opened(LINK | {"release_source": "file"})
    app.upload("counts_upload_0", "counts.csv", b"count\n" + b"7\n" * 60)
    assert "at most 60 of the 60 steps" in app.headline
    control = app.control("participation")
    assert control.text == "60"
    assert control.spec["stops"][-1] == 60
    app.act("participation", "61")
    assert "it must be a whole number from 1 to 60" in app.warnings
    app.act("participation", "24")
    assert "at most 24 of the 60 steps" in app.headline
    app.act("release_rate", "0.001")
    assert "No step was kept:** the release is 0 throughout" in app.all_words


def test_the_figures_are_left_out_where_none_of_their_mechanisms_has_an_answer(opened):
    """Kept steps need a smaller δ, and the paper's own accounting a smaller ε."""
    link = {"participation": "1", "release_way": "gaussian-analytic", "release_epsilon": "2"}
    app = opened(LINK | link | {"release_delta": "0.1"}, ["open_each", "open_mechanisms"])
    app.assert_sound(KEY)
    assert "release_each" not in app.chart_keys
    app.act("release_delta", "0.01")
    assert "release_each" in app.chart_keys


def test_the_shown_program_reads_the_file_as_the_page_does(opened, tmp_path, monkeypatch):
    content = counts_csv().replace(b"\n", b"\nMonday,").replace(b"count", b"day,count", 1)
    (tmp_path / "counts.csv").write_bytes(content)
    monkeypatch.chdir(tmp_path)
    app = opened(LINK | {"release_source": "file", "participation": "9"}, CODE)
    app.upload("counts_upload_0", "counts.csv", content)
    found = {}
    exec(app.code[1].value, found)  # the page's own text
    released = app.traces(KEY)["released"]["y"]
    assert found["released"] == pytest.approx(np.array(released), abs=1e-3)
