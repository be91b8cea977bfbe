"""``python -m dpviz shape``: number and lengths of a file's series, where the file lies."""

from argparse import Namespace
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpviz.command_line import command
from dpviz.command_line.command import UsageError, told_of
from dpviz.command_line.files import check_place, first_bytes, written
from dpviz.scenario import PRESETS, Relation, Scenario, TimeStep, to_fields, to_json
from dpviz.scenario.relation import WIDEST_RELATION
from dpviz.settings import SETTINGS

if TYPE_CHECKING:
    from dpviz.series_file import SeriesLengths

LAYOUTS = ("auto", "long", "wide", "rows")
LAYOUT = command.choice(
    "layout",
    "HOW",
    "how the series lie in the file: long (one row per value), wide (one column per series) or "
    "rows (one row per series); detected if absent",
    LAYOUTS,
)
_OUT = command.path("out", "FILE.json", "where to write the scenario (nowhere if absent)")
_ADDRESS = command.address("for the link (http://localhost:8501 if absent)")
_PERSON = command.text(
    "person",
    "COLUMN",
    "the column of a long table that names the person of each value; counts their series",
    "the name of a column",
)
_MOST = command.number(
    "series_per_person",
    "m",
    "how many series each person keeps, those with most of their values (all if absent)",
    SETTINGS["series_per_person"].limits,
)
_CUT = command.path(
    "cut",
    "FILE.csv",
    "where to write the table with at most --series-per-person series of each person (nowhere if "
    "absent)",
)
_WINDOWS = ("context_length", "forecast_length")
_OPEN = (*_WINDOWS, "batch_size")
# What no option here decides.
_EXAMPLES = ("noise_multiplier", "steps")
_HERE = "http://localhost:8501"


def shape_command(options: Namespace) -> command.Told:
    """Return what a file holds, and the scenario with its series."""
    layout, place, cut = options.layout or "auto", options.out, options.cut
    persons, most = options.person, options.series_per_person
    given = {name: getattr(options, name) for name in _OPEN}
    check_place(place, "--out", ("FILE", options.file))
    if persons is None:
        for option, value in (("--series-per-person", most), ("--cut", cut)):
            if value is not None:
                raise UsageError(f"{option} is read only along with --person")
        lengths, counted_persons = _read(options.file, layout), None
    else:
        check_place(cut, "--cut", ("FILE", options.file), ("--out", place))
        lengths, counted_persons = _read_persons(options.file, persons, most, cut, layout)
    from dpviz.export.statement import scenario_link
    from dpviz.planning.first_windows import ASKED
    from dpviz.series_file import SeriesFileError, adopt_lengths

    base, assumed, asked = _base(given, lengths.time_step)
    if counted_persons is None:
        asked.append("relation_width")
        assumed.append("protected is one value of one series: set your own in the scenario")
    else:
        width = counted_persons["most_values_in_a_series"]
        base = replace(base, relation=Relation(level="user", width=width))
    asked.append("training")
    with told_of("", SeriesFileError):
        adoption = adopt_lengths(base, lengths)
    scenario = adoption.scenario
    if counted_persons is not None:
        # Nobody is in more series than are long enough to be forecast.
        many = min(counted_persons["series_per_person"], scenario.given_shape.num_series)
        counted_persons["series_per_person"] = many
        relation = replace(scenario.relation, series_per_person=many)
        scenario = replace(scenario, relation=relation)
    if place is not None:
        written(place, to_json(scenario), "--out")
    # What differs from the example's series says nothing here.
    changes = [one for one in adoption.changes if "left out" in one or "lowered" in one]
    step = lengths.time_step
    told = ("layout", "num_series", "shortest", "median", "longest")
    answer = {
        **{name: getattr(lengths, name) for name in told},
        "time_step": None if step is None else str(step),
        "doubt": None if lengths.doubt is None else lengths.doubt.sentence,
        "notes": [note.rstrip(".") for note in (*lengths.notes, *assumed, *changes)],
        "scenario": to_fields(scenario),
        # The page asks for what nobody has chosen.
        "link": f"{scenario_link(scenario, options.base_url or _HERE)}&{ASKED}={','.join(asked)}",
        "written": place,
    }
    if lengths.doubt is not None:
        answer["other_layout"] = lengths.doubt.layout
    if counted_persons is not None:
        answer["persons"] = counted_persons
    return answer, shape_table(answer)


def _read_persons(
    file: str, column: str, most: int | None, cut: str | None, layout: str
) -> tuple["SeriesLengths", dict[str, Any]]:
    """Return the series, cut if that is asked for, and what is known of the persons in them."""
    if layout not in ("auto", "long"):
        raise UsageError(f"--person needs a long table, and --layout is {layout}")
    if cut is not None and most is None:
        raise UsageError("--cut needs --series-per-person: how many series each person keeps")
    content = _content(file)
    from dpviz.series_file import SeriesFileError, read_persons
    from dpviz.series_file.any_layout import names_in

    with told_of(command.shown_path(file), SeriesFileError):
        found = read_persons(content, file, column)
        if (width := found.persons.most_values) > WIDEST_RELATION:
            said = f"a person has {width:,} values in one series, and at most {WIDEST_RELATION:,}"
            raise UsageError(f"{command.shown_path(file)}: {said} can be protected")
        largest = int(found.persons.series_each.max())
        told: dict[str, Any] = {
            "count": len(found.persons.series_each),
            "most_series": largest,
            "series_per_person": largest if cut is None else min(largest, most or largest),
            "most_values_in_a_series": width,
            **found.persons.lost(largest if most is None else most),
            "cut": cut,
        }
        if cut is None:
            return found.lengths, told
        text_of_cut = found.cut(most or largest)
        written(cut, text_of_cut, "--cut")
        # By the same columns: what is left may look otherwise.
        named, roles = names_in(found.table.header, found.roles), found.roles
        lengths = read_persons(text_of_cut.encode(), "cut.csv", column, named).lengths
        return replace(lengths, notes=(*roles.notes, *lengths.notes)), told


def _read(file: str, layout: str) -> "SeriesLengths":
    content = _content(file)
    from dpviz.series_file import SeriesFileError, read_series_lengths

    with told_of(command.shown_path(file), SeriesFileError):
        return read_series_lengths(content, file, layout=layout)


def _content(file: str) -> bytes | Path:
    """Return a file's path, or what is in it: what is no regular file can be read once only."""
    from dpviz.series_file import MOST_BYTES

    with suppress(OSError):  # such as of a name that is too long: reading says so
        if Path(file).is_file():
            first_bytes(file, 0)
            return Path(file)
    return first_bytes(file, MOST_BYTES)


def _base(given: dict[str, Any], step: TimeStep | None) -> tuple[Scenario, list[str], list[str]]:
    """Return the example's scenario with the windows asked for, and what was assumed, and where."""
    from dpviz.planning.first_windows import chosen_value, usual_windows

    usual = usual_windows(step)
    known = {} if usual is None else {"forecast_length": usual[0], "context_length": usual[1]}
    base = PRESETS["toy"].scenario
    wanted = known | {name: value for name, value in given.items() if value is not None}
    # Room for what is asked for: what the file has no room for is lowered, and said, later.
    many = max(chosen_value(base, "num_series"), wanted.get("batch_size", 0))
    base, _ = base.with_shape_value("num_series", many)
    longest = sum(wanted.get(name, 0) for name in _WINDOWS)
    base, _ = base.with_shape_value("series_length", max(longest, 1))
    for name, value in wanted.items():
        base, _ = base.with_shape_value(name, value)
    assumed = []
    for name in _OPEN:
        if given[name] is None:
            why = f"usual for a time step of {step}" if name in known else "an example"
            title = SETTINGS[name].title
            assumed.append(f"{title} = {chosen_value(base, name):,} is {why}: set your own")
    for name in _EXAMPLES:
        value = f"{SETTINGS[name].title} = {to_fields(base)[name]:,g}"
        assumed.append(f"{value} is an example: set your own in the scenario")
    return base, assumed, [name for name in _OPEN if given[name] is None]


def shape_table(answer: dict[str, Any]) -> str:
    """Return the answer as lines to read."""
    from dpviz.wording.numbers import counted

    spread = f"{counted(answer['shortest'], 'value')} each"
    if answer["shortest"] != answer["longest"]:
        spread = f"{answer['shortest']:,} to {answer['longest']:,} values, "
        spread += f"median {answer['median']:,.1f}".removesuffix(".0")
    lines = [
        f"{answer['num_series']:,} series, {spread}",
        f"layout: {answer['layout']}",
        f"time step: {answer['time_step'] or 'not known'}",
    ]
    if answer["doubt"] is not None:
        again = f"--layout {answer['other_layout']} reads it the other way"
        lines.append(f"in doubt: {answer['doubt'].rstrip('.')}; {again}")
    lines += _person_lines(answer.get("persons"))
    lines += [f"note: {note}" for note in answer["notes"]]
    if answer["written"] is not None:
        lines.append(f"written: {command.shown_path(answer['written'])}")
    return "\n".join([*lines, f"link: {answer['link']}"])


def _person_lines(persons: dict[str, Any] | None) -> list[str]:
    """Return who is in how many series, and what a cut leaves out."""
    if persons is None:
        return []
    from dpviz.wording.numbers import counted

    lines = [
        f"{counted(persons['count'], 'person')}, in up to {persons['most_series']:,} series each, "
        f"with up to {counted(persons['most_values_in_a_series'], 'value')} in one",
        f"protected: all values of a person in up to {persons['series_per_person']:,} series",
    ]
    if persons["in_more_series"]:
        verb = "left out" if persons["cut"] else "would be left out"
        share = persons["values_lost"] / persons["values"]
        lines.append(
            f"{verb}: {persons['values_lost']:,} of {persons['values']:,} values ({share:.1%}), of "
            f"{counted(persons['in_more_series'], 'person')} in more series; "
            f"{persons['series_lost']:,} series wholly"
        )
    if persons["cut"]:
        lines.append(f"written: {command.shown_path(persons['cut'])}")
    return lines


COMMAND = command.Command(
    name="shape",
    help="number and lengths of the series in a file, read where it lies, and a link with them",
    run=shape_command,
    settings=(LAYOUT, *(SETTINGS[name] for name in _OPEN), _PERSON, _MOST, _CUT, _OUT, _ADDRESS),
    file=("file", "FILE", "the series: CSV, TSV, Parquet or .tsf, also packed (gzip, Zstandard)"),
    lacks="a file is needed: the series, CSV, TSV, Parquet or .tsf",
)
