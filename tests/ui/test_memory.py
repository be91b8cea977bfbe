"""Memory that one thread has freed is there for the others."""

import platform
import subprocess
import sys

import pytest

_HEAPS_OF_MANY_THREADS = """
import ctypes, threading
from dpviz.ui.server import share_memory_among_threads
assert {shared}
blocks = []
ready = threading.Barrier(16)
class Together(threading.Thread):
    def run(self):
        ready.wait()  # all of them are there at the same time
        blocks.append([bytearray(1000) for _ in range(100)])
        ready.wait()
threads = [Together() for _ in range(16)]
for one in threads: one.start()
for one in threads: one.join()
ctypes.CDLL(None).malloc_stats()
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="of glibc alone")
def test_threads_take_memory_from_few_heaps():
    def heaps(shared: str) -> int:
        program = _HEAPS_OF_MANY_THREADS.format(shared=shared)
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        )
        return done.stderr.count("Arena ")

    assert heaps("share_memory_among_threads()") <= 2 < heaps("True")
