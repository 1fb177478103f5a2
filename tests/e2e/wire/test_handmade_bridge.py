"""The bridge that tests make by hand leaves nothing behind, also where no browser comes."""

import json
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from e2e.ports import HOST, free_port
from e2e.wire import handmade_bridge
from tabwire.wire import pairing


def test_a_bridge_that_no_extension_joins_does_not_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    port = free_port()
    told = {"key": pairing.encode(bytes(32)), "ports": [port]}
    (tmp_path / "pairing.json").write_text(json.dumps(told))
    monkeypatch.setattr(handmade_bridge, "JOIN_LIMIT_S", 0.01)
    chromium: Any = SimpleNamespace(extension=tmp_path)
    with pytest.raises(AssertionError, match="the extension did not come"), handmade_bridge.Wire(chromium):
        pass
    # The port is free again.
    socket.create_server((HOST, port)).close()
