"""The server's settings, as they are in force where the app is started as README says."""

import json
import os
import re
import subprocess
import sys
import tomllib

import pytest
from streamlit import config

from tests.browser.server import REPOSITORY

EXPECTED = {
    # Pages of others may neither open a connection nor hand in a file in a visitor's name.
    "server.enableCORS": True,
    "server.corsAllowedOrigins": [],
    "server.enableXsrfProtection": True,
    "server.xsrfCookieSameSite": "lax",
    # What one visitor can make the server hold, in megabytes and seconds.
    "server.maxUploadSize": 100,
    "server.maxMessageSize": 10,
    "server.maxWidgetStateSize": 1,
    "server.disconnectedSessionTTL": 120,
    # Nobody but browsers, no other way in.
    "server.enableAgentApi": False,
    "server.enableStaticServing": False,
    "server.fileWatcherType": "none",
    "server.trustedUserHeaders": {},
    # Nothing about the server's inside, nothing to others.
    "client.showErrorDetails": "none",
    "client.toolbarMode": "viewer",
    "browser.gatherUsageStats": False,
    "global.developmentMode": False,
}
PROGRAM = """
import json, sys
from streamlit import config
from streamlit.web import bootstrap
bootstrap.load_config_options({})
print(json.dumps({name: config.get_option(name) for name in sys.argv[1:]}))
"""


@pytest.fixture(scope="module")
def in_force():
    """Return what Streamlit makes of the repository's settings, without anybody's environment."""
    environment = {n: v for n, v in os.environ.items() if not n.startswith("STREAMLIT_")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *EXPECTED],
        cwd=REPOSITORY,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("option", EXPECTED)
def test_setting_is_in_force(in_force, option):
    assert in_force[option] == EXPECTED[option]


def test_app_is_started_with_the_settings_of_the_repository():
    """`make app` overrides nothing, and nothing that is shipped overrides it."""
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    assert re.findall(r"streamlit run.*", makefile) == ["streamlit run app.py"]
    assert "STREAMLIT_" not in makefile
    assert not (REPOSITORY / ".streamlit" / "secrets.toml").exists()


def test_every_setting_that_is_shipped_is_one_that_streamlit_knows():
    text = (REPOSITORY / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    for section, options in tomllib.loads(text).items():
        if section != "theme":
            for name in options:
                config.get_option(f"{section}.{name}")
