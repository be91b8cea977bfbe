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
_STOP, _TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _STRUCT = 0, 1, 2, 3, 7, 8, 12
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
        reader = _Reader(content, place)
        header = reader.struct()
        unpacked, packed = header[_UNPACKED_SIZE], header[_PACKED_SIZE]
        entries = header.get(_DICTIONARY_HEADER, {}).get(_NUM_VALUES, 0)
        if min(unpacked, packed, entries) < 0:
            raise ValueError("a page of a negative size")
        yield PageSize(unpacked, entries)
        place = reader.place + packed


class _Reader:
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
        while (head := self._byte()) != _STOP:
            number = number + (head >> 4) if head >> 4 else self._integer()
            fields[number] = self._value(head & 15, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (_TRUE, _FALSE):
            return kind == _TRUE
        if kind in _INTEGERS:
            return self._integer()
        if kind == _STRUCT:
            return self.struct(depth + 1)
        if kind in (_BYTE, _DOUBLE, _BINARY):
            length = {_BYTE: 1, _DOUBLE: 8}.get(kind) or self._unsigned()
            self.place += length
            return None
        raise ValueError(f"a header with a value of kind {kind}, which none has")

    def _byte(self) -> int:
        byte = self._content[self.place]
        self.place += 1
        return byte

    def _unsigned(self) -> int:
        number = shift = 0
        while True:
            byte = self._byte()
            number |= (byte & 127) << shift
            if byte < 128:
                return number
            shift += 7
            if shift > 63:
                raise ValueError("a number of too many bytes")

    def _integer(self) -> int:
        number = self._unsigned()
        return (number >> 1) ^ -(number & 1)
