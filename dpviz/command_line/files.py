"""Files that are named on the command line: read as far as they may be long, written whole."""

import errno
import os
import stat
from pathlib import Path

from dpviz.command_line.command import UsageError, shown_path
from dpviz.command_line.ends import limit_reached
from dpviz.files.replacement import replace_file

_READ_AND_WRITE_BY_ALL = 0o666


def cannot(what: str, problem: OSError | ValueError) -> UsageError:
    """Return what to say of a place that cannot be used, unless a limit of the system is behind it.

    Args:
        what: the place and what cannot be done, as a clause.
    """
    limit = limit_reached(problem)
    if limit is not None:
        return UsageError(f"held up by the system: {limit}")
    if isinstance(problem, OSError):
        return UsageError(f"{what}: {problem.strerror or problem}")
    return UsageError(f"{what}: it is no path")


def first_bytes(path: str, most: int, *, option: str = "") -> bytes:
    """Return what a file begins with: one byte more than it may have, where it is too long.

    Args:
        path: of the file; a device may have no end.
        option: that names the file, such as ``--data``, if one does.
    """
    try:
        with Path(path).open("rb") as file:
            return file.read(most + 1)
    except (OSError, ValueError) as error:
        raise cannot(f"{_named(path, option)} cannot be read", error) from None


def whole_bytes(path: str, most: int, *, option: str = "") -> bytes:
    """Return a file's content; see :func:`first_bytes`."""
    content = first_bytes(path, most, option=option)
    if len(content) > most:
        named = f"{option} {shown_path(path)}".lstrip()
        said = f"it has more than the {most:,} bytes that are read"
        raise UsageError(f"{named} is not allowed: {said}")
    return content


def whole_text(path: str, most: int, *, option: str = "") -> str:
    """Return a file's text in UTF-8; see :func:`first_bytes`."""
    try:
        # Some editors begin a file with a mark that is no part of its text.
        return whole_bytes(path, most, option=option).decode("utf-8-sig")
    except UnicodeDecodeError:
        said = "cannot be read: it is not text in UTF-8"
        raise UsageError(f"{_named(path, option)} {said}") from None


def _named(path: str, option: str) -> str:
    return f"{option} {shown_path(path)!r}" if option else shown_path(path)


def check_place(path: str | None, option: str, *kept: tuple[str, str | None]) -> None:
    """Refuse now, not after all was computed, where no file can be written.

    Args:
        path: ``None`` where nothing is to be written.
        kept: files that must stay as they are, since the command reads or writes them, each with
            what names it, such as ``--data``.
    """
    if path is None:
        return
    place, named = Path(path), f"{option} {shown_path(path)}"
    try:
        for name, other in kept:
            if other is not None and Path(other).resolve() == place.resolve():
                raise UsageError(f"{named} is not allowed: it must be another file than {name}")
        changed = place if place.exists() else place.resolve().parent
        if place.is_dir():
            problem = errno.EISDIR
        elif not place.exists() and not changed.is_dir():
            problem = errno.ENOENT
        elif not os.access(changed, os.W_OK):
            problem = errno.EACCES
            if hasattr(os, "statvfs") and os.statvfs(changed).f_flag & os.ST_RDONLY:
                problem = errno.EROFS
        else:
            return
    except OSError as error:  # such as a name that is too long
        problem = error.errno or errno.EINVAL
    except RuntimeError:  # a link that leads to itself, until Python 3.12
        problem = errno.ELOOP
    raise UsageError(f"{named} cannot be written: {os.strerror(problem)}")


def written(path: str | Path, text: str | bytes, option: str) -> str:
    """Write a file as :func:`write_whole` does, and return the line that says so."""
    try:
        write_whole(Path(path), text)
    except (OSError, ValueError) as error:
        raise cannot(f"{option} {shown_path(str(path))} cannot be written", error) from None
    return f"written: {shown_path(str(path))}"


def made_folder(path: str, option: str) -> Path:
    """Return a folder that is there from now on."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise cannot(f"{option} {shown_path(path)} cannot be used", error) from None
    return Path(path)


def write_whole(path: Path, text: str | bytes) -> None:
    """Write a text as UTF-8, or bytes; on any failure, what was at the path before is still there.

    What is no regular file, such as ``/dev/stdout`` or a pipe, is written to as it is.

    Raises:
        OSError: there is no room, no permission, or no such folder.
        ValueError: the path is none.
    """
    content = text.encode() if isinstance(text, str) else text
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        mask = os.umask(0)  # the process's own can only be read by setting it
        os.umask(mask)
        mode = stat.S_IFREG | (_READ_AND_WRITE_BY_ALL & ~mask)
    if not stat.S_ISREG(mode):
        path.write_bytes(content)
        return
    target = path.resolve()  # the file behind a link is replaced, not the link
    if target.exists() and not os.access(target, os.W_OK):
        target.open("ab").close()  # a file that is protected stays as it is; this says why
    replace_file(target, content, prefix=f".{target.name[:50]}-", mode=stat.S_IMODE(mode))
