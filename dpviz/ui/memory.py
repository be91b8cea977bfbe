"""Memory of a server that many threads draw pages in."""

import ctypes
import platform

# Parameter of mallopt, from malloc.h.
_M_ARENA_MAX = -8
_ARENAS = 2


def share_memory_among_threads() -> bool:
    """Let all threads take memory from few heaps; return whether the system's C library does so.

    By default each of the threads that draw pages gets a heap of its own, and what one has freed
    no other one can use: some 25 MB with 30 visitors. Only one thread at a time runs Python anyway.
    """
    if platform.libc_ver()[0] != "glibc":
        return False
    return bool(ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _ARENAS))
