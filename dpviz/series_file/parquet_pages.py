"""What the bytes of a Parquet file tell of its size, read without pyarrow.

The sizes at the end of a file are claims that nothing depends on. A reader reserves what the header
before each page says, and a page that unpacks to more is an error.

At the end of a file, each column may tell statistics of its sizes. Where they do not fit the
column, pyarrow (26.0 does) raises an error in C++ that nothing catches, so that one damaged file
would end a server with all its visitors. Nothing here needs them.
"""

from collections.abc import Iterator
from typing import Any

Fields = dict[int, Any]
Bytes = bytes | bytearray

# Thrift's compact protocol, in which the headers are written
# (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md).
_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _STRUCT = 1, 2, 3, 7, 8, 12
_BOOLS, _INTEGERS, _LISTS = (_TRUE, _FALSE), (4, 5, 6), (9, 10)
_DEEPEST_HEADER, _DEEPEST_END = 8, 16
# Fields of a page header
# (https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift).
_UNPACKED_SIZE, _PACKED_SIZE, _DICTIONARY_HEADER, _NUM_VALUES = 2, 3, 7, 1
_MAGIC = b"PAR1"
_LENGTH_BYTES = 4
# Row groups, their columns, a column's metadata, its size statistics
# (https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift).
_SIZE_STATISTICS = {4: {1: {3: {16: None}}}}
_LARGEST_STEP = 15
# Of the fields of a column's metadata those up to 9 must be there, and 17 is the last.
_LEAST_BEFORE = 3
_LARGEST_FIELD = 1_000


def page_sizes(content: Bytes, start: int, end: int) -> Iterator[int]:
    """Yield the bytes that each page between two places of a file unpacks to.

    Raises:
        ValueError: there are no page headers, or a dictionary has more entries than bytes.
        LookupError: a header is cut off.
    """
    place = start
    while place < end:
        reader = CompactReader(content, place)
        header = reader.struct({})
        unpacked, packed = header[_UNPACKED_SIZE], header[_PACKED_SIZE]
        dictionary = header.get(_DICTIONARY_HEADER, {})
        if not isinstance(dictionary, dict):
            raise ValueError("a dictionary's header that is none")
        entries = dictionary.get(_NUM_VALUES, 0)
        if min(unpacked, packed, entries) < 0:
            raise ValueError("a page of a negative size")
        yield unpacked
        if entries > unpacked:
            raise ValueError("a dictionary of more entries than bytes")
        place = reader.place + packed


class CompactReader:
    """Reads structs of the compact protocol from a place on.

    Args:
        is_end: whether it is the end of a file, which has lists, too, and a header before a page
            does not.

    Attributes:
        found: where the headers of wanted fields stand.
    """

    def __init__(self, content: Bytes, place: int, *, is_end: bool = False) -> None:
        self._content, self.place, self._is_end = content, place, is_end
        self.found: list[int] = []

    def struct(self, wanted: Fields, depth: int = 0) -> Fields:
        """Return the fields of a struct by number, none at the end of a file.

        Texts and lists count as ``None``.

        Args:
            wanted: numbers that lead to fields to be found; these are ``None``.
        """
        if depth > (_DEEPEST_END if self._is_end else _DEEPEST_HEADER):
            raise ValueError("a struct nested too deeply")
        fields: Fields = {}
        number = 0
        while head := self.byte():
            place, before, step = self.place - 1, number, head >> 4
            number = before + step if step else self.integer()
            if self._is_end and not 0 <= number <= _LARGEST_FIELD:
                raise ValueError("a field that no file has")
            inner = wanted.get(number, {})
            if inner is None:
                if step in (0, _LARGEST_STEP) or before < _LEAST_BEFORE:
                    raise ValueError("size statistics before a column's own fields")
                self.found.append(place)
            value = self._value(head & 15, inner or {}, depth)
            if not self._is_end:  # which may have many megabytes: of it only places are asked for
                fields[number] = value
        return fields

    def _value(self, kind: int, wanted: Fields, depth: int) -> Any:
        if kind in _BOOLS:
            return kind == _TRUE
        if kind in _INTEGERS:
            return self.integer()
        if kind == _STRUCT:
            return self.struct(wanted, depth + 1)
        if kind in _LISTS and self._is_end:
            head = self.byte()
            size, kind = head >> 4, head & 15
            if size == 15:  # or more: then they follow
                size = self.unsigned()
            if wanted and kind != _STRUCT:
                raise ValueError("a list of another kind than it must be")
            for _ in range(size):
                if kind in _BOOLS:
                    self.byte()
                else:
                    self._value(kind, wanted, depth + 1)
        elif kind in (_BYTE, _DOUBLE, _BINARY):
            length = {_BYTE: 1, _DOUBLE: 8}.get(kind) or self.unsigned()
            self.place += length
        else:
            raise ValueError(f"a value of kind {kind}, which none has")
        return None

    def byte(self) -> int:
        """Return the next byte."""
        byte = self._content[self.place]
        self.place += 1
        return byte

    def unsigned(self) -> int:
        """Return a number of seven bits a byte."""
        number = shift = 0
        while True:
            byte = self.byte()
            number |= (byte & 127) << shift
            if byte < 128:
                return number
            shift += 7
            if shift > 63:
                raise ValueError("a number of too many bytes")

    def integer(self) -> int:
        """Return a number whose last bit is its sign."""
        number = self.unsigned()
        return (number >> 1) ^ -(number & 1)


def without_size_statistics(content: bytes) -> Bytes:
    """Return a file in which those statistics have a number that no reader knows.

    Raises:
        ValueError: the end of the file is not written as it must be.
        LookupError: it is cut off.
    """
    end = len(content) - len(_MAGIC) - _LENGTH_BYTES
    start = end - int.from_bytes(content[end : end + _LENGTH_BYTES], "little")
    if start < len(_MAGIC) or not content.endswith(_MAGIC):
        raise ValueError("a file without an end")
    reader = CompactReader(content[start:end], 0, is_end=True)
    reader.struct(_SIZE_STATISTICS)
    if not reader.found:
        return content
    changed = bytearray(content)
    for place in reader.found:
        # A field's number is told as the step from the one before: the largest leads past them all.
        changed[start + place] = _LARGEST_STEP << 4 | content[start + place] & 15
    return changed
