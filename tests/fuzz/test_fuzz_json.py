"""Files of scenarios: by the library, the command line and the page; used exactly, or refused."""

import json
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache, partial
from random import Random
from types import SimpleNamespace
from typing import Any

from _pytest.monkeypatch import MonkeyPatch
from hypothesis import strategies as st

from dpviz import accounting
from dpviz.command_line import main
from dpviz.scenario import Scenario, ScenarioError, from_json, to_fields, to_json
from dpviz.scenario.fields import FIELD_NAMES, OPTIONAL_FIELDS, SCHEMA_1_DEFAULTS
from dpviz.ui import file_reading, offered_file
from dpviz.ui import state as state_module
from dpviz.ui.state import State
from tests.fuzz.bounds import assert_readable, bounded, check_examples, few_or_many
from tests.fuzz.broken_links import (
    Pairs,
    any_known,
    crossed,
    dropped,
    other_schema,
    replaced,
)
from tests.fuzz.hostile import NUMBERS, hostile_text, same_value
from tests.scenario.strategies import SHAPE
from tests.settings.random_states import random_scenario


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


DEEP = 10_000
_SCENARIOS = 100
_ODD_VALUES = (
    "NaN", "Infinity", "-Infinity", "true", "false", "null", "[]", "{}", "[[]]", "[null]",
    '{"a":1,"a":2}', "[1,2]", "[2,1]", "[1,1]", "[1.0,2.0]", "[1,true]", '["1"]', "[1e3]", "[-1]",
    "1" + "0" * 400, "-1" + "0" * 400, "9" * 5000, "1e400", "-1e400", "1e-400", "1e999999999",
    "0." + "0" * 2000 + "1", "1.0", "-0", "-0.0", "1E2", "01", "+1", ".5", "1.", "'x'", "undefined",
    "[" * DEEP + "]" * DEEP, '{"a":' * DEEP + "1" + "}" * DEEP, "[" * DEEP, '"\\ud800"',
    '"\\u0000"', '{"a":1}', '"\\x"', '"a\nb"', "[" + ",".join(map(str, range(1, 300))) + "]",
    "// comment\n1", "1,",
)  # fmt: skip


@lru_cache(maxsize=1)
def _valid() -> tuple[Pairs, ...]:
    draw = Random(11)
    fields = [to_fields(random_scenario(draw)) for _ in range(_SCENARIOS)]
    return tuple([(name, json.dumps(value)) for name, value in one.items()] for one in fields)


def _odd_value(draw: Random) -> str:
    kind = draw.random()
    if kind < 0.5:
        return draw.choice(_ODD_VALUES)
    return draw.choice(NUMBERS) if kind < 0.7 else json.dumps(hostile_text(draw)[:500])


def _doubled(members: Pairs, draw: Random) -> Pairs:
    return [*members, draw.choice(members)] if members else members


def _unknown(members: Pairs, draw: Random) -> Pairs:
    name = draw.choice(("scenario", "hits", "Delta", "", "x" * 5000, "\ud800", "a\nb", "\u202e"))
    return [*members, (name, _odd_value(draw))]


_SCHEMAS = ("0", "2", "1.0", "1.5", "true", '"1"', "null", "-1", "1e400")
MUTATIONS: tuple[Callable[[Pairs, Random], Pairs], ...] = (
    *[partial(replaced, odd=_odd_value)] * 3,
    dropped,
    _doubled,
    partial(any_known, names=sorted(FIELD_NAMES), odd=_odd_value),
    _unknown,
    lambda members, draw: crossed(members, draw, _valid()),
    partial(other_schema, schemas=_SCHEMAS),
)


def _text(members: Pairs) -> str:
    return "{" + ", ".join(f"{json.dumps(name)}: {raw}" for name, raw in members) + "}"


def _broken_text(text: str, draw: Random) -> str:
    place = draw.randrange(len(text) + 1)
    return draw.choice((
        text[:place], text[place:], text[:place] + draw.choice("{}[],:\"'\\x\x00é") + text[place:],
        text + text, text + ",", "[" + text + "]", '{"scenario": ' + text + "}", '"' + text + '"',
        '{"scenario": ' * DEEP + text, " " * 30_000 + text, "\ufeff" + text, "\x00" + text,
        text.replace('"', "'"), text.replace(":", "="), "", " ", "null", "[]", "1", "not JSON",
        "<html>", "PK\x03\x04", "[" * DEEP, "[" * 200_000,
    ))  # fmt: skip


_ENCODINGS = ("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1")


@st.composite
def broken_json(draw: st.DrawFn) -> bytes:
    """Draw the bytes of a saved scenario, mostly one that is broken in one to four ways."""
    members = list(draw(st.sampled_from(_valid())))
    chance = Random(draw(st.integers(0, 2**32)))
    for mutation in draw(st.lists(st.sampled_from(MUTATIONS), max_size=3)):
        members = mutation(members, chance)
    text = _text(members)
    if draw(st.integers(0, 3)) == 0:
        text = _broken_text(text, chance)
    content = text.encode(chance.choice(_ENCODINGS), errors="replace")
    if draw(st.integers(0, 9)) == 0 and content:
        place = chance.randrange(len(content))
        content = content[:place] + bytes([chance.randrange(256)]) + content[place + 1 :]
    return content
