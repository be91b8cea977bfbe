"""A file that is written whole or not at all."""

import os
import stat
import tempfile
from pathlib import Path

_READ_AND_WRITE_BY_ALL = 0o666


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
        mode = stat.S_IFREG | (_READ_AND_WRITE_BY_ALL & ~_umask())
    if not stat.S_ISREG(mode):
        path.write_bytes(content)
        return
    target = path.resolve()  # the file behind a link is replaced, not the link
    if target.exists() and not os.access(target, os.W_OK):
        target.open("ab").close()  # a file that is protected stays as it is; this says why
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:50]}-")
    unfinished = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())  # some file systems tell only now that there is no room
        unfinished.chmod(stat.S_IMODE(mode))
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def _umask() -> int:
    """Return the process's mask of permissions, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
