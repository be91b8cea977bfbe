"""``dpviz rehearse``: is this server ready for a class?"""

import asyncio
from argparse import Namespace
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from dpviz.command_line import command
from dpviz.command_line.command import UsageError
from dpviz.command_line.long_run import ProgressBar
from dpviz.settings.lessons import LESSONS
from dpviz.wording.lessons import LESSONS_BY_NAME
from dpviz.wording.numbers import counted, rounded_up

if TYPE_CHECKING:
    from dpviz.rehearsal.rehearse import Rehearsal

_PARTICIPANTS = command.number(
    "participants", "N", "how many phones are played (40 if absent)", (1, 500), default=40
)
_SECONDS = command.number(
    "seconds", "S", "for how long they move the slider (60 if absent)", (1, 3600), default=60
)
_LESSON = command.choice(
    "lesson", "NAME", "the lesson that they play (rates if absent)", LESSONS, default="rates"
)
_MOST_TOLD = 3


def _address(given: str) -> str:
    """Return a server's address with a slash at its end.

    >>> _address("http://localhost:8501"), _address("https://dp.example.org/app/lessons?lesson=bag")
    ('http://localhost:8501/', 'https://dp.example.org/app/')
    >>> _address("https://dp.example.org/app")
    'https://dp.example.org/app/'
    """
    try:
        parts = urlsplit(given)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address or not given.isascii() or any(one.isspace() for one in given):
        allowed = "it must be the address of a server, such as http://localhost:8501"
        raise UsageError(f"{command.shown(given)} is not allowed: {allowed}")
    app = command.without_page(parts._replace(query="", fragment="").geturl())
    return f"{app.rstrip('/')}/"


def _seconds(value: float) -> str:
    return "no answer" if value == float("inf") else f"{rounded_up(value, 2)} s"


def rehearsal_table(found: "Rehearsal") -> str:
    """Return what was measured, the verdict, and what to do, as lines to read."""
    slowest = max(found.warmed, key=found.warmed.__getitem__)
    opened = (
        f"opened: {counted(len(found.warmed), 'lesson')}; at first the slowest, "
        f"{LESSONS_BY_NAME[slowest].label}, took {_seconds(found.warmed[slowest])}"
    )
    played = (
        f"played: {counted(found.participants, 'phone')} for {found.seconds:g} s on "
        f"{LESSONS_BY_NAME[found.lesson].label}, {len(found.answers):,} answers"
    )
    waits = (
        f"19 of 20 waited at most {_seconds(found.slowest_joining)} for the page, "
        f"{_seconds(found.slowest_answer)} for an answer while the slider moved"
    )
    most = found.failures.most_common(_MOST_TOLD)
    failed = [f"failed {times:,} times: {what}" for what, times in most]
    return "\n".join([opened, played, waits, *failed, _verdict(found)])


def _verdict(found: "Rehearsal") -> str:
    from dpviz.rehearsal.participant import NO_PAGE
    from dpviz.rehearsal.rehearse import MOST_ANSWER, MOST_JOINING

    if found.is_ready:
        return f"READY for {found.participants:,} who move one slider at once."
    if found.is_slow:
        do = (
            f"answers take longer than {MOST_ANSWER:g} s, or stay coarse: start more servers or "
            "take more processors (docs/deploy.md), or let half of the room move the slider at a "
            "time"
        )
    elif found.failures and all(one.endswith(NO_PAGE) for one in found.failures):
        do = "name the address of a server of this version of dpviz"
    elif found.failures:
        do = (
            "look into the server's log for what failed; behind nginx also into its limits for one "
            "address (docs/deploy.md)"
        )
    else:
        do = (
            f"pages take longer than {MOST_JOINING:g} s to open: let everybody open the link "
            "before you begin"
        )
    return f"NOT READY: {do}."


def _answer(found: "Rehearsal") -> dict[str, object]:
    return {
        "is_ready": found.is_ready,
        "participants": found.participants,
        "seconds": found.seconds,
        "lesson": found.lesson,
        "seconds_to_complete": dict(found.warmed),
        "joining_p95": found.slowest_joining if found.joining else None,
        "answer_p95": found.slowest_answer if found.answers else None,
        "answers": len(found.answers),
        "failures": dict(found.failures),
    }


def _run(options: Namespace) -> command.Told:
    url = _address(options.url)
    for name in ("streamlit", "websockets"):
        if find_spec(name) is None:
            raise UsageError(f'a rehearsal needs {name}: pip install "dpviz[app]"')
    from dpviz.rehearsal.rehearse import rehearse

    _ask(url)
    found = asyncio.run(
        rehearse(
            url,
            lesson=options.lesson,
            participants=options.participants,
            seconds=float(options.seconds),
            progress=ProgressBar("lessons opened"),
        )
    )
    return _answer(found), rehearsal_table(found)


def _ask(url: str) -> None:
    """Refuse an address at which no server of the app answers."""
    from http.client import HTTPException
    from urllib.request import urlopen

    try:
        with urlopen(f"{url}_stcore/health", timeout=10) as answer:
            is_there = answer.read(100).strip() == b"ok"
    except (OSError, ValueError, HTTPException) as problem:  # a name that is none, no http
        said = command.shown_path(" ".join(str(getattr(problem, "reason", problem)).split()))
        raise UsageError(f"nothing answers at {command.shown(url)}: {said}") from None
    if not is_there:
        raise UsageError(f"what answers at {command.shown(url)} is no dpviz")


COMMAND = command.Command(
    name="rehearse",
    help="whether a server is ready for a class: opens every lesson, plays 40 phones on one",
    run=_run,
    verdict="is_ready",
    settings=(_PARTICIPANTS, _SECONDS, _LESSON),
    file=("url", "URL", "of the server, as participants open it"),
    lacks="the address of a server is needed, such as http://localhost:8501",
)
