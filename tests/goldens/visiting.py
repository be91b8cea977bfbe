"""Opens pages and runs commands, and returns what is seen."""

import contextlib
import io
import os
import re
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qsl

import streamlit as st

from dpviz.command_line import main
from dpviz.ui import long_runs, state
from tests.goldens import files
from tests.goldens.masks import without_days, without_what_varies
from tests.goldens.page_reading import entries_of, file_entries
from tests.goldens.store import Seen, Visit
from tests.pages.app import ROOT, Page
from tests.pages.train_page import AtOnce

# Parts that can be folded, by what the code calls them; but for a button, and what stays shut.
_NAMES = re.compile(r'"(open_\w+)"')
_SHUT = {"open_reported", "open_conditions", "open_fields", "open_request", "open_teachers_link"}
_FOLDED = {
    name
    for path in (ROOT / "dpviz" / "ui").rglob("*.py")
    for name in _NAMES.findall(path.read_text(encoding="utf-8"))
}
PARTS = sorted(_FOLDED - _SHUT | {"open_certificate_1", "open_certificate_2"})
_LONGEST_SECONDS = 300


def seen_at(visit: Visit) -> Seen:
    entries = _run(visit) if visit.is_command else _opened(visit)
    return Seen(visit=visit, entries=tuple(entry.rstrip("\n") for entry in entries))


def _opened(visit: Visit) -> list[str]:
    page, _, query = visit.link.partition("?")
    downloads: dict[str, tuple[str, Any, str]] = {}
    original = st.download_button

    def noted(label: str, data: Any, file_name: str, *arguments: Any, **options: Any) -> bool:
        # The teacher's kit takes seconds, and has tests of its own.
        if not options.get("disabled") and not file_name.endswith(".zip"):
            downloads[options.get("key", label)] = (label, data, file_name)
        return original(label, data, file_name, *arguments, **options)

    runs = patch.object(long_runs, "_runs", AtOnce())
    seed = patch.object(state, "new_seed", lambda: 1)
    with runs, seed, patch.object(st, "download_button", noted):
        link = dict(parse_qsl(query, keep_blank_values=True))
        parts = PARTS if visit.parts else ()
        app = Page(link=link, parts=parts, seconds=_LONGEST_SECONDS)
        app.switch_page(f"pages/{page}.py")
        app.run()
        for done in visit.then:
            downloads.clear()
            _do(app, *done)
        entries = entries_of(app, query)
        for label, data, file_name in downloads.values():
            content = data() if callable(data) else data
            entries += file_entries(f"download {label}", file_name, content)
    return [without_what_varies(entry) for entry in entries]


def _do(app: Page, what: str, key: str, value: Any = None) -> Page:
    if what == "press":
        return app.press(key)
    if what == "act":
        return app.act(key, value)
    if what == "click":
        return app.click(key)
    assert what == "upload", what
    boxes = {box.key: box for box in app.get("file_uploader")}
    assert key in boxes, f"{key} is none of {sorted(boxes)}"
    box = boxes[key]
    return box.set_value((value, files.FILES[value](), files.TYPE)).run()


def _run(visit: Visit) -> list[str]:
    given, told, complained = [], io.StringIO(), io.StringIO()
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            arguments = visit.link.split(" ")
            for name in files.FILES:
                if name in arguments:
                    Path(name).write_bytes(files.FILES[name]())
                    given.append(name)
            out, err = contextlib.redirect_stdout(told), contextlib.redirect_stderr(complained)
            with out, err:
                try:
                    code = main(arguments)
                except SystemExit as end:  # --help
                    code = end.code
            made = [path for path in sorted(Path().rglob("*")) if path.is_file()]
            entries = [f"exit code {code}", *_answer(told.getvalue())]
            entries.append(f"standard error: {_last_of_each_line(complained.getvalue())}")
            new = [path for path in made if str(path) not in given]
            entries += [entry for path in new for entry in _made(path)]
        finally:
            os.chdir(before)
    return [without_days(without_what_varies(entry.replace(folder, "."))) for entry in entries]


def _answer(text: str) -> list[str]:
    is_json = text.startswith("{")
    return file_entries("standard output,", "JSON.json" if is_json else "text.txt", text)


def _last_of_each_line(text: str) -> str:
    """Return what is left to read where a line was written over and over, as of progress."""
    return "\n".join(line.split("\r")[-1] for line in text.split("\n"))


def _made(path: Path) -> list[str]:
    if path.suffix in (".csv", ".json", ".html", ".md", ".py", ".txt"):
        return file_entries("made", str(path), path.read_text(encoding="utf-8"))
    return [f"made {path}"]
