"""What the server does not ask others about itself."""

from streamlit import net_util


def ask_nobody_for_own_address() -> None:
    """Keep the server from asking the internet for its own address.

    Streamlit does so whenever it refuses a page of somebody else's: of one machine, by http, up to
    two seconds long, in which no visitor gets an answer. It needs the answer only to admit pages
    that are served at that address, which come from this server and are admitted anyway.
    """
    net_util.get_external_ip = _unknown


def _unknown() -> None:
    return None
