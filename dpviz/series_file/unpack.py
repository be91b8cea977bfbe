"""The bytes of an upload, unpacked and known to be of a readable kind."""

import gzip
import importlib
import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import IO, Any, BinaryIO, cast

from dpviz.scenario.missing_package import MissingPackageError
from dpviz.series_file.errors import SeriesFileError
from dpviz.series_file.shares import TELLER

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
        is_parquet: whether that is Parquet; else it is text.
    """

    content: bytes | Path
    packing: str | None = None
    is_parquet: bool = False

    def chunks(self) -> Iterator[bytes]:
        """Yield the unpacked bytes piece by piece.

        Raises:
            SeriesFileError: they are damaged, or more than are read.
        """
        total = 0
        content = self.content
        with io.BytesIO(content) if isinstance(content, bytes) else content.open("rb") as file:
            size = file.seek(0, io.SEEK_END)
            file.seek(0)
            unpacked = self._unpacking(file)
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

    def _unpacking(self, file: IO[bytes]) -> Any:
        if self.packing == "gzip":
            return gzip.GzipFile(fileobj=file)
        return file if self.packing is None else _arrow().input_stream(file, compression="zstd")

    def _next(self, unpacked: Any) -> bytes:
        if self.packing is None:
            return bytes(unpacked.read(_CHUNK))
        try:
            return bytes(unpacked.read(_CHUNK))
        except (OSError, EOFError, zlib.error, ValueError):
            raise SeriesFileError(
                f"The file is {self.packing}-compressed, but damaged or cut off: compress or "
                "upload it again."
            ) from None


def stream_of(chunks: Iterator[bytes]) -> BinaryIO:
    """Return what is yielded as a stream of bytes."""
    return cast(BinaryIO, io.BufferedReader(_Chunks(chunks), _CHUNK))


class _Chunks(io.RawIOBase):
    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            chunk = next(self._chunks, None)
            if chunk is None:
                return 0
            self._rest = memoryview(chunk)
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size


def unpacked(content: bytes | Path, name: str) -> Source:
    """Return what a file unpacks to, telling its kind by its first bytes.

    Args:
        content: the whole file, or where it lies.
        name: its name, for the ending.

    Raises:
        SeriesFileError: the file is empty, too large, damaged, or of another kind.

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


def _arrow() -> ModuleType:
    try:
        return importlib.import_module("pyarrow")
    except ImportError:
        raise SeriesFileError(
            f"Zstandard cannot be unpacked here, as {MissingPackageError('pyarrow')}; "
            "or compress the table with gzip."
        ) from None


def check_size(num_bytes: int) -> None:
    """Refuse a file of more bytes than are read."""
    if num_bytes > MOST_BYTES:
        raise SeriesFileError(
            f"The file is larger than {MOST_BYTES // 2**20} MB (uncompressed): "
            "keep only the columns for series, time and value, or fewer digits, or type the number "
            "and the lengths of the series instead."
        )
