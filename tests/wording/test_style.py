"""What pages say keeps to the words of docs/style.md."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BANNED = re.compile(
    r"""
      \bgiv(?:e|es|en|ing)\ away\b | \bgave\ away\b | \bmodel\ really\b | \breally\ leaks?\b
    | \bwhat\ (?:then\ )?came\b | \berrs\ least\b | \bdigit\ by\ digit\b | \bthere\ is\ left\b
    | \bproven\ (?:the\ most|more|less)\ private\b | \bproven\ not\ to\ be\b | \bmore\ is\ true\b
    | \blooked\ at\ \S+\ times\b | \bevery\ factor\ of\ 10\b | \bwherever\ δ\ is\ not\b
    | \btold\ apart\b | \bstock\ accountants?\b | \bstock\ promise\b | \bnot\ about\ it\b
    | \bone\ (?:row|column)\ a\ \w+ | \bdearest\b | \bbreaks\ off\b | \bworth\ the\ name\b
    | \bcomputed\ so\ far\b | \blooked\ for\b | \btake\ it\ away\b | \bequal\ chance\b
    | \bwhat\ has\ to\ hold\b | \bbudget\ ledger\b | \bfind\ out\b | \bsee\ most\ elsewhere\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
FOLDERS = ("wording", "ui", "settings")
# Not rewritten so far.
EXEMPT = {
    *(ROOT / "dpviz/wording/texts/lessons").glob("*.md"),
    *(
        ROOT / f"dpviz/{name}"
        for name in (
            "settings/planner.py",
            "ui/questions/planner_settings.py",
            "ui/texts/trade_off_caption.md",
            "wording/membership_game.py",
            "wording/region_map.py",
        )
    ),
}


def literals(path: Path) -> Iterator[tuple[int, str]]:
    """Yield a module's strings with their lines, but for those that document it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documenting = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in documenting:
            yield node.lineno, node.value


def texts(path: Path) -> Iterator[tuple[int, str]]:
    if path.suffix == ".py":
        return literals(path)
    return iter([(1, path.read_text(encoding="utf-8"))])


def all_files() -> list[Path]:
    files = [
        path
        for folder in FOLDERS
        for path in (ROOT / "dpviz" / folder).rglob("*")
        if path.suffix in (".py", ".md", ".toml")
    ]
    return sorted({*files} - EXEMPT)


@pytest.mark.parametrize("folder", FOLDERS)
def test_texts_keep_to_the_words(folder):
    found = [
        f"{path.relative_to(ROOT)}:{line}: {banned[0]!r}"
        for path in all_files()
        if path.is_relative_to(ROOT / "dpviz" / folder)
        for line, text in texts(path)
        for banned in BANNED.finditer(" ".join(text.split()))
    ]
    assert found == []


@pytest.mark.parametrize(
    "said", ["what training gives away", "proven more private", "one row a value", "What came: 3"]
)
def test_banned_words_are_found(said):
    assert BANNED.search(said)


def test_exempt_files_are_there():
    assert all(path.exists() for path in EXEMPT)
