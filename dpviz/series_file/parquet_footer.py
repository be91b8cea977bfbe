"""The end of a Parquet file without what pyarrow would end the whole process over.

Each column may tell statistics of its sizes. Where they do not fit the column, pyarrow (26.0 does)
raises an error in C++ that nothing catches, so that one damaged file would end a server with all
its visitors. Nothing here needs them.
"""

from typing import Any

from dpviz.series_file.parquet_pages import BOOLS, STRUCT, CompactReader

_MAGIC = b"PAR1"
_LENGTH_BYTES = 4
_LISTS = (9, 10)
# Row groups, their columns, a column's metadata, its size statistics
# (https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift).
_SIZE_STATISTICS = {4: {1: {3: {16: None}}}}
_LARGEST_STEP = 15
# Of the fields of a column's metadata those up to 9 must be there, and 17 is the last.
_LEAST_BEFORE = 3
_LARGEST_FIELD = 1_000
_DEEPEST = 16


def without_size_statistics(content: bytes) -> bytes:
    """Return a file in which those statistics have a number that no reader knows.

    Raises:
        ValueError: the end of the file is not written as it must be.
        LookupError: it is cut off.
    """
    end = len(content) - len(_MAGIC) - _LENGTH_BYTES
    start = end - int.from_bytes(content[end : end + _LENGTH_BYTES], "little")
    if start < len(_MAGIC) or not content.endswith(_MAGIC):
        raise ValueError("a file without an end")
    reader = _FooterReader(content[start:end])
    reader.walk(_SIZE_STATISTICS)
    if not reader.found:
        return content
    changed = bytearray(content)
    for place in reader.found:
        # A field's number is told as the step from the one before: the largest leads past them all.
        changed[start + place] = _LARGEST_STEP << 4 | content[start + place] & 15
    return bytes(changed)


class _FooterReader(CompactReader):
    """Finds fields by their path of numbers.

    Attributes:
        found: where their headers stand.
    """

    def __init__(self, content: bytes) -> None:
        super().__init__(content, 0)
        self.found: list[int] = []

    def walk(self, wanted: dict[int, Any], depth: int = 0) -> None:
        """Read a struct; fields that lead to nothing are passed over."""
        if depth > _DEEPEST:
            raise ValueError("an end nested too deeply")
        number = 0
        while head := self.byte():
            place, before, step = self.place - 1, number, head >> 4
            number = before + step if step else self.integer()
            if not 0 <= number <= _LARGEST_FIELD:
                raise ValueError("a field that no file has")
            inner = wanted.get(number, {})
            if inner is None:
                if step in (0, _LARGEST_STEP) or before < _LEAST_BEFORE:
                    raise ValueError("size statistics before a column's own fields")
                self.found.append(place)
            self._pass(head & 15, inner or {}, depth)

    def _pass(self, kind: int, wanted: dict[int, Any], depth: int) -> None:
        if kind == STRUCT:
            self.walk(wanted, depth + 1)
        elif kind in _LISTS:
            head = self.byte()
            size = head >> 4
            if size == 15:  # or more: then they follow
                size = self.unsigned()
            kind = head & 15
            if wanted and kind != STRUCT:
                raise ValueError("a list of another kind than it must be")
            for _ in range(size):
                if kind in BOOLS:
                    self.byte()
                else:
                    self._pass(kind, wanted, depth + 1)
        else:
            self.value(kind, depth)
