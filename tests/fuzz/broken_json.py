"""Saved scenarios, broken in every way that files get broken."""

import json
from collections.abc import Callable
from functools import lru_cache
from random import Random

from hypothesis import strategies as st

from dpviz.scenario import to_fields
from dpviz.scenario.fields import FIELD_NAMES
from tests.fuzz.hostile import NUMBERS, hostile_text
from tests.settings.random_states import random_scenario

Members = list[tuple[str, str]]  # names of an object with the JSON text of their values
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
def _valid() -> tuple[Members, ...]:
    draw = Random(11)
    fields = [to_fields(random_scenario(draw)) for _ in range(_SCENARIOS)]
    return tuple([(name, json.dumps(value)) for name, value in one.items()] for one in fields)


def _odd_value(draw: Random) -> str:
    kind = draw.random()
    if kind < 0.5:
        return draw.choice(_ODD_VALUES)
    return draw.choice(NUMBERS) if kind < 0.7 else json.dumps(hostile_text(draw)[:500])


def _replaced(members: Members, draw: Random) -> Members:
    place = draw.randrange(len(members)) if members else 0
    return [
        (name, _odd_value(draw) if at == place else raw) for at, (name, raw) in enumerate(members)
    ]


def _dropped(members: Members, draw: Random) -> Members:
    place = draw.randrange(len(members)) if members else 0
    return members[:place] + members[place + 1 :]


def _doubled(members: Members, draw: Random) -> Members:
    return [*members, draw.choice(members)] if members else members


def _any_known(members: Members, draw: Random) -> Members:
    return [*members, (draw.choice(sorted(FIELD_NAMES)), _odd_value(draw))]


def _unknown(members: Members, draw: Random) -> Members:
    name = draw.choice(("scenario", "hits", "Delta", "", "x" * 5000, "\ud800", "a\nb", "\u202e"))
    return [*members, (name, _odd_value(draw))]


def _crossed(members: Members, draw: Random) -> Members:
    other = draw.choice(_valid())
    taken = dict(draw.sample(other, draw.randint(1, 6)))
    return [member for member in members if member[0] not in taken] + list(taken.items())


def _other_schema(members: Members, draw: Random) -> Members:
    schema = draw.choice(("0", "2", "1.0", "1.5", "true", '"1"', "null", "-1", "1e400"))
    return [("schema", schema), *(member for member in members if member[0] != "schema")]


MUTATIONS: tuple[Callable[[Members, Random], Members], ...] = (
    _replaced, _replaced, _replaced, _dropped, _doubled, _any_known, _unknown, _crossed,
    _other_schema,
)  # fmt: skip


def _text(members: Members) -> str:
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
