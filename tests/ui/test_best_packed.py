"""Files that brotli packs beside the visitors: as soon as they are, and never another's."""

import gzip
import time

import pyarrow
import pytest

from dpviz.ui import answer_headers
from dpviz.ui.answer_headers import BestPacked, packing
from tests.loops import run_apart
from tests.waiting import until

SCRIPT = b"export const at = [" + b"1, 2, 3, " * 500 + b"];"


@pytest.fixture
def best(monkeypatch):
    best = BestPacked()
    monkeypatch.setattr(answer_headers, "BEST_PACKED", best)
    return best


def packed_at_last(best, content):
    """Return a content packed, however busy the machine is."""
    until(lambda: best.find(content) is not None)
    return best.find(content)


def answer(content, path="/static/js/some.1a2b.js", accepts=b"gzip, deflate, br", etag=b'"1"'):
    """Return the headers and the body that a browser gets for a file."""
    sent = []

    async def send(message):
        sent.append(message)

    async def serve():
        scope = {"method": "GET", "path": path, "headers": [(b"accept-encoding", accepts)]}
        on = packing(scope, send)
        told = [(b"content-length", b"%d" % len(content)), (b"etag", etag)]
        await on({"type": "http.response.start", "status": 200, "headers": told})
        half = len(content) // 2
        await on({"type": "http.response.body", "body": content[:half], "more_body": True})
        await on({"type": "http.response.body", "body": content[half:]})

    run_apart(serve())
    start, *bodies = sent
    return dict(start["headers"]), b"".join(one["body"] for one in bodies)


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
    assert b"content-encoding" not in told
    assert body == SCRIPT


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
    monkeypatch.setattr(answer_headers, "_MOST_FILES", 2)
    first, second, third = (bytes([at]) * 1000 for at in (65, 66, 67))
    assert packed_at_last(best, first)
    assert packed_at_last(best, second)
    assert best.find(third) is None
    time.sleep(0.2)
    assert best.find(third) is None
