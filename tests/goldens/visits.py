"""A state to be visited: the link or command that leads there, and what is done then."""

import json
from dataclasses import dataclass
from typing import Any

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
        """Whether it is run, not opened."""
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
