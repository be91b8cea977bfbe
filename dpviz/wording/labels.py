"""Messages call settings what the pages call them."""

import re

from dpviz.settings import SETTINGS


def labelled(message: str) -> str:
    """Return a message about fields with what pages call them in the place of their names.

    >>> labelled("batch_size = 0 is not allowed: it must be above 0.")
    'Batch size Λ = 0 is not allowed: it must be above 0.'
    >>> labelled("num_subsequences = 40 is not allowed: it must be at most batch_size (32).")
    'Windows per series λ = 40 is not allowed: it must be at most Batch size Λ (32).'
    >>> labelled("batch_size_limit: it is missing.")
    'batch_size_limit: it is missing.'
    """
    name = message.partition(" ")[0].rstrip(":")
    if name in SETTINGS:
        message = SETTINGS[name].called + message.removeprefix(name)
    # Further on only what cannot be an ordinary word.
    return _NAME.sub(
        lambda match: SETTINGS[match[0]].called if match[0] in SETTINGS else match[0], message
    )


_NAME = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
