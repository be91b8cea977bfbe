"""A link's query string in fewer characters, for codes that phones read off a projector."""

import base64
import binascii
import zlib

from dpviz.scenario.errors import ScenarioError

PARAMETER = "z"
# More than any link has that the app writes: a short text may unpack to gigabytes.
_MOST_CHARACTERS = 20_000
_RAW = -15  # Deflate without header and checksum
# What links are made of, the usual last; with another text, codes from before would not open.
_COMMON = (
    b"&run_1=&target_false_positive_rate=0.01&target_success=&free_quantity=&region_x=&region_y="
    b"&chart=training&lesson=none&compared_steps=&fixed_epsilon=1&prior=0.5&pin_a=&pin_b="
    b"&relation_level=user&relation_width=&max_change=&value_unit=&time_step=1+hour"
    b"&context_noise=&forecast_noise=&bottom_level=poisson&top_level=shuffled"
    b"&top_level=deterministic&top_level=flat&top_level=poisson&num_subsequences=&steps="
    b"schema=1&bottom_rate=0.00&top_rate=0.&steps_per_epoch=&target_epsilon="
    b"schema=1&num_series=862&series_length=17544&context_length=96&forecast_length=24"
    b"&batch_size=256&noise_multiplier=4.0&epochs=4000&delta=1e-07"
)


def shortened(query: str) -> str:
    """Return a query string that opens the same as another one.

    >>> query = "schema=1&num_series=320&series_length=20&context_length=1&forecast_length=1"
    >>> len(shortened(query)) < len(query) / 1.5, expanded(shortened(query)[2:]) == query
    (True, True)
    """
    packer = zlib.compressobj(9, zlib.DEFLATED, _RAW, zdict=_COMMON)
    packed = packer.compress(query.encode()) + packer.flush()
    return f"{PARAMETER}={base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def expanded(code: str) -> str:
    """Return the query string that a code stands for.

    Raises:
        ScenarioError: it stands for none, or for one that is longer than any link.
    """
    try:
        packed = base64.b64decode(code + "=" * (-len(code) % 4), altchars=b"-_", validate=True)
        unpacker = zlib.decompressobj(_RAW, zdict=_COMMON)
        query = unpacker.decompress(packed, _MOST_CHARACTERS).decode()
    except (binascii.Error, ValueError, zlib.error):
        raise _refusal(code) from None
    if not unpacker.eof or unpacker.unused_data:
        raise _refusal(code)
    return query


def _refusal(code: str) -> ScenarioError:
    return ScenarioError(PARAMETER, code[:40], "it must be the code of a whole link")
