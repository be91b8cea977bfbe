"""Disks that are full or cannot be written, made for real where the machine allows it."""

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(
    folder: Path,
    *,
    kilobytes: int = 0,
    read_only: bool = False,
    files: Mapping[str, bytes] | None = None,
) -> Iterator[Path]:
    """Mount a disk in memory; skip the test where that is not possible.

    Args:
        folder: where; it must not exist.
        kilobytes: how much room is left.
        read_only: whether nothing can be written any more.
        files: what is on it.
    """
    mount, unmount = shutil.which("mount"), shutil.which("umount")
    if mount is None or unmount is None:
        pytest.skip("mount is not installed")
    folder.mkdir()
    command = [mount, "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")
    try:
        for name, content in (files or {}).items():
            (folder / name).write_bytes(content)
        _fill(folder / "filling", kilobytes)
        if read_only:
            remount = [mount, "-o", "remount,ro", str(folder)]
            subprocess.run(remount, capture_output=True, check=True)
        yield folder
    finally:
        subprocess.run([unmount, str(folder)], check=True)


@contextmanager
def short_files(most_bytes: int) -> Iterator[None]:
    """Let this process write no file longer than that, as a quota does."""
    import resource  # not on Windows, where pytest imports this file, too

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _fill(path: Path, kilobytes_left: int) -> None:
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1024))
        except OSError:
            file.truncate(file.tell() - 1024 * kilobytes_left)
