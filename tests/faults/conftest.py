"""Pages are opened as in the tests of the pages."""

from tests.pages.conftest import open_page

__all__ = ["open_page"]
