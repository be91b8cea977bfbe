"""The pages of the documentation, and what is in them."""

import re
import shlex
import subprocess
import sys
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


def said_by_program(page: str, folder: Path, *words: str) -> str:
    """Run the first program of a page of ``docs`` in a folder, and return what it prints."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    script = folder / "program.py"
    script.write_text(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1], encoding="utf-8")
    command = [sys.executable, str(script), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder).stdout


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
