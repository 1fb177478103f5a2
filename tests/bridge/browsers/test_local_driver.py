"""The end of a chromedriver and its browser, awaited before another one takes their profile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from tabwire.browsers import local_driver
from tabwire.errors import SessionNotCreated

pytestmark = pytest.mark.skipif(os.name != "posix", reason="process groups")


def test_what_does_not_end_even_when_it_is_killed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_driver, "GONE_SECONDS", 0.1)
    # Nobody takes its exit code: to the system it is still there.
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True) as process:
        with pytest.raises(SessionNotCreated, match="do not end"):
            local_driver._wait_gone(process.pid)
        assert process.wait(30) == -signal.SIGKILL
        local_driver._wait_gone(process.pid)
