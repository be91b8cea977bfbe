"""Make small fonts for the pages, at installation: the characters and icons that they show.

    python -m deploy.small_fonts

Streamlit brings a letter for every language and thousands of icons, 0.55 MB of a first visit. What
is made here stands in their place (dpviz/ui/static_files.py), a seventh of that. A character that
is left out is drawn in another font of the visitor's. Without fontTools the whole fonts are served:
nothing is lost but time.
"""

import importlib.util
import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import dpviz
from dpviz.ui.static_files import folder_of_small_fonts, icons_named, list_of_icons

# Latin, Greek, punctuation, sub- and superscripts, arrows, and the signs of mathematics.
CHARACTERS = (
    (0x20, 0x7E),
    (0xA0, 0x17F),
    (0x370, 0x3FF),
    (0x1D00, 0x1DBF),
    (0x2000, 0x22FF),
    (0x25A0, 0x26FF),
    (0x1F512, 0x1F512),
)
LETTERS = ("SourceSansVF-Upright", "SourceSansVF-Italic")
ICONS = "MaterialSymbols-Rounded"
# The licence of the letters lets nobody call a changed font by their name.
_NAME = "dpviz Sans"
_NAME_IDS = (1, 3, 4, 6, 16)
_LICENCE_IDS = [0, *_NAME_IDS, 13, 14]
_WORD = re.compile(r"[a-z0-9_]+")


class NotMadeError(Exception):
    """Why a small font is not there; the whole one serves as well."""


def make(static: Path, into: Path) -> Iterator[Path]:
    """Make each font of Streamlit's page small; yield where it stands.

    Args:
        static: Streamlit's folder with ``static/media`` and ``static/js``.
        into: the folder to put them into, with the names of the whole ones.

    Raises:
        NotMadeError: fontTools is not installed, or a font is not what it was.
    """
    into.mkdir(parents=True, exist_ok=True)
    for stem in (*LETTERS, ICONS):
        whole = whole_font(static, stem)
        content = _small_icons(whole, static) if stem == ICONS else _small_letters(whole)
        unfinished = into / f"{whole.name}.new"
        unfinished.write_bytes(content)
        yield unfinished.replace(into / whole.name)


def folder_of_streamlit() -> Path:
    """Return where Streamlit has what it serves.

    Raises:
        NotMadeError: it is not installed.
    """
    package = importlib.util.find_spec("streamlit")
    if package is None or not package.submodule_search_locations:
        raise NotMadeError("streamlit is not installed")
    return Path(package.submodule_search_locations[0]) / "static"


def whole_font(static: Path, stem: str) -> Path:
    """Return where Streamlit has a font.

    Raises:
        NotMadeError: it has none of this name.
    """
    found = sorted((static / "static" / "media").glob(f"{stem}.*woff2"))
    if len(found) != 1:
        raise NotMadeError(f"Streamlit has {len(found)} fonts called {stem}")
    return found[0]


def _small_letters(whole: Path) -> bytes:
    font = _opened(whole)
    for record in font["name"].names:
        if record.nameID in _NAME_IDS:
            record.string = _NAME
    wanted = [code for first, last in CHARACTERS for code in range(first, last + 1)]
    return _reduced(font, unicodes=wanted)


def _small_icons(whole: Path, static: Path) -> bytes:
    font = _opened(whole)
    glyphs = glyphs_of_icons(font)
    wanted = [glyphs[name] for name in icons_of(static) if name in glyphs]
    letters = {ord(letter) for name in glyphs for letter in name}
    # A ligature stays where its icon does: all icons could be written with the letters.
    return _reduced(font, unicodes=letters, glyphs=wanted, layout_closure=False)


def icons_of(static: Path) -> set[str]:
    """Return the words of all icons that dpviz names, and Streamlit in its own code."""
    return icons_named(Path(dpviz.__file__).parent) | icons_named(static.parent)


def glyphs_of_icons(font: Any) -> dict[str, str]:
    """Return the glyph of each icon, by the word that a page writes for it."""
    letters: dict[str, str] = {}
    for code, glyph in font.getBestCmap().items():
        letters[glyph] = chr(code).lower()
    found = {}
    for lookup in font["GSUB"].table.LookupList.Lookup:
        for table in lookup.SubTable:
            told = getattr(table, "ExtSubTable", table)
            for first, ligatures in getattr(told, "ligatures", {}).items():
                for one in ligatures:
                    word = "".join(letters.get(part, "?") for part in (first, *one.Component))
                    if _WORD.fullmatch(word):
                        found[word] = one.LigGlyph
    return found


def _opened(path: Path) -> Any:
    try:
        import brotli  # noqa: F401 - packs the font
        from fontTools.ttLib import TTFont
    except ImportError as why:
        raise NotMadeError(f"{why.name} is not installed") from why
    return TTFont(path)


def _reduced(
    font: Any, *, unicodes: Iterable[int], glyphs: Iterable[str] = (), **how: Any
) -> bytes:
    from fontTools.subset import Options, Subsetter

    reducer = Subsetter(Options(name_IDs=_LICENCE_IDS, **how))
    reducer.populate(unicodes=unicodes, glyphs=glyphs)
    reducer.subset(font)
    font.flavor = "woff2"
    content = BytesIO()
    font.save(content)
    return content.getvalue()


def main() -> None:
    """Make them, and say what came of it; that they are not there is no error."""
    folder = folder_of_small_fonts()
    try:
        static = folder_of_streamlit()
        sizes = [path.stat().st_size for path in make(static, folder)]
        list_of_icons().write_text("\n".join(sorted(icons_of(static))), encoding="utf-8")
    except (NotMadeError, OSError) as why:
        print(f"Pages load Streamlit's whole fonts: {why}.")
        return
    print(f"Pages load {len(sizes)} fonts of {sum(sizes) / 1000:.0f} kB: {folder}.")


if __name__ == "__main__":
    main()
