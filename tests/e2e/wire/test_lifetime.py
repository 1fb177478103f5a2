"""A bridge that runs as clients start it, as a process without an MCP client: what it writes, and when it ends."""

import subprocess
from pathlib import Path

from programs import command, environment


def test_a_server_writes_nothing_but_protocol_and_ends_at_once_when_its_client_is_gone(tmp_path: Path) -> None:
    # No MCP client: that would end it by a signal after two seconds.
    with subprocess.Popen(command("serve"), env=environment(tmp_path), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None and server.stdout is not None
        try:
            server.stdin.write(b'not json\n{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
            server.stdin.flush()
            answers = [server.stdout.readline() for _ in range(2)]
            assert b'"error"' in answers[0] and b'"result"' in answers[1]
            assert len(list((tmp_path / "run").glob("*.json"))) == 1
            server.stdin.close()
            assert server.wait(5) == 0
            written = b"".join(answers) + server.stdout.read()
        finally:
            server.kill()
    assert all(line.startswith(b"{") for line in written.splitlines())
    assert list((tmp_path / "run").glob("*.json")) == []
