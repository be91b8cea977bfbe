"""A workshop tried beforehand: visitors who speak a server's own protocol, and a verdict."""
