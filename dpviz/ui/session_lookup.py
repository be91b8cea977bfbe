"""How Streamlit's controls look up one value of a visitor's session."""

from collections.abc import Iterator, Mapping
from typing import Any

from streamlit.runtime.state import SafeSessionState

_WHOLE = SafeSessionState.filtered_state
# What Streamlit's own identities begin with; no key of ours does.
_OWN = "$$"


class SessionLookup(Mapping[str, Any]):
    """A session's values by their keys, each one looked up when it is asked for."""

    def __init__(self, session: SafeSessionState) -> None:
        self._session = session

    def __getitem__(self, key: str) -> Any:
        """Return the value of a key, which an identity that Streamlit made up is not.

        Raises:
            KeyError: nothing has this key.
        """
        if key.startswith(_OWN):
            raise KeyError(key)
        with self._session._lock:
            return self._session._state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def _all(self) -> dict[str, Any]:
        found: dict[str, Any] = _WHOLE.fget(self._session)  # type: ignore[attr-defined]
        return found


def look_up_single_values() -> None:
    """Let a control that asks the session for its own value look at that one only.

    Streamlit collects all values, those of every other control too, for each text box, menu and
    radio that is drawn: of a slider move that took a fifth of the processor's time on pages with
    many boxes.
    """
    SafeSessionState.filtered_state = property(SessionLookup)  # type: ignore[assignment,method-assign]
