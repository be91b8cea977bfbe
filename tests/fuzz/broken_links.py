"""Links of valid states, broken in every way that links get broken."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from urllib.parse import parse_qsl, quote, urlencode

from hypothesis import strategies as st

from dpviz.scenario import to_query
from dpviz.scenario.fields import FIELD_NAMES
from dpviz.scenario.pins import PIN_PARAMETERS, pins_to_query
from dpviz.settings.view import VIEW_PARAMETERS, view_to_query
from tests.fuzz.hostile import hostile_text
from tests.settings.random_states import random_pins, random_scenario, random_view

Pairs = list[tuple[str, str]]
NAMES = (*sorted(FIELD_NAMES), *PIN_PARAMETERS, *VIEW_PARAMETERS)
_STATES = 150
_SCHEMAS = ("0", "2", "-1", "1.0", "01", "x", "", "1e0", "１")
Odd = Callable[[Random], str]


@lru_cache(maxsize=1)
def valid_links() -> tuple[Pairs, ...]:
    """Return the parameters of links to random states."""
    draw = Random(7)
    scenarios = [random_scenario(draw) for _ in range(_STATES)]
    links = []
    for scenario in scenarios:
        pins = random_pins(draw, scenarios) if draw.random() < 0.3 else ()
        beside = pins_to_query(pins) | view_to_query(random_view(draw))
        links.append([*parse_qsl(to_query(scenario)), *beside.items()])
    return tuple(links)


def dropped(pairs: Pairs, draw: Random) -> Pairs:
    """Leave one out."""
    place = draw.randrange(len(pairs)) if pairs else 0
    return pairs[:place] + pairs[place + 1 :]


def replaced(pairs: Pairs, draw: Random, odd: Odd = hostile_text) -> Pairs:
    """Give one another value."""
    place = draw.randrange(len(pairs)) if pairs else 0
    return [(name, odd(draw) if at == place else text) for at, (name, text) in enumerate(pairs)]


def crossed(pairs: Pairs, draw: Random, valid: Sequence[Pairs] | None = None) -> Pairs:
    """Take some of another one, which may be of another scheme."""
    other = draw.choice(valid_links() if valid is None else valid)
    others = draw.sample(other, min(len(other), draw.randint(1, 6)))
    names = {name for name, _ in others}
    return [pair for pair in pairs if pair[0] not in names] + others


def any_known(
    pairs: Pairs, draw: Random, names: Sequence[str] = NAMES, odd: Odd = hostile_text
) -> Pairs:
    """Add one of a name that is known."""
    return [*pairs, (draw.choice(names), odd(draw))]


def other_schema(pairs: Pairs, draw: Random, schemas: Sequence[str] = _SCHEMAS) -> Pairs:
    return [*(pair for pair in pairs if pair[0] != "schema"), ("schema", draw.choice(schemas))]


def _many_dropped(pairs: Pairs, draw: Random) -> Pairs:
    return [pair for pair in pairs if draw.random() < 0.5]


def _doubled(pairs: Pairs, draw: Random) -> Pairs:
    if not pairs:
        return pairs
    name, text = draw.choice(pairs)
    return [*pairs, (name, draw.choice((text, hostile_text(draw))))]


def _swapped(pairs: Pairs, draw: Random) -> Pairs:
    """Exchange the values of two parameters."""
    if len(pairs) < 2:
        return pairs
    one, other = draw.sample(range(len(pairs)), 2)
    changed = list(pairs)
    changed[one], changed[other] = (
        (pairs[one][0], pairs[other][1]),
        (pairs[other][0], pairs[one][1]),
    )
    return changed


def _unknown(pairs: Pairs, draw: Random) -> Pairs:
    name = draw.choice((
        "bach_size", "pin_g", "PIN_A", "Delta", "delta ", "colour", "ti\nme", "x" * 50_000,
        "\u202e", "embed", "embed_options", "__proto__", "<b>", "", "series_lengths", "pins",
        hostile_text(draw),
    ))  # fmt: skip
    return [*pairs, (name, hostile_text(draw))]


def _many(pairs: Pairs, draw: Random) -> Pairs:
    count, kind = draw.choice((10, 1000, 5000)), draw.random()
    if kind < 0.4:
        return pairs + [(f"x{number}", "1") for number in range(count)]
    if kind < 0.7:
        return pairs + [(f"x{number // 2}", "1") for number in range(count)]
    return pairs + [(draw.choice(NAMES), hostile_text(draw)[:50]) for _ in range(count)]


def _broken_pin(pairs: Pairs, draw: Random) -> Pairs:
    name = draw.choice(PIN_PARAMETERS)
    inner = draw.choice(valid_links())
    broken = draw.choice((dropped, replaced, _doubled, _swapped, other_schema))(inner, draw)
    return [*(pair for pair in pairs if pair[0] != name), (name, _encoded(broken))]


def _shuffled(pairs: Pairs, draw: Random) -> Pairs:
    return draw.sample(pairs, len(pairs))


def _emptied(pairs: Pairs, draw: Random) -> Pairs:
    return []


MUTATIONS: tuple[Callable[[Pairs, Random], Pairs], ...] = (
    replaced, replaced, replaced, dropped, _many_dropped, _doubled, _swapped, crossed,
    any_known, any_known, _unknown, other_schema, _many, _broken_pin, _shuffled, _emptied,
)  # fmt: skip


def _encoded(pairs: Pairs) -> str:
    return urlencode(pairs, safe=",", errors="surrogatepass")


def _percent_broken(query: str, draw: Random) -> str:
    """Break the link as texts get broken in mails and chats."""
    before = query[: draw.randrange(len(query) + 1)]
    return draw.choice((
        before,
        before + draw.choice(("%", "%f", "%ff", "%zz", "%00", "%e2%80", "&&", "==", ";")),
        query.replace("&", "&amp;"), quote(query),
        before + "=\r\n" + query.removeprefix(before),
        query + draw.choice((".", ")", "#fragment", "?a=b", "%20", "\u200b")),
    ))  # fmt: skip


@st.composite
def broken_links(draw: st.DrawFn) -> str:
    """Draw the query string of a link, mostly one that is broken in one to four ways."""
    pairs = list(draw(st.sampled_from(valid_links())))
    chance = Random(draw(st.integers(0, 2**32)))
    for mutation in draw(st.lists(st.sampled_from(MUTATIONS), max_size=4)):
        pairs = mutation(pairs, chance)
    query = _encoded(pairs)
    return _percent_broken(query, chance) if draw(st.integers(0, 9)) == 0 else query
