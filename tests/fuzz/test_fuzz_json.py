"""Files of scenarios: by the library, the command line and the page; used exactly, or refused."""

import json
from decimal import Decimal
from functools import partial
from types import SimpleNamespace
from typing import Any

from _pytest.monkeypatch import MonkeyPatch

from dpviz import accounting
from dpviz.command_line import main
from dpviz.scenario import Scenario, ScenarioError, from_json, to_fields, to_json
from dpviz.scenario.fields import OPTIONAL_FIELDS, SCHEMA_1_DEFAULTS
from dpviz.ui import file_reading, offered_file
from dpviz.ui import state as state_module
from dpviz.ui.state import State
from tests.fuzz.bounds import assert_readable, bounded, check_examples, few_or_many
from tests.fuzz.broken_json import broken_json
from tests.fuzz.hostile import same_value
from tests.scenario.strategies import SHAPE


class AcceptedError(Exception):
    """Says in the accountant's place which scenario it was asked for."""


def read(content: bytes) -> Scenario | None:
    """Return what the library makes of a file, ``None`` if it is refused."""
    try:
        return from_json(content)
    except ScenarioError as problem:
        assert_readable([problem, problem.allowed])
        return None


def read_by_command(content: bytes, path: Any, capsys: Any) -> Scenario | None:
    path.write_bytes(content)
    try:
        assert main(["epsilon", "--scenario", str(path)]) == 2
    except AcceptedError as accepted:
        return accepted.args[0]
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.replace("'", "").startswith(f"dpviz: --scenario {path}")
    assert_readable([said.err.removesuffix("\n")])
    return None


def read_by_page(content: bytes, patch: MonkeyPatch) -> Scenario | None:
    state = State(scenario=SHAPE)
    uploaded = SimpleNamespace(getvalue=lambda: content, name="saved.json", size=len(content))
    fake = SimpleNamespace(session_state={"upload_0": uploaded})
    for module in (file_reading, state_module):
        patch.setattr(module, "st", fake)
    patch.setattr(offered_file, "page_address", lambda: "privacy_curve")
    file_reading.use_file(
        state, uploaded, partial(offered_file.open_file, state), file_reading.NOT_USED
    )
    assert_readable((*state.problems, *state.notes))
    assert bool(state.problems) != bool(state.notes)
    if state.problems:
        assert state.scenario == SHAPE
        return None
    return state.scenario


def check_exact(content: bytes, scenario: Scenario) -> None:
    """Check that a file's every value is the scenario's, and that nothing else was put there."""
    pairs = json.loads(
        content, object_pairs_hook=list, parse_float=Decimal, parse_int=lambda text: Decimal(text)
    )
    given, used = dict(pairs), to_fields(scenario)
    assert len(given) == len(pairs)
    for name, value in given.items():
        if value is None:
            assert name in OPTIONAL_FIELDS
            assert name not in used
        elif isinstance(value, list):
            assert sorted(value) == used[name]
        elif isinstance(value, str):
            assert used[name] == value or name == "time_step"
        else:
            assert isinstance(value, Decimal)
            assert same_value(str(value), used[name])
    for name in used.keys() - given.keys():
        assert used[name] == SCHEMA_1_DEFAULTS[name]
    assert from_json(to_json(scenario)) == scenario


def check(content: bytes, path: Any, capsys: Any) -> None:
    with MonkeyPatch.context() as patch, bounded():

        def accepted(scenario: Scenario) -> None:
            raise AcceptedError(scenario)

        patch.setattr(accounting, "account_for", accepted)
        scenario = read(content)
        assert read_by_page(content, patch) == scenario
        by_command = read_by_command(content, path, capsys)
        if scenario is not None:
            check_exact(content, scenario)
            is_utf8 = content.removeprefix(b"\xef\xbb\xbf")[:1] == b"{" and content[1:2] != b"\x00"
            assert by_command == (scenario if is_utf8 else None)


@few_or_many(50, 2500)
def test_broken_files_are_used_exactly_or_refused(most, tmp_path_factory, capsys):
    """By library, page and command line alike, with a sentence that names the field."""
    path = tmp_path_factory.getbasetemp() / "fuzz.json"
    check_examples(lambda content: check(content, path, capsys), most, broken_json())
