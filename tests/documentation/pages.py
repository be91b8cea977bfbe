"""The pages of the documentation, and what is in them."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
GUIDE = sorted((ROOT / "docs" / "guide").glob("*.md"))
FENCE = re.compile(r"^( *)(```|~~~)(\w*)\n(.*?)^\1\2 *$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^ *python -m dpviz ((?:[^\n]*\\\n)*[^\n]*)$", re.MULTILINE)
# An answer stands right after what is asked, and has no other block before it.
ANSWER = re.compile(r"\s*\n```text\n(.*?)^```", re.MULTILINE | re.DOTALL)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Command:
    """A command of dpviz that a page shows, and what it answers by the page, if it says so."""

    page: Path
    arguments: tuple[str, ...]
    answer: str | None

    @property
    def name(self) -> str:
        return f"{name_of(self.page)}: {' '.join(self.arguments)[:60]}"


def commands_of(page: Path) -> list[Command]:
    text = page.read_text(encoding="utf-8")
    found = []
    for block in FENCE.finditer(text):
        if block[3] != "sh":
            continue
        asked = COMMAND.findall(block[4])
        answer = ANSWER.match(text, block.end())
        assert answer is None or len(asked) == 1, f"{page}: an answer to {len(asked)} commands"
        found += [
            Command(
                page, tuple(shlex.split(one.replace("\\\n", " "))), answer[1] if answer else None
            )
            for one in asked
        ]
    return found


def without_blocks(text: str) -> str:
    return FENCE.sub("", text)
