"""The bytes of an upload, unpacked, and as UTF-8 text in pieces that end where a record does."""

import codecs
import gzip
import importlib
import io
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO, cast

import numpy as np

from dpviz.scenario.errors import MissingPackageError
from dpviz.series_file.errors import SeriesFileError
from dpviz.series_file.reading_progress import TELLER
from dpviz.series_file.table import check_lines

MOST_BYTES = 500 * 2**20
"""Largest file that is read, unpacked: more than ten million rows of a long table."""
_CHUNK = 2**20

PARQUET_MARK = b"PAR1"
_PACKINGS = {b"\x1f\x8b": "gzip", b"(\xb5/\xfd": "zstd"}
_OTHER_KINDS = {
    b"PK\x03\x04": "an Excel workbook or a zip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"BZh": "compressed with bzip2",
    b"\xfd7zXZ": "compressed with xz",
    b"ARROW1": "a Feather or Arrow file",
    b"\x89HDF": "an HDF5 file",
    b"%PDF": "a PDF document",
}


@dataclass(frozen=True)
class Source:
    """A file, in memory or on the disk, as the bytes that it unpacks to.

    Args:
        content: the whole file, or where it lies.
        packing: how it is compressed: ``gzip``, ``zstd`` or not at all.
    """

    content: bytes | Path
    packing: str | None = None
    is_parquet: bool = False

    def chunks(self) -> Iterator[bytes]:
        """Yield the unpacked bytes piece by piece."""
        total = 0
        content = self.content
        with io.BytesIO(content) if isinstance(content, bytes) else content.open("rb") as file:
            size = file.seek(0, io.SEEK_END)
            file.seek(0)
            unpacked: Any = file
            if self.packing == "gzip":
                unpacked = gzip.GzipFile(fileobj=file)
            elif self.packing is not None:
                arrow = arrow_for("Zstandard cannot be unpacked", "compress the table with gzip")
                unpacked = arrow.input_stream(file, compression="zstd")
            while chunk := self._next(unpacked):
                total += len(chunk)
                check_size(total)
                TELLER.note_in_pass(file.tell() / size)
                yield chunk
        TELLER.end_pass()

    def whole(self) -> bytes:
        """Return all unpacked bytes."""
        if isinstance(self.content, bytes) and self.packing is None:
            return self.content
        return b"".join(self.chunks())

    def _next(self, unpacked: Any) -> bytes:
        try:
            return bytes(unpacked.read(_CHUNK))
        except (OSError, EOFError, zlib.error, ValueError):
            if self.packing is None:
                raise
            raise SeriesFileError(
                f"The file is {self.packing}-compressed, but damaged or cut off: compress or "
                "upload it again."
            ) from None


class _Chunks(io.RawIOBase):
    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks, self._rest = chunks, memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            if (chunk := next(self._chunks, None)) is None:
                return 0
            self._rest = memoryview(chunk)
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size


def unpacked(content: bytes | Path, name: str) -> Source:
    """Return what a file unpacks to, telling its kind by its first bytes.

    >>> b"".join(unpacked(gzip.compress(b"a,b"), "table.csv.gz").chunks())
    b'a,b'
    """
    check_size(len(content) if isinstance(content, bytes) else content.stat().st_size)
    packing = next((kind for mark, kind in _PACKINGS.items() if _begins(content, mark)), None)
    source = Source(content, packing)
    first = next(source.chunks(), b"")
    if not first:
        raise SeriesFileError("The file is empty.")
    for mark, kind in _OTHER_KINDS.items():
        if first.startswith(mark):
            raise SeriesFileError(f"The file is {kind}: save the table as CSV and try again.")
    if first.startswith(PARQUET_MARK):
        return replace(source, is_parquet=True)
    if name.lower().endswith((".parquet", ".pq")):
        raise SeriesFileError(
            "The file is not Parquet although its name says so: its first bytes differ."
        )
    return source


def _begins(content: bytes | Path, mark: bytes) -> bool:
    if isinstance(content, bytes):
        return content.startswith(mark)
    with content.open("rb") as file:
        return file.read(len(mark)) == mark


def arrow_for(cannot: str, instead: str) -> ModuleType:
    """Return pyarrow with what reads Parquet; without it, say what cannot be done, and what can."""
    try:
        importlib.import_module("pyarrow.parquet")
        importlib.import_module("pyarrow.compute")
        return importlib.import_module("pyarrow")
    except ImportError:
        missing = MissingPackageError("pyarrow")
        raise SeriesFileError(f"{cannot} here, as {missing}; or {instead}.") from None


def check_size(num_bytes: int) -> None:
    """Refuse a file of more bytes than are read."""
    if num_bytes > MOST_BYTES:
        raise SeriesFileError(
            f"The file is larger than {MOST_BYTES // 2**20} MB (uncompressed): "
            "keep only the columns for series, time and value, or fewer digits, or type the number "
            "and the lengths of the series instead."
        )


_PIECE = 4 * 2**20
_MANY_COLUMNS = 5_000
_LONGEST_PIECE = 64 * 2**20
_LONGEST_LINE = 128 * 2**20
# Tab, line feed and carriage return are the only control characters that tables contain.
_IS_CONTROL = np.zeros(256, dtype=np.bool_)
_IS_CONTROL[[*range(9), 11, 12, *range(14, 32), 127]] = True
_QUOTE, _BREAK = ord('"'), ord("\n")


@dataclass(frozen=True)
class TextFile:
    """A file that is text, from its first line on or from a later one.

    Args:
        chunks: starts reading its bytes.
        has_other_breaks: whether a carriage return alone ends lines.
    """

    chunks: Callable[[], Iterator[bytes]]
    encoding: str
    notes: tuple[str, ...] = ()
    has_other_breaks: bool = False
    first_line: int = 1

    def opened(self) -> BinaryIO:
        """Return the text as a stream of UTF-8 without byte order mark."""
        stream = cast(BinaryIO, io.BufferedReader(_Chunks(self._recoded()), _CHUNK))
        for _ in range(self.first_line - 1):
            stream.readline()
        return stream

    def lines(self) -> io.TextIOWrapper:
        """Return the text, decoded piece by piece, line ends as they are."""
        return io.TextIOWrapper(self.opened(), encoding="utf-8", newline="")

    def _recoded(self) -> Iterator[bytes]:
        if self.encoding == "utf-8" and not self.has_other_breaks:
            yield from self.chunks()
            return
        plain = codecs.getincrementaldecoder(self.encoding)()
        decoder = io.IncrementalNewlineDecoder(plain, translate=self.has_other_breaks)
        for chunk in self.chunks():
            yield decoder.decode(chunk).encode()
        yield decoder.decode(b"", final=True).encode()


def text_file(chunks: Callable[[], Iterator[bytes]]) -> TextFile:
    """Return a file as text, after a look at all of it.

    UTF-8 (with or without byte order mark), UTF-16 (with one), else Latin-1, in which
    every byte is a letter, so that control characters are what tells a binary file.

    >>> text_file(lambda: iter(["Zähler,1".encode("utf-16")])).encoding
    'utf-16'
    """
    first = next(chunks(), b"")
    if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        file = TextFile(chunks, "utf-16")
        try:
            return _checked(file, partial(file.opened().read, _PIECE))
        except UnicodeDecodeError:
            raise SeriesFileError(
                "The file begins like UTF-16 text, but is damaged: save it as UTF-8."
            ) from None
    mark = first.startswith(codecs.BOM_UTF8)
    file = TextFile(chunks, "utf-8-sig" if mark else "utf-8")
    return _checked(file, partial(next, chunks(), b""))


def _checked(file: TextFile, read: Callable[[], bytes]) -> TextFile:
    """Look at all of a file; ``read`` returns its next bytes."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    is_utf8, is_empty = True, True
    line_breaks = returns = pairs = 0
    last = b""
    while chunk := read():
        control = _IS_CONTROL[np.frombuffer(chunk, dtype=np.uint8)]
        if control.any():
            place = int(np.argmax(control))
            line = line_breaks + chunk.count(b"\n", 0, place) + 1
            raise SeriesFileError(
                f"The file is not a text table: line {line} holds the control character "
                f"{chunk[place]:#04x} (a binary file, or UTF-16 without byte order mark?); "
                "save it as CSV in UTF-8."
            )
        line_breaks += chunk.count(b"\n")
        if b"\r" in chunk or last == b"\r":
            returns += chunk.count(b"\r")
            pairs += chunk.count(b"\r\n") + (last + chunk[:1] == b"\r\n")
        check_lines(max(line_breaks, returns))
        last = chunk[-1:]
        is_empty = is_empty and chunk.isspace()
        is_utf8 = is_utf8 and _is_valid(decoder, chunk)
    if is_empty:
        raise SeriesFileError("The file is empty.")
    is_utf8 = is_utf8 and _is_valid(decoder, b"", final=True)
    file = replace(file, has_other_breaks=returns > pairs)
    if is_utf8:
        return file
    note = "The file is not UTF-8 and was read as Latin-1: some letters in names may differ."
    return replace(file, encoding="latin-1", notes=(note,))


def _is_valid(decoder: codecs.IncrementalDecoder, chunk: bytes, *, final: bool = False) -> bool:
    try:
        decoder.decode(chunk, final=final)
    except UnicodeDecodeError:
        return False
    return True


@dataclass(frozen=True)
class Piece:
    """Lines of a text file.

    Args:
        first_line: where the first of them stands.
        content: their bytes as UTF-8 where each of them is one record: no cell holds a line break,
            each quotation mark belongs to the begin or end of a cell; else ``None``.
    """

    lines: Callable[[], io.TextIOWrapper]
    first_line: int
    content: bytes | None = None


def pieces(file: TextFile, separator: str, width: int) -> Iterator[Piece]:
    """Yield all lines of a file, some megabytes at a time, cut between records.

    From where its quotation marks do not tell cells, the rest of the file is one piece.
    """
    stream = file.opened()
    line, rest, is_last = file.first_line, b"", False
    # Of thousands of columns each costs its time anew.
    size = _PIECE if width < _MANY_COLUMNS else 2 * _PIECE
    while not is_last:
        chunk = stream.read(size)
        is_last = len(chunk) < size
        block = rest + chunk
        if is_last and block and not block.endswith(b"\n"):
            block += b"\n"
        cut, is_sound, is_plain = _cut(block, separator)
        if not is_sound or (is_last and cut < len(block)):
            yield Piece(replace(file, first_line=line).lines, line)
            return
        if not cut and len(block) > _LONGEST_PIECE:
            raise _too_long(line, _LONGEST_PIECE)
        whole, rest = block[:cut], block[cut:]
        if whole:
            lines = TextFile(partial(iter, [whole]), "utf-8").lines
            yield Piece(lines, line, whole if is_plain else None)
            line += whole.count(b"\n")


def whole_lines(stream: io.TextIOWrapper, first_line: int = 1) -> Iterator[str]:
    """Yield the lines of a text with their ends; none is held that is longer than is read."""
    lines = iter(partial(stream.readline, _LONGEST_LINE + 1), "")
    for number, line in enumerate(lines, first_line):
        if len(line) > _LONGEST_LINE:
            raise _too_long(number, _LONGEST_LINE)
        yield line


def _too_long(line: int, most: int) -> SeriesFileError:
    return SeriesFileError(
        f"Line {line} cannot be read: it, or a cell of it, is longer than {most // 2**20} MB."
    )


def _cut(block: bytes, separator: str) -> tuple[int, bool, bool]:
    """Return where the last record ends, whether quotation marks fit, and whether lines do."""
    if b'"' not in block:
        return block.rfind(b"\n") + 1, True, True
    content = np.frombuffer(block, dtype=np.uint8)
    quotes, breaks = np.flatnonzero(content == _QUOTE), np.flatnonzero(content == _BREAK)
    inside = np.searchsorted(quotes, breaks) % 2 == 1
    ends = breaks[~inside]
    if not len(ends):
        return 0, len(block) < 4 * _PIECE, False
    cut = int(ends[-1]) + 1
    quotes = quotes[quotes < cut]
    borders = np.zeros(256, dtype=np.bool_)
    borders[[_BREAK, ord("\r"), ord(separator), _QUOTE]] = True
    before = content[quotes[0::2] - 1]
    if len(quotes) and quotes[0] == 0:
        before = before[1:]
    is_sound = bool(borders[before].all() and borders[content[quotes[1::2] + 1]].all())
    return cut, is_sound, not bool(inside[breaks < cut].any())
