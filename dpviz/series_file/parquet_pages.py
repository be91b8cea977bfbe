"""How large the pages of a Parquet file say they become: what reading it will take of memory.

The sizes at the end of a file are claims that nothing depends on. A reader reserves what the header
before each page says, and a page that unpacks to more is an error.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Fields = dict[int, Any]

# Thrift's compact protocol, in which the headers are written
# (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md).
_STOP, _TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, STRUCT = 0, 1, 2, 3, 7, 8, 12
BOOLS = (_TRUE, _FALSE)
_INTEGERS = (4, 5, 6)
_DEEPEST = 8
# Fields of a page header
# (https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift).
_UNPACKED_SIZE, _PACKED_SIZE, _DICTIONARY_HEADER, _NUM_VALUES = 2, 3, 7, 1


@dataclass(frozen=True)
class PageSize:
    """What one page takes once it is unpacked.

    Args:
        num_bytes: of its content.
        num_texts: how many entries its dictionary has; 0 for a page of values.
    """

    num_bytes: int
    num_texts: int


def page_sizes(content: bytes, start: int, end: int) -> Iterator[PageSize]:
    """Yield the sizes of the pages between two places of a file.

    Raises:
        ValueError: there are no page headers.
        LookupError: a header is cut off.
    """
    place = start
    while place < end:
        reader = CompactReader(content, place)
        header = reader.struct()
        unpacked, packed = header[_UNPACKED_SIZE], header[_PACKED_SIZE]
        dictionary = header.get(_DICTIONARY_HEADER, {})
        if not isinstance(dictionary, dict):
            raise ValueError("a dictionary's header that is none")
        entries = dictionary.get(_NUM_VALUES, 0)
        if min(unpacked, packed, entries) < 0:
            raise ValueError("a page of a negative size")
        yield PageSize(unpacked, entries)
        place = reader.place + packed


class CompactReader:
    """Reads values of the compact protocol from a place on."""

    def __init__(self, content: bytes, place: int) -> None:
        self._content = content
        self.place = place

    def struct(self, depth: int = 0) -> Fields:
        """Return the fields of a struct by number; texts count as ``None``."""
        if depth > _DEEPEST:
            raise ValueError("a header nested too deeply")
        fields: Fields = {}
        number = 0
        while (head := self.byte()) != _STOP:
            number = number + (head >> 4) if head >> 4 else self.integer()
            fields[number] = self.value(head & 15, depth)
        return fields

    def value(self, kind: int, depth: int) -> Any:
        """Return what a field holds."""
        if kind in BOOLS:
            return kind == _TRUE
        if kind in _INTEGERS:
            return self.integer()
        if kind == STRUCT:
            return self.struct(depth + 1)
        if kind in (_BYTE, _DOUBLE, _BINARY):
            length = {_BYTE: 1, _DOUBLE: 8}.get(kind) or self.unsigned()
            self.place += length
            return None
        raise ValueError(f"a header with a value of kind {kind}, which none has")

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
