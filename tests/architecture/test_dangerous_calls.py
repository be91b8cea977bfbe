"""Nothing that runs words as a program, and nothing that makes words markup, but where listed."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHIPPED = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))]
SHIPPED += sorted((ROOT / "dpviz").rglob("*.py"))
SCRIPTS = sorted((ROOT / "dpviz").rglob("*.js"))
FORBIDDEN_NAMES = {"eval", "exec", "compile", "__import__", "breakpoint"}
FORBIDDEN_MODULES = {
    *("pickle", "cPickle", "_pickle", "cloudpickle", "dill", "joblib", "marshal", "shelve"),
    *("yaml", "subprocess", "pty", "code", "codeop", "ctypes"),
}
FORBIDDEN_ATTRIBUTES = {
    *("system", "popen", "read_pickle", "to_pickle", "unsafe_allow_html", "import_module"),
    *("from_string", "literal_eval"),
}
FORBIDDEN_OPTIONS = {"unsafe_allow_html", "unsafe_allow_javascript", "shell", "allow_pickle"}
# Written pickles harm nobody: their size is what a result takes in memory.
WRITING = {"dumps", "HIGHEST_PROTOCOL"}
# What the server and its own worker processes say to each other goes through private pipes, which
# nobody else can write to.
PIPES = "dpviz/jobs/"
ALLOWED = {
    "pickle": PIPES,
    "subprocess": PIPES,
    # Runs our own function in processes of its own; nothing is loaded from a file.
    "joblib": "dpviz/studies/run.py",
    "runpy": "dpviz/ui/page.py",
    "ctypes": "dpviz/ui/server.py",  # calls one function of the C library with two numbers
}
MARKUP_IN_SCRIPTS = re.compile(
    r"\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|srcdoc)"
)
# Only SVG of our own: no word of a visitor is in a figure's drawing.
SCRIPTS_IN_FILES = {"dpviz/ui/browser/drawing.js"}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def dangers_of(path: Path) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = {alias.name.split(".")[0] for alias in node.names}
            found += names & (FORBIDDEN_MODULES | {"runpy"}) - {"pickle"}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found += {node.value.id} & {"pickle"} if node.attr not in WRITING else set()
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += {node.module.split(".")[0]} & (FORBIDDEN_MODULES | {"runpy"})
        elif isinstance(node, ast.Call):
            called = node.func
            if isinstance(called, ast.Name):
                found += {called.id} & FORBIDDEN_NAMES
            elif isinstance(called, ast.Attribute):
                is_fixed = bool(node.args) and isinstance(node.args[0], ast.Constant)
                if not (called.attr == "import_module" and is_fixed):
                    found += {called.attr} & FORBIDDEN_ATTRIBUTES
            found += {word.arg for word in node.keywords} & FORBIDDEN_OPTIONS
    name = name_of(path)
    return [one for one in found if one not in ALLOWED or not name.startswith(ALLOWED[one])]


def test_nothing_that_is_shipped_runs_words_or_draws_them_as_markup():
    found = {name_of(path): dangers_of(path) for path in SHIPPED}
    assert {name: dangers for name, dangers in found.items() if dangers} == {}


@pytest.mark.parametrize(
    "source",
    [
        "pickle.loads(words)",
        "from pickle import loads",
        "from yaml import load",
        "eval(words)",
        "os.system(words)",
        "run(words, shell=True)",
        "st.markdown(words, unsafe_allow_html=True)",
        "pd.read_pickle(path)",
    ],
)
def test_dangers_are_found(source, tmp_path, monkeypatch):
    monkeypatch.setattr("tests.architecture.test_dangerous_calls.ROOT", tmp_path)
    path = tmp_path / "example.py"
    path.write_text(source, encoding="utf-8")
    assert len(dangers_of(path)) == 1


def constants_of(tree: ast.Module) -> set[str]:
    """Return the names of a module's texts that hold nothing but what a file of ours says."""
    return {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        and (isinstance(node.value, ast.Constant) or is_file_of_ours(node.value))
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def is_file_of_ours(node: ast.expr) -> bool:
    is_call = isinstance(node, ast.Call) and ast.unparse(node.func) == "style_part"
    return is_call and all(isinstance(argument, ast.Constant) for argument in node.args)


def test_html_of_a_page_is_written_in_its_file():
    for path in SHIPPED:
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source if "st.html" in source or "st.iframe" in source else "")
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("st.html", "st.iframe"):
                (drawn,) = node.args
                assert isinstance(drawn, ast.Name), name_of(path)
                assert drawn.id in constants_of(tree), name_of(path)


def test_scripts_put_words_into_a_page_as_text():
    for path in [*SCRIPTS, *SHIPPED]:
        if name_of(path) in SCRIPTS_IN_FILES:
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        code = "\n".join(line for line in lines if path.suffix == ".js" or ">>>" not in line)
        assert not MARKUP_IN_SCRIPTS.search(code), name_of(path)


def test_report_may_load_nothing_and_send_nothing():
    page = (ROOT / "dpviz" / "export" / "report_page.html").read_text(encoding="utf-8")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)[1]
    allowed = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert allowed["default-src"] == "'none'"
    assert allowed["base-uri"] == allowed["form-action"] == "'none'"
    for sources in allowed.values():
        assert set(sources.split()) <= {"'none'", "'unsafe-inline'", "data:", "blob:"}
