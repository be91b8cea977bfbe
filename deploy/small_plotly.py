"""Fetch the part of plotly.js that draws these charts, a third of the whole, at installation.

    python -m deploy.small_plotly

The plotly package brings plotly.js with maps and 3D, which no chart here is. Its makers publish the
part for charts with two axes, too, and npm fetches it, checked against npm's own hash. It has to be
of the version that plotly brings. Without npm the whole is served: nothing is lost but time.
"""

import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from dpviz.figures.browser_files import (
    path_of_small_script,
    version_of_script,
    whole_plotly_script_path,
)

# What it draws; the charts here are of these kinds (tests/figures/test_small_plotly.py).
KINDS = frozenset(
    {
        "bar", "box", "contour", "heatmap", "histogram", "histogram2d", "histogram2dcontour",
        "image", "pie", "scatter", "scatterternary", "violin",
    }
)  # fmt: skip
_PACKAGE = "plotly.js-cartesian-dist-min"
_IN_PACKAGE = "package/plotly-cartesian.min.js"
_SECONDS = 60.0


class NotFetchedError(Exception):
    """Why the small script is not there; the whole one serves as well."""


def fetch(whole: Path, into: Path) -> None:
    """Fetch the small script of the version of the whole one.

    Raises:
        NotFetchedError: npm is not there, or does not give it.
    """
    npm, version = shutil.which("npm"), version_of_script(whole)
    if npm is None:
        raise NotFetchedError("npm is not installed")
    if version is None:
        raise NotFetchedError(f"{whole} names no version")
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "pack", f"{_PACKAGE}@{version}", "--silent", "--fetch-retries=0"]
        try:
            subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=_SECONDS)
            [archive] = Path(folder).glob("*.tgz")
            with tarfile.open(archive) as packed:
                packed.extract(_IN_PACKAGE, folder, filter="data")
        except (OSError, ValueError, KeyError, tarfile.TarError, subprocess.SubprocessError) as why:
            raise NotFetchedError(f"npm gives no {_PACKAGE} {version} ({why})") from why
        script = Path(folder) / _IN_PACKAGE
        if version_of_script(script) != version:
            raise NotFetchedError(f"{_PACKAGE} {version} names another version")
        into.parent.mkdir(parents=True, exist_ok=True)
        unfinished = into.with_name(f"{into.name}.new")
        shutil.copyfile(script, unfinished)
        unfinished.replace(into)


def main() -> None:
    """Fetch it, and say what came of it; that it is not there is no error."""
    try:
        fetch(whole_plotly_script_path(), path_of_small_script())
    except (NotFetchedError, OSError) as why:
        print(f"Charts load the whole of plotly.js: {why}.")
        return
    print(f"Charts load a third of plotly.js: {path_of_small_script()}.")


if __name__ == "__main__":
    main()
