"""A browser's address bar without a browser."""

from urllib.parse import parse_qs


class AddressBar(dict[str, list[str]]):
    """What ``st.query_params`` is to the state: texts by name, each once or several times."""

    def open(self, link: str) -> None:
        """Have a visitor enter a link."""
        self.clear()
        self.update(parse_qs(link, keep_blank_values=True))

    def to_dict(self) -> dict[str, str]:
        """Return the last text of each name."""
        return {name: texts[-1] for name, texts in self.items()}

    def get_all(self, name: str) -> list[str]:
        return self[name]

    def from_dict(self, query: dict[str, str]) -> None:
        """Replace everything."""
        self.clear()
        self.update({name: [text] for name, text in query.items()})
