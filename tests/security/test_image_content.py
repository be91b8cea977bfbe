"""What the image holds is enough for every page: tried without a container."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.browser.server import REPOSITORY

DOCKERFILE = (REPOSITORY / "deploy" / "Dockerfile").read_text(encoding="utf-8")
# Runs in the copied folder, where no tests are.
EVERY_PAGE = """
import json, pathlib, sys
from streamlit.testing.v1 import AppTest
import dpviz
seen = {}
for page in sorted(pathlib.Path("pages").glob("*.py")):
    app = AppTest.from_file("app.py", default_timeout=120).run()
    app.switch_page(str(page)).run()
    seen[page.name] = [error.message for error in app.exception]
print(json.dumps({"package": dpviz.__file__, "pages": seen}))
"""


@pytest.mark.slow
def test_every_page_opens_with_what_is_copied_and_nothing_written(tmp_path):
    """No file may change."""
    for source, target in re.findall(r"^COPY (?!--from)(\S+) (\S+)$", DOCKERFILE, re.MULTILINE):
        if target.startswith("/"):  # for the packages alone
            continue
        if (REPOSITORY / source).is_dir():
            skipped = shutil.ignore_patterns("__pycache__")
            shutil.copytree(REPOSITORY / source, tmp_path / target, ignore=skipped)
        else:
            shutil.copy(REPOSITORY / source, tmp_path / target)
    environment = os.environ | {
        "PYTHONPATH": str(tmp_path),
        "PYTHONDONTWRITEBYTECODE": "1",
        "DPVIZ_WORKERS": "0",
    }
    before = _files(tmp_path)
    ended = subprocess.run(
        [sys.executable, "-c", EVERY_PAGE],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout.splitlines()[-1])
    assert told["package"].startswith(str(tmp_path))
    assert set(told["pages"]) == {path.name for path in (REPOSITORY / "pages").glob("*.py")}
    assert not any(told["pages"].values())
    assert _files(tmp_path) == before


def _files(folder):
    return {
        str(path): path.stat().st_mtime_ns for path in sorted(folder.rglob("*")) if path.is_file()
    }
