"""A file that takes the place of another one in one step, or that one process alone writes."""

import os
import tempfile
from pathlib import Path
from typing import IO, Any


def replace_file(
    path: Path, content: bytes | memoryview, *, prefix: str, mode: int | None = None
) -> None:
    """Write a file so that no reader sees half of it, and on a failure the old one is still there.

    It is on the disk before it takes the old one's place.

    Args:
        prefix: of its name until then, in the same folder, where a kill leaves it.
        mode: its permissions; by default only its owner may read it.

    Raises:
        OSError: there is no room, no permission, or no such folder.
    """
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=prefix)
    unfinished = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())  # some file systems tell only now that there is no room
        if mode is not None:
            unfinished.chmod(mode)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def keeps_out_others(file: IO[Any]) -> bool:
    """Lock a file for as long as it is open; return ``False`` where another process has."""
    try:
        import fcntl
    except ImportError:  # Windows keeps no such locks
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
