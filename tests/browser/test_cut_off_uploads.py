"""A connection that is cut while a file is sent: nothing is taken, lost or left behind."""

import socket
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

BOUNDARY = "a-boundary"
SECONDS = 30.0
SECONDS_TO_ARRIVE = 0.3
# Larger than what Streamlit's server keeps in memory by itself, 1 MB.
ROWS = 100_000


@pytest.fixture
def temporary_files(tmp_path, monkeypatch):
    """Return the folder for temporary files of servers that are started from now on."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


def send(request, content, *, length, look):
    """Send a browser's upload with this content, look, end the connection; return the answer."""
    address = urlsplit(request.url)
    wanted = ("cookie", "x-xsrftoken", "origin")
    kept = {name: text for name, text in request.all_headers().items() if name in wanted}
    headers = kept | {
        "host": address.netloc,
        "content-type": f"multipart/form-data; boundary={BOUNDARY}",
        "content-length": str(length),
        "connection": "close",
    }
    lines = [f"PUT {address.path} HTTP/1.1", *(f"{name}: {text}" for name, text in headers.items())]
    with socket.create_connection((address.hostname, address.port), timeout=SECONDS) as line:
        line.sendall("\r\n".join([*lines, "", ""]).encode() + content)
        time.sleep(SECONDS_TO_ARRIVE)
        look()
        line.shutdown(socket.SHUT_WR)
        answer = b""
        while part := line.recv(65536):
            answer += part
    return answer


def multipart(content):
    head = (
        f"--{BOUNDARY}\r\n"
        'Content-Disposition: form-data; name="file"; filename="mine.csv"\r\n'
        "Content-Type: text/csv\r\n\r\n"
    )
    return head.encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()


def open_files(process, folder):
    """Return what a process has open below a folder, also what has no name any more."""
    found = []
    for descriptor in Path(f"/proc/{process}/fd").glob("*"):
        try:
            found.append(str(descriptor.readlink()))
        except OSError:  # closed by now
            continue
    return [path for path in found if path.startswith(str(folder))]


@pytest.mark.slow
def test_upload_that_is_cut_off_leaves_everything_as_it_was(
    temporary_files, served, lasting_page, tmp_path
):
    """The page goes on with the state before; the next try works; no file was ever written."""
    server = served()
    visitor = lasting_page(server.url + "privacy_curve")
    visitor.unfold("Data and windows")
    before = (visitor.headline, visitor.url)
    table = tmp_path / "mine.csv"
    names = "abcd"
    rows = [f"{name},{t}" for name in names for t in range(ROWS // len(names))]
    table.write_text("\n".join(["series_id,value", *rows]))
    whole = multipart(table.read_bytes() * 3)
    assert len(whole) > 2**20
    answers: list[bytes] = []
    seen: list[str] = []

    def look():
        seen.extend(open_files(server.process.pid, temporary_files))

    def cut(route):
        # First less than was announced, then all of that but the end of the file.
        half = whole[: len(whole) // 2]
        for length in (len(whole), len(half)):
            answers.append(send(route.request, half, length=length, look=look))
        route.abort()

    visitor.route("**/_stcore/upload_file/**", cut)
    chooser = visitor.locator("[data-testid=stFileUploader] input")
    chooser.set_input_files(table)
    visitor.get_by_text("Network Error").wait_for(state="attached")
    assert not any(b" 204 " in answer for answer in answers)
    assert b" 400 " in answers[1]
    visitor.settle()
    assert (visitor.headline, visitor.url) == before
    assert seen == []
    assert list(temporary_files.iterdir()) == []

    visitor.unroute("**/_stcore/upload_file/**")
    chooser.set_input_files(table.rename(tmp_path / "again.csv"))
    visitor.get_by_text(f"N = 4 series of {ROWS // 4:,} values").first.wait_for()
    assert list(temporary_files.iterdir()) == []
