"""nginx with the very configuration that docs/deploy.md offers, for tests."""

import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from tests.browser.server import REPOSITORY, free_port

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
OPENSSL = shutil.which("openssl")
SKIP_REASON = "" if NGINX and OPENSSL else "needs nginx and openssl: apt-get install nginx-light"
CONFIGURATION = REPOSITORY / "deploy" / "nginx.conf"
NAME = "dpviz.example.org"
START_SECONDS = 20
_SERVERS = re.compile(r"    server 127\.0\.0\.1:8501;\n.*\n")
_MAIN = """daemon off;
pid {folder}/nginx.pid;
worker_processes 1;
events {{ worker_connections 2048; }}
http {{
    include /etc/nginx/mime.types;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/dpviz.conf;
}}
"""


@dataclass(frozen=True)
class Nginx:
    """A running nginx: where it answers by https and by http, and where it writes."""

    url: str
    plain_url: str
    folder: Path

    def log(self) -> str:
        return (self.folder / "dpviz.log").read_text()


@contextmanager
def running_nginx(
    folder: Path, *apps: str, base_path: str = "", changes: dict[str, str] | None = None
) -> Iterator[Nginx]:
    """Serve an app through nginx, under the name localhost and with a certificate of its own.

    Args:
        folder: for its files.
        apps: the addresses of the app's servers.
        base_path: the path below which both serve, such as ``dpviz``.
        changes: what an operator writes into the configuration, by what stands there.

    Raises:
        RuntimeError: It does not answer in time, with what it says.
    """
    secure, plain = free_port(), free_port()
    _certificate(folder)
    text = CONFIGURATION.read_text(encoding="utf-8")
    for before, after in (changes or {}).items():
        assert before in text
        text = text.replace(before, after)
    text = text.replace(f"server_name {NAME}", "server_name localhost")
    text = text.replace(f"/etc/letsencrypt/live/{NAME}", str(folder))
    text = text.replace(NAME, f"localhost:{secure}").replace("/var/log/nginx", str(folder))
    text = text.replace("listen 443", f"listen 127.0.0.1:{secure}")
    text = text.replace("listen 80", f"listen 127.0.0.1:{plain}")
    servers = "".join(f"    server {urlsplit(app).netloc};\n" for app in apps)
    text, count = _SERVERS.subn(servers, text)
    assert count == 1, "the list of servers is written differently"
    if base_path:
        text = re.sub(r"(location (?:= |\^~ )?)/", rf"\1/{base_path}/", text)
    (folder / "dpviz.conf").write_text(text, encoding="utf-8")
    (folder / "main.conf").write_text(_MAIN.format(folder=folder), encoding="utf-8")
    errors = folder / "error.log"
    arguments = [str(NGINX), "-p", str(folder), "-e", str(errors), "-c", str(folder / "main.conf")]
    process = subprocess.Popen(arguments)
    path = f"{base_path}/" if base_path else ""
    try:
        end = time.monotonic() + START_SECONDS
        while not _is_open(secure):
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"nginx does not serve:\n{errors.read_text()}")
            time.sleep(0.1)
        yield Nginx(f"https://localhost:{secure}/{path}", f"http://localhost:{plain}/", folder)
    finally:
        process.terminate()
        process.wait(timeout=20)


def _certificate(folder: Path) -> None:
    subprocess.run(
        [
            *(str(OPENSSL), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
            *("-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")),
        ],
        check=True,
        capture_output=True,
    )


def _is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
