"""The commands of the documentation run, and answer what the pages say they answer."""

import json
import random
import re
import signal
from itertools import groupby

import numpy as np
import pytest

from dpviz.command_line import main
from dpviz.command_line.commands import COMMANDS as KNOWN
from dpviz.command_line.parser import parsed
from dpviz.scenario import to_fields, to_json
from tests.browser.server import free_port
from tests.command_line.interrupted import interrupted
from tests.documentation.pages import PAGES, ROOT, commands_of
from tests.scenario.changes import TOY, varied

COMMANDS = [command for page in PAGES for command in commands_of(page)]
ANSWERED = [command for command in COMMANDS if command.answer is not None]
# The same command on several pages is run once; the others take minutes, together.
OTHERS = {command.arguments: command for command in COMMANDS if command.answer is None}
SHORT = varied(TOY, steps=20)
ELSEWHERE = ("--dask",)  # where a cluster runs
# Take minutes to hours; what they ship is tested elsewhere.
STUDIES = ("training-study", "inference-study", "forecast-study")
WITH_A_SERVER = ("app", "rehearse")
MOMENTS, LATEST_SECONDS = 4, 8.0
# Python ends itself by the signal where that came while it ran code made of text, as of a data
# class, whoever has heeded it; to a shell both are 130.
STOPPED = (130, -signal.SIGINT)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    (tmp_path / "scenario.json").write_text(to_json(SHORT), encoding="utf-8")
    (tmp_path / "privacy.json").write_text(to_json(SHORT), encoding="utf-8")
    runs = [{"name": name, "scenario": to_fields(SHORT)} for name in ("spring", "autumn")]
    (tmp_path / "runs.json").write_text(json.dumps({"runs": runs}), encoding="utf-8")
    grid = to_fields(SHORT) | {"noise_multiplier": [1.0, 2.0]}
    lines = [f"{name} = {json.dumps(value)}" for name, value in grid.items()]
    (tmp_path / "grid.toml").write_text("\n".join(lines), encoding="utf-8")
    counts = ["count", *map(str, rng.poisson(40, 1800))]
    (tmp_path / "counts.csv").write_text("\n".join(counts) + "\n", encoding="utf-8")
    sales = rng.gamma(3.0, size=(80, 30)).round(3)
    homes = ["meter_id,household_id,date,kwh"]
    for meter, home in enumerate("aaaabbcde"):
        homes += [f"m{meter},{home},2024-01-{day:02},{day * meter}" for day in range(1, 21)]
    (tmp_path / "homes.csv").write_text("\n".join(homes) + "\n", encoding="utf-8")
    page = (ROOT / "docs" / "your-training.md").read_text(encoding="utf-8")
    loader = re.search(r"`my_loader.py`:\n\n```python\n(.*?)```", page, re.DOTALL)[1]
    (tmp_path / "my_loader.py").write_text(loader, encoding="utf-8")
    table = [",".join(f"s{at}" for at in range(30)), *(",".join(map(str, row)) for row in sales)]
    (tmp_path / "sales.csv").write_text("\n".join(table) + "\n", encoding="utf-8")
    return tmp_path


def unlike(answer, said):
    """Return the lines of a page's answer that were not said, in this order; ... stands for any."""
    lines = iter(said.splitlines())
    for is_left_out, wanted in groupby(answer.splitlines(), key=lambda line: line == "..."):
        if is_left_out:
            continue
        first, *rest = wanted
        if first not in lines:
            yield first
        for line in rest:
            if next(lines, None) != line:
                yield line


@pytest.mark.parametrize("command", ANSWERED, ids=lambda command: command.name)
def test_answers_are_what_the_pages_say(command, folder, capsys):
    assert main([*command.arguments]) == 0
    said = capsys.readouterr()
    assert list(unlike(command.answer, said.out)) == [], said.out


@pytest.mark.slow
@pytest.mark.parametrize("command", OTHERS.values(), ids=lambda command: command.name)
def test_all_other_commands_run(command, folder, capsys):
    if set(ELSEWHERE) & set(command.arguments):
        pytest.skip("a cluster has to run")
    arguments = list(command.arguments)
    is_small = {"generated", "--forecaster"} <= set(arguments)
    if arguments[0] in WITH_A_SERVER or (arguments[0] in STUDIES and not is_small):
        parsed(arguments, KNOWN)
        return
    assert main(arguments) == 0
    said = capsys.readouterr()
    assert "Traceback" not in said.err


@pytest.mark.slow
@pytest.mark.parametrize("name", KNOWN)
def test_ctrl_c_at_any_moment_ends_a_command_with_a_sentence(name, folder, monkeypatch):
    monkeypatch.setenv("STREAMLIT_SERVER_HEADLESS", "true")
    monkeypatch.setenv("STREAMLIT_SERVER_ADDRESS", "127.0.0.1")
    asked = next(one.arguments for one in COMMANDS if one.arguments[0] == name)
    arguments = [one.replace("8600", str(free_port())) for one in asked]
    moments = random.Random(name)
    for _ in range(MOMENTS):
        after = moments.uniform(0.0, LATEST_SECONDS)
        code, said = interrupted(arguments, "| signal", after=after)
        assert "Traceback" not in said, after
        if code in STOPPED:
            assert said.splitlines()[-1].startswith("dpviz: stopped"), after
        elif code != 0:  # it had ended before, for want of a server or of a package
            assert name == "rehearse" or "is not installed" in said, (after, code, said)


def test_every_command_has_an_example():
    assert {command.arguments[0] for command in COMMANDS} >= set(KNOWN)
