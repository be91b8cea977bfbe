"""Files that brotli packs beside the visitors, and answers that are kept: never another's."""

import gzip
import time
from functools import partial

import pyarrow
import pytest

from dpviz.ui import packing as module
from dpviz.ui.answer_headers import Answers
from dpviz.ui.packing import BestPacked, LastingAnswers, packing
from tests.loops import answered
from tests.waiting import until

SCRIPT = b"export const at = [" + b"1, 2, 3, " * 500 + b"];"


@pytest.fixture
def best(monkeypatch):
    best = BestPacked()
    monkeypatch.setattr(module, "BEST_PACKED", best)
    return best


def packed_at_last(best, content):
    """Return a content packed, however busy the machine is."""
    until(lambda: best.find(content) is not None)
    return best.find(content)


def answer(content, path="/static/js/some.1a2b.js", accepts=b"gzip, deflate, br", etag=b'"1"'):
    """Return the headers and the body that a browser gets for a file."""

    async def serve(send):
        scope = {"method": "GET", "path": path, "headers": [(b"accept-encoding", accepts)]}
        on = packing(scope, send)
        told = [(b"content-length", b"%d" % len(content)), (b"etag", etag)]
        await on({"type": "http.response.start", "status": 200, "headers": told})
        half = len(content) // 2
        await on({"type": "http.response.body", "body": content[:half], "more_body": True})
        await on({"type": "http.response.body", "body": content[half:]})

    start, body = answered(serve)
    return dict(start["headers"]), body


def unpacked(packed, size):
    return pyarrow.Codec("brotli").decompress(packed, decompressed_size=size, asbytes=True)


def test_a_file_goes_out_by_gzip_until_it_is_packed(best):
    told, body = answer(SCRIPT)
    assert told[b"content-encoding"] == b"gzip"
    assert gzip.decompress(body) == SCRIPT
    packed = packed_at_last(best, SCRIPT)
    told, body = answer(SCRIPT)
    assert (told[b"content-encoding"], told[b"etag"]) == (b"br", b'W/"1"')
    assert told[b"content-length"] == b"%d" % len(body)
    assert body == packed
    assert unpacked(body, len(SCRIPT)) == SCRIPT


def test_who_does_not_know_brotli_never_gets_it(best):
    packed_at_last(best, SCRIPT)
    assert answer(SCRIPT, accepts=b"gzip, deflate, broth")[0][b"content-encoding"] == b"gzip"
    assert answer(SCRIPT, accepts=b"gzip, br; q=0")[0][b"content-encoding"] == b"gzip"
    assert b"content-encoding" not in answer(SCRIPT, accepts=b"gzip;q=0.000, br")[0]
    told, body = answer(SCRIPT, accepts=b"br")
    assert (b"content-encoding" in told, told[b"vary"], body) == (False, b"Accept-Encoding", SCRIPT)


def test_what_gzip_has_packed_goes_out_as_it_is_and_then_as_the_script(best):
    path, content = "/app/static/plotly-1.min.js.gz", gzip.compress(SCRIPT)
    told, body = answer(content, path)
    assert (b"content-encoding" in told, body) == (False, content)
    packed_at_last(best, content)
    told, body = answer(content, path)
    assert told[b"content-encoding"] == b"br"
    assert unpacked(body, len(SCRIPT)) == SCRIPT


def test_half_of_a_file_does_not_end_the_packing(best):
    half = gzip.compress(SCRIPT)[:40]
    assert best.find(half) is None
    assert packed_at_last(best, SCRIPT)
    assert best.find(half) is None


def test_another_file_of_the_same_name_is_another(best):
    """Unknown addresses are answered, too: nobody may make their answer that of a script."""
    packed_at_last(best, SCRIPT)
    told, body = answer(b"<html>" + b" " * 2000)
    assert told[b"content-encoding"] == b"gzip"
    assert gzip.decompress(body).startswith(b"<html>")


def test_so_many_contents_and_no_more_are_packed(best, monkeypatch):
    monkeypatch.setattr(module, "_MOST_FILES", 2)
    first, second, third = (bytes([at]) * 1000 for at in (65, 66, 67))
    assert packed_at_last(best, first)
    assert packed_at_last(best, second)
    assert best.find(third) is None
    time.sleep(0.2)
    assert best.find(third) is None


LASTING = {b"cache-control": b"public, immutable, max-age=31536000", b"etag": b'"1"'}


class Served:
    """A server of one content, whose answers are counted."""

    def __init__(self, content, headers):
        self.content, self.headers, self.count = content, headers, 0

    async def __call__(self, _scope, _receive, send):
        self.count += 1
        told = [*self.headers.items(), (b"content-length", b"%d" % len(self.content))]
        await send({"type": "http.response.start", "status": 200, "headers": told})
        await send({"type": "http.response.body", "body": self.content})

    def asked(self, path="/static/js/some.1a2b.js", method="GET", **headers):
        """Return the headers and the body of an answer."""
        told = {"accept-encoding": "gzip, br", "host": "one.example"} | headers
        pairs = [(name.replace("_", "-").encode(), text.encode()) for name, text in told.items()]
        scope = {"type": "http", "method": method, "path": path, "headers": pairs}
        start, body = answered(partial(Answers(self), scope, None))
        return dict(start["headers"]), body


@pytest.fixture
def kept(monkeypatch):
    kept = LastingAnswers()
    monkeypatch.setattr(module, "LASTING", kept)
    monkeypatch.setattr("dpviz.ui.answer_headers.LASTING", kept)
    return kept


@pytest.mark.usefixtures("kept")
def test_a_lasting_file_is_read_once_and_packed_better_later(best):
    served = Served(SCRIPT, LASTING)
    for _ in range(2):
        assert served.asked()[0][b"content-encoding"] in (b"gzip", b"br")
    packed = packed_at_last(best, SCRIPT)
    first, served.content = served.asked(), b"another"
    assert (first[0][b"content-encoding"], first[1]) == (b"br", packed)
    for host in ("one.example", "two.example"):
        told, body = served.asked(host=host)
        assert body == packed
        assert f"ws://{host} ".encode() in told[b"content-security-policy"]
        assert {name: told[name] for name in first[0] if b"policy" not in name} == {
            name: first[0][name] for name in first[0] if b"policy" not in name
        }
    assert served.count == 1


@pytest.mark.usefixtures("best", "kept")
@pytest.mark.parametrize(
    "other",
    [
        {"path": "/static/js/other.1a2b.js"},
        {"method": "HEAD"},
        {"accept_encoding": "identity"},
        {"range": "bytes=0-9"},
        {"if_none_match": '"1"'},
    ],
)
def test_who_asks_for_anything_else_is_answered_anew(other):
    served = Served(SCRIPT, LASTING)
    served.asked(accept_encoding="gzip")
    assert served.asked(accept_encoding="gzip")[0][b"content-encoding"] == b"gzip"
    assert served.count == 1
    served.asked(**{"accept_encoding": "gzip"} | other)
    assert served.count == 2


@pytest.mark.usefixtures("best", "kept")
@pytest.mark.parametrize(
    "headers", [{}, {b"cache-control": b"no-cache"}, LASTING | {b"Set-Cookie": b"a=b"}]
)
def test_what_may_change_is_not_kept(headers):
    served = Served(SCRIPT, headers)
    for _ in range(2):
        served.asked(accept_encoding="gzip")
    assert served.count == 2


@pytest.mark.usefixtures("best", "kept")
def test_who_packs_itself_is_not_kept():
    served = Served(gzip.compress(SCRIPT), LASTING | {b"content-encoding": b"gzip"})
    for _ in range(2):
        served.asked()
    assert served.count == 2


@pytest.mark.usefixtures("best", "kept")
def test_only_so_much_is_kept_and_the_oldest_goes(monkeypatch):
    small = LastingAnswers(most_bytes=5_000)
    monkeypatch.setattr(module, "LASTING", small)
    monkeypatch.setattr("dpviz.ui.answer_headers.LASTING", small)
    served = Served(b"font" * 250, LASTING)

    def is_read_at(path):
        before = served.count
        served.asked(path)
        return served.count > before

    for path in ("/a.woff2", "/b.woff2"):
        assert [is_read_at(path) for _ in range(2)] == [True, False]
    assert is_read_at("/c.woff2")
    assert [is_read_at(f"/{name}.woff2") for name in "bca"] == [False, False, True]
    # A long address of the same file takes the room of others, and one that is longer none.
    long = f"/{'./' * 1000}a.woff2"
    assert [is_read_at(path) for path in (long, long, "/c.woff2")] == [True, False, True]
    assert [is_read_at(f"/{'./' * 4000}a.woff2") for _ in range(2)] == [True, True]


@pytest.mark.usefixtures("kept")
def test_who_may_answer_otherwise_is_named_once(best):
    packed_at_last(best, SCRIPT)
    served = Served(SCRIPT, LASTING | {b"vary": b"Origin"})
    assert served.asked(accept_encoding="GZIP, Br")[0][b"vary"] == b"Origin, Accept-Encoding"
    assert served.asked(accept_encoding="identity")[0][b"vary"] == b"Origin, Accept-Encoding"
