"""What a class of a workshop answers, kept in a file beside the server."""
