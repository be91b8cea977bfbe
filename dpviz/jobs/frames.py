"""How answers are told apart on a pipe: each one's size goes before it."""

import struct

HEADER = struct.Struct("!Q")
