"""The bytes of an upload, unpacked and known to be of a readable kind."""

import gzip
import io
import zlib
from dataclasses import dataclass

from dpviz.series_file.errors import SeriesFileError

MOST_BYTES = 25 * 2**20
"""Largest file that is read, unpacked: about a million rows of a long table."""

PARQUET_MARK = b"PAR1"
_GZIP_MARK = b"\x1f\x8b"
_OTHER_KINDS = {
    b"PK\x03\x04": "an Excel workbook or a zip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"BZh": "compressed with bzip2",
    b"\xfd7zXZ": "compressed with xz",
    b"(\xb5/\xfd": "compressed with zstandard",
    b"ARROW1": "a Feather or Arrow file",
    b"\x89HDF": "an HDF5 file",
    b"%PDF": "a PDF document",
}


@dataclass(frozen=True)
class Unpacked:
    """Uncompressed bytes, and whether they are Parquet (else they are text)."""

    content: bytes
    is_parquet: bool


def unpacked(content: bytes, name: str) -> Unpacked:
    """Return the uncompressed content of a file, telling Parquet from text by its first bytes.

    Raises:
        SeriesFileError: the file is empty, too large, damaged, or of another kind.

    >>> unpacked(gzip.compress(b"a,b"), "table.csv.gz")
    Unpacked(content=b'a,b', is_parquet=False)
    """
    check_size(len(content))
    if content.startswith(_GZIP_MARK):
        content = _gunzipped(content)
    if not content.strip():
        raise SeriesFileError("The file is empty.")
    for mark, kind in _OTHER_KINDS.items():
        if content.startswith(mark):
            raise SeriesFileError(f"The file is {kind}: save the table as CSV and try again.")
    if content.startswith(PARQUET_MARK):
        return Unpacked(content, is_parquet=True)
    if name.lower().endswith((".parquet", ".pq")):
        raise SeriesFileError(
            "The file is not Parquet although its name says so: its first bytes differ."
        )
    return Unpacked(content, is_parquet=False)


def _gunzipped(content: bytes) -> bytes:
    # One byte more than allowed is unpacked at most: a small file can hold terabytes.
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as stream:
            plain = stream.read(MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        raise SeriesFileError(
            "The file is gzip-compressed, but damaged or cut off: compress or upload it again."
        ) from None
    check_size(len(plain))
    return plain


def check_size(num_bytes: int) -> None:
    """Refuse a file of more bytes than are read."""
    if num_bytes > MOST_BYTES:
        raise SeriesFileError(
            f"The file is larger than {MOST_BYTES // 2**20} MB (uncompressed): "
            "keep only the columns for series, time and value, or fewer digits, or type the number "
            "and the lengths of the series instead."
        )
