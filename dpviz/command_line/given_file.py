"""A file that is named on the command line: read as far as it may be long."""

from pathlib import Path

from dpviz.command_line.parser import UsageError, shown_path


def first_bytes(path: str, most: int, *, option: str = "") -> bytes:
    """Return what a file begins with: one byte more than it may have, where it is too long.

    Args:
        path: of the file; a device may have no end.
        most: bytes that a file of its kind may have.
        option: that names the file, such as ``--data``, if one does.

    Raises:
        UsageError: it cannot be read.
    """
    try:
        with Path(path).open("rb") as file:
            return file.read(most + 1)
    except (OSError, ValueError) as error:
        named = f"{option} {shown_path(path)!r}" if option else shown_path(path)
        reason = error.strerror if isinstance(error, OSError) else "it is no path of a file"
        raise UsageError(f"{named} cannot be read: {reason}") from None


def whole_bytes(path: str, most: int, *, option: str = "") -> bytes:
    """Return a file's content; see :func:`first_bytes`.

    Raises:
        UsageError: it cannot be read, or is too long.
    """
    content = first_bytes(path, most, option=option)
    if len(content) > most:
        named = f"{option} {shown_path(path)}".lstrip()
        raise UsageError(
            f"{named} is not allowed: it has more than the {most:,} bytes that are read"
        )
    return content
