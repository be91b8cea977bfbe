"""Series that anybody can get, from packages that have them: they are not part of dpviz."""
