"""A scenario as the query string of a link, read strictly or leniently; and links made shorter."""

import base64
import binascii
import re
import zlib
from collections.abc import Mapping
from contextlib import suppress
from ipaddress import ip_address
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from dpviz.scenario.data import DataShape
from dpviz.scenario.errors import MISSING, ScenarioError
from dpviz.scenario.fields import (
    FIELD_NAMES,
    INTEGER_FIELDS,
    OF_RATES_FIELDS,
    OPTIONAL_FIELDS,
    RATE_FIELDS,
    REAL_FIELDS,
    SCHEMA_1_DEFAULTS,
    SCHEMA_VERSION,
    SHAPE_FIELDS,
    TEXT_FIELDS,
    Field,
    from_fields,
    no_such_field,
    not_alone,
    to_fields,
    without_repeats,
)
from dpviz.scenario.number_text import real_number, whole_number
from dpviz.scenario.scenario import Scenario


def to_query(scenario: Scenario) -> str:
    """Return the query string of a link that reopens exactly this scenario."""
    return urlencode(fields_in_link(to_fields(scenario)), safe=",")


def fields_in_link(fields: Mapping[str, Field]) -> dict[str, str | int | float]:
    """Return fields as a link writes them."""
    return {
        name: ",".join(map(str, value)) if isinstance(value, list) else value
        for name, value in fields.items()
    }


def as_parameter(scenario: Scenario, **before: str) -> str:
    """Return a scenario as the value of one parameter of a link, after what else is told of it.

    What a field means when it is absent never changes, so such fields are left out.
    """
    told = to_fields(scenario)
    kept = {name: value for name, value in told.items() if SCHEMA_1_DEFAULTS.get(name) != value}
    return urlencode({**before, **fields_in_link(kept)}, safe=",")


def from_query(query: str) -> Scenario:
    """Read a scenario from a link's query string; see :func:`from_fields` for errors."""
    pairs = parse_qsl(query.removeprefix("?"), keep_blank_values=True)
    return from_fields(fields_from_query(without_repeats(pairs)))


def fields_from_query(query: Mapping[str, str]) -> dict[str, Field]:
    """Return a link's parameters as fields with the right types.

    Raises:
        ScenarioError: a parameter is unknown, or its text is not of the field's type.
    """
    return {name: field_from_text(name, text) for name, text in query.items()}


def field_from_text(name: str, text: str) -> Field:
    """Return one field from its text in a link, or raise :class:`ScenarioError`."""
    if name in TEXT_FIELDS:
        return text
    try:
        if name in INTEGER_FIELDS:
            return whole_number(text)
        if name in REAL_FIELDS:
            return real_number(text)
        if name == "series_length":
            return [whole_number(part) for part in text.split(",")]
    except ValueError:
        kind = "a number" if name in REAL_FIELDS else "a whole number"
        raise ScenarioError(name, text, f"it must be {kind}") from None
    raise no_such_field(name, text)


def scenario_from_link(
    query: Mapping[str, str], base: Scenario
) -> tuple[Scenario, list[ScenarioError]]:
    """Read a link leniently: keep what is valid, name what is not.

    Nothing is used of a link of another schema version: its fields may mean something else.

    Args:
        base: the scenario that an unusable field is taken from instead.

    Returns:
        The scenario, and one error for each field that was not used as given.
    """
    problems: list[ScenarioError] = []
    try:
        return from_fields(fields_from_query(query)), problems
    except ScenarioError:
        pass
    schema = query.get("schema", str(SCHEMA_VERSION))
    if schema != str(SCHEMA_VERSION):
        only = f"this version reads schema {SCHEMA_VERSION} only, so nothing of the link was used"
        return base, [ScenarioError("schema", schema, only)]
    if not query.keys() & FIELD_NAMES:  # what a mail program appended, beside pins or a view
        return base, [no_such_field(name, text) for name, text in query.items()]
    good: dict[str, Field] = {"schema": SCHEMA_VERSION}
    for name, text in query.items():
        try:
            good[name] = field_from_text(name, text)
        except ScenarioError as problem:
            problems.append(problem)
    read, unread, refusals = dict(good), list(problems), list[ScenarioError]()
    # Fields constrain each other (a batch cannot draw more series than there are): give the
    # link's fields up one by one, those the errors name first, until the rest is a scenario.
    while True:
        for name, needed in _fragments(good, base, query):
            problems.append(not_alone(name, good, needed))
            del good[name]
        try:
            scenario = from_fields(_completed(good, base, query))
        except ScenarioError as problem:
            given_up = problem.field if problem.field in good else None
            refusals.append(problem)
            # If the base's value is refused, too, another field of the link is at fault.
            is_not_at_fault = given_up is None and problem.field in query
            if is_not_at_fault and (found := _without_one(read, base, query)):
                name, scenario = found
                why = f"with it, {str(refusals[0]).rstrip('.')}"
                refused = ScenarioError(name, read[name], why)
                return scenario, [*unread, refused, *_missing(query, scenario)]
            # What takes the place of a refused field may be refused like it.
            if given_up is not None or all(one.field != problem.field for one in problems):
                problems.append(problem)
            if given_up is None or given_up == "schema":
                return base, [*problems, *_unused(good, base, problems), *_kept(query, base)]
            del good[given_up]
        else:
            return scenario, problems + _missing(query, scenario)


def _without_one(
    read: Mapping[str, Field], base: Scenario, query: Mapping[str, str]
) -> tuple[str, Scenario] | None:
    """Return the first field of a link without which all others make a scenario, and that."""
    for name in read:
        rest = {one: value for one, value in read.items() if one != name}
        if not _fragments(rest, base, query):
            with suppress(ScenarioError):
                return name, from_fields(_completed(rest, base, query))
    return None


def _fragments(
    good: Mapping[str, Field], base: Scenario, query: Mapping[str, str]
) -> list[tuple[str, tuple[str, ...]]]:
    """Return the fields of a link that mean something only with others that it has not.

    They are those of half a shape beside rates, of half the rates beside a shape, and from which
    length on series are longer where their lengths are refused.

    Each comes with what it needs. The other half would be that of another data set: a refused
    field may be taken from ``base``, but not one that the link does not have at all.
    """
    alone: list[tuple[str, tuple[str, ...]]] = []
    if "longer_series_beyond" in good and "series_length" not in good:  # longer than which?
        alone = [("longer_series_beyond", ("series_length",))]
    told = query.keys() & (good.keys() | to_fields(base).keys())
    in_both = all(any(name in good for name in part) for part in (SHAPE_FIELDS, RATE_FIELDS))
    if in_both and not told.issuperset(SHAPE_FIELDS):
        alone += [(name, SHAPE_FIELDS) for name in SHAPE_FIELDS if name in good]
    elif in_both and not query.keys() >= set(RATE_FIELDS):
        alone += [(name, RATE_FIELDS) for name in RATE_FIELDS if name in good]
    return alone


def _unused(
    good: Mapping[str, Field], base: Scenario, problems: list[ScenarioError]
) -> list[ScenarioError]:
    """Return an error for each field of a link that ``base`` is used instead of."""
    used = to_fields(base)
    named = {problem.field for problem in problems}
    return [
        ScenarioError(name, value, "it is not used, because another field is missing or refused")
        for name, value in good.items()
        if name not in named and used.get(name) != value
    ]


def _kept(query: Mapping[str, str], base: Scenario) -> list[ScenarioError]:
    """Return an error for each field that a link lacks where ``base`` is used instead of it."""
    return [
        ScenarioError(name, None, MISSING)
        for name, value in to_fields(base).items()
        if name not in query and name != "schema" and SCHEMA_1_DEFAULTS.get(name) != value
    ]


def _missing(query: Mapping[str, str], scenario: Scenario) -> list[ScenarioError]:
    """Return an error for each field that a link lacks and that has no meaning when absent."""
    return [
        ScenarioError(name, None, MISSING)
        for name in to_fields(scenario)
        if name not in query and name not in OPTIONAL_FIELDS and name != "schema"
    ]


def _completed(
    good: Mapping[str, Field], base: Scenario, query: Mapping[str, str]
) -> dict[str, Any]:
    """Return the good fields with what they need and lack taken from ``base``.

    A field that the link does not have means what its schema says, whatever was open before.
    """
    fallback = to_fields(base)
    in_rates_mode = any(name in good for name in RATE_FIELDS)
    shape_is_told = any(name in good for name in SHAPE_FIELDS)
    left_out: tuple[str, ...] = ()
    if in_rates_mode:
        # Where these are unknown they stay so: those of the base belong to its own rates.
        left_out = ("forecast_share", "touched_windows", "start_positions")
    if in_rates_mode and isinstance(base.data, DataShape):
        for name in (*RATE_FIELDS, "steps_per_epoch"):
            fallback[name] = getattr(base, name)
    # What the link tells of rates and shape must not be mixed up with those of another scenario.
    if in_rates_mode and not shape_is_told:
        left_out += (*SHAPE_FIELDS, "longer_series_beyond")
    elif shape_is_told and not in_rates_mode:
        left_out += (*RATE_FIELDS, *OF_RATES_FIELDS)
    if "steps" in good or "epochs" in good:
        left_out += ("steps", "epochs")
    if "series_length" in good:
        left_out += ("longer_series_beyond",)
    needed = {
        name: value
        for name, value in fallback.items()
        if name not in left_out and (name in query or name not in OPTIONAL_FIELDS)
    }
    return {**needed, **good}


# Nothing that could end a link, be read as more than an address, or stand before what is added.
_ADDRESS = re.compile(r"""https?://(\[[\da-fA-F:.]+\](?![^:/]))?[^\s()<>\[\]"'`\\?#|]*""")
_HOST = re.compile(r"[\w.:-]+", re.ASCII)
_LONGEST = 2000


def checked_address(field: str, value: str) -> str:
    """Return the address of an app, or raise :class:`ScenarioError`."""
    if len(value) > _LONGEST or not value.isprintable() or not _ADDRESS.fullmatch(value):
        allowed = "it must begin with https:// and have no spaces, brackets, quotes, ?, # or |"
        raise ScenarioError(field, value, allowed)
    try:
        parts = urlsplit(value)
        host = (parts.hostname or "").removesuffix(".")
        if ":" in host or host.rpartition(".")[2].isdigit():
            ip_address(host)
        labels = host.encode("idna").decode()  # which has letters, digits and - of other scripts
        is_found = bool(_HOST.fullmatch(labels)) and "@" not in parts.netloc and parts.port != 0
    except ValueError:
        is_found = False
    if not is_found:
        allowed = (
            "it must name a host, without user or password, and its port, if any, must be from 1 "
            "to 65535"
        )
        raise ScenarioError(field, value, allowed)
    return value


SHORT_PARAMETER = "z"
# More than any link has that the app writes: a short text may unpack to gigabytes.
_MOST_CHARACTERS = 20_000
_RAW = -15  # Deflate without header and checksum
# What links are made of, the usual last; with another text, codes from before would not open.
_COMMON = (
    b"&run_1=&target_false_positive_rate=0.01&target_success=&free_quantity=&region_x=&region_y="
    b"&chart=training&lesson=none&compared_steps=&fixed_epsilon=1&prior=0.5&pin_a=&pin_b="
    b"&relation_level=user&relation_width=&max_change=&value_unit=&time_step=1+hour"
    b"&context_noise=&forecast_noise=&bottom_level=poisson&top_level=shuffled"
    b"&top_level=deterministic&top_level=flat&top_level=poisson&num_subsequences=&steps="
    b"schema=1&bottom_rate=0.00&top_rate=0.&steps_per_epoch=&target_epsilon="
    b"schema=1&num_series=862&series_length=17544&context_length=96&forecast_length=24"
    b"&batch_size=256&noise_multiplier=4.0&epochs=4000&delta=1e-07"
)


def shortened(query: str) -> str:
    """Return a query string that opens the same as another one."""
    packer = zlib.compressobj(9, zlib.DEFLATED, _RAW, zdict=_COMMON)
    packed = packer.compress(query.encode()) + packer.flush()
    return f"{SHORT_PARAMETER}={base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def expanded(code: str) -> str:
    """Return the query string that a code stands for.

    Raises:
        ScenarioError: it stands for none, or for one that is longer than any link.
    """
    try:
        packed = base64.b64decode(code + "=" * (-len(code) % 4), altchars=b"-_", validate=True)
        unpacker = zlib.decompressobj(_RAW, zdict=_COMMON)
        query = unpacker.decompress(packed, _MOST_CHARACTERS).decode()
    except (binascii.Error, ValueError, zlib.error):
        raise _refusal(code) from None
    if not unpacker.eof or unpacker.unused_data:
        raise _refusal(code)
    return query


def _refusal(code: str) -> ScenarioError:
    return ScenarioError(SHORT_PARAMETER, code[:40], "it must be the code of a whole link")
