"""The app's own address, where readers of what is taken away can open it, too."""

from ipaddress import ip_address
from urllib.parse import quote, urlsplit

# Names that lead somewhere else, or nowhere, in another network (RFC 6761, 6762, 8375 and use).
_OF_A_NETWORK = (".localhost", ".local", ".internal", ".lan", ".home", ".home.arpa", ".test")


def public_address(url: str | None) -> str | None:
    """Return the app's address without the page.

    Args:
        url: the page's, as the visitor's browser shows it; ``None`` where none has told it.

    Returns:
        ``None`` where others could not open it: on the visitor's own machine, or at a private
        address.

    >>> public_address("https://dp.example.org/app/privacy_curve")
    'https://dp.example.org/app/'
    >>> public_address("http://localhost:8501/privacy_curve") is None
    True
    """
    parts = urlsplit(url or "")
    if parts.scheme not in ("http", "https") or not _is_public(parts.hostname or ""):
        return None
    folder = quote(parts.path.rpartition("/")[0], safe="/%")
    return f"{parts.scheme}://{parts.netloc}{folder}/"


def _is_public(host: str) -> bool:
    try:
        return ip_address(host).is_global
    except ValueError:  # it is a name
        return "." in host and not host.rstrip(".").endswith(_OF_A_NETWORK)
