"""How much one network address may begin: counted in memory, and written down nowhere."""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable

# No dictionary of addresses grows beyond it: the one that was seen longest ago is forgotten.
_MOST_ADDRESSES = 10_000


class Allowance:
    """So many begun things in so much time for each address.

    >>> allowance = Allowance(1, 60.0, clock=lambda: 0.0)
    >>> allowance.take("192.0.2.1"), allowance.take("192.0.2.1"), allowance.take("192.0.2.2")
    (True, False, True)
    """

    def __init__(
        self, most: int, seconds: float, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._taken: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, address: str) -> bool:
        """Count one more for an address; return whether it may be. An unknown one, '', always."""
        if not address:
            return True
        with self._lock:
            now = self._clock()
            times = self._taken.setdefault(address, deque())
            self._taken.move_to_end(address)
            while times and times[0] <= now - self._seconds:
                times.popleft()
            if len(times) >= self._most:
                return False
            times.append(now)
            if len(self._taken) > _MOST_ADDRESSES:
                self._taken.popitem(last=False)
            return True

    def give_back(self, address: str) -> None:
        """Count one less for an address: nothing came of what it was to begin."""
        with self._lock:
            if times := self._taken.get(address):
                times.pop()
