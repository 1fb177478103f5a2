"""The handshake from the bridge's side, and who is turned away."""

import dataclasses
import json
from typing import Any

import pytest

from tabwire.wire import pairing
from tabwire.wire.messages import Browser, Event, Ping, Ready, Success
from tabwire.wire.pairing import Transcript
from tabwire.wire.session import CLOSE_CODES, Refused, ServerSession, State

KEY = bytes(range(32))
EXTENSION = "abcdefghijklmnopabcdefghijklmnop"
PORT = 17893
NONCE = pairing.encode(b"e" * 32)


class Extension:
    """The other end: answers a challenge as the extension would, or with one thing wrong."""

    def __init__(self, key: bytes = KEY, port: int = PORT) -> None:
        self.key = key
        self.port = port

    def hello(self, **change: Any) -> str:
        fields = {"type": "hello", "version": 1, "key_id": pairing.key_id(self.key), "extension_id": EXTENSION, "nonce": NONCE}
        return json.dumps({**fields, **change})

    def transcript(self, challenge: dict[str, Any]) -> Transcript:
        return Transcript(pairing.key_id(self.key), EXTENSION, self.port, challenge["server_id"], NONCE, challenge["nonce"])

    def auth(self, challenge: dict[str, Any], **change: Any) -> str:
        fields = {
            "type": "auth",
            "mac": pairing.mac(self.key, "extension", self.transcript(challenge)),
            "browser": {"id": "b1", "name": "Work", "user_agent": "UA"},
            "extension_version": "0.1.0",
            "protocol": 1,
            "capabilities": ["input"],
        }
        return json.dumps({**fields, **change})


def make_session(keys: dict[str, bytes] | None = None) -> ServerSession:
    known = {pairing.key_id(KEY): KEY} if keys is None else keys
    return ServerSession(
        port=PORT,
        server_id="5e",
        extension_id=EXTENSION,
        find_key=known.get,
        ready=lambda: Ready("client", "1", "0.1.0", "auto", False),
    )


def challenged(session: ServerSession, extension: Extension) -> dict[str, Any]:
    challenge: dict[str, Any] = json.loads(session.advance(extension.hello()))
    return challenge


def ready_session() -> ServerSession:
    session, extension = make_session(), Extension()
    session.advance(extension.auth(challenged(session, extension)))
    return session


def assert_refused(session: ServerSession, frame: str | bytes, reason: str) -> None:
    with pytest.raises(Refused) as caught:
        session.advance(frame)
    assert (caught.value.reason, caught.value.code) == (reason, CLOSE_CODES[reason])
    assert session.state is State.CLOSED
    assert session.browser is None


def test_both_ends_prove_themselves_and_the_browser_is_in() -> None:
    session, extension = make_session(), Extension()
    challenge = challenged(session, extension)
    assert challenge["type"] == "challenge"
    assert pairing.verify(KEY, "server", extension.transcript(challenge), challenge["mac"])
    ready = json.loads(session.advance(extension.auth(challenge)))
    assert ready["type"] == "ready"
    assert session.state is State.READY
    assert session.browser == Browser("b1", "Work", "UA", "", "0.1.0", ("input",))


def test_an_unknown_key_is_refused() -> None:
    assert_refused(make_session(keys={}), Extension().hello(), "unknown_key")


def test_another_extension_is_refused() -> None:
    assert_refused(make_session(), Extension().hello(extension_id="p" * 32), "wrong_extension")


def test_another_version_is_refused_in_either_frame() -> None:
    assert_refused(make_session(), Extension().hello(version=2), "unsupported_version")
    session, extension = make_session(), Extension()
    assert_refused(session, extension.auth(challenged(session, extension), protocol=2), "unsupported_version")


def test_a_wrong_key_under_a_known_id_is_refused() -> None:
    session, impostor = make_session(), Extension()
    challenge = challenged(session, impostor)
    proof = pairing.mac(b"k" * 32, "extension", impostor.transcript(challenge))
    assert_refused(session, impostor.auth(challenge, mac=proof), "wrong_mac")


def test_our_own_proof_sent_back_is_refused() -> None:
    session, extension = make_session(), Extension()
    challenge = challenged(session, extension)
    assert_refused(session, extension.auth(challenge, mac=challenge["mac"]), "wrong_mac")


def test_a_proof_of_an_earlier_connection_is_refused() -> None:
    extension = Extension()
    first, second = make_session(), make_session()
    recorded = extension.auth(challenged(first, extension))
    first.advance(recorded)
    challenged(second, extension)
    assert_refused(second, recorded, "wrong_mac")


def test_a_proof_relayed_from_another_port_is_refused() -> None:
    session, extension = make_session(), Extension(port=PORT + 1)
    assert_refused(session, extension.auth(challenged(session, extension)), "wrong_mac")


def test_a_proof_for_another_bridge_is_refused() -> None:
    session, extension = make_session(), Extension()
    challenge = challenged(session, extension)
    other = dataclasses.replace(extension.transcript(challenge), server_id="other")
    assert_refused(session, extension.auth(challenge, mac=pairing.mac(KEY, "extension", other)), "wrong_mac")


@pytest.mark.parametrize(
    "frame",
    [
        '{"type":"success","id":1,"result":{}}',
        '{"type":"event","method":"m"}',
        '{"type":"ping","n":1}',
        '{"id":1,"method":"tabs.list"}',
        "not json",
        b"\x00",
        "x" * 20_000,
        Extension().auth({"server_id": "5e", "nonce": NONCE}),
    ],
)
def test_anything_but_a_hello_is_refused_before_one(frame: str | bytes) -> None:
    assert_refused(make_session(), frame, "malformed")


def test_anything_but_an_auth_is_refused_after_the_challenge() -> None:
    for frame in (Extension().hello(), '{"type":"success","id":1,"result":{}}', "{}"):
        session = make_session()
        challenged(session, Extension())
        assert_refused(session, frame, "malformed")


def test_messages_are_not_read_before_the_browser_is_in() -> None:
    session = make_session()
    for _ in ("before the hello", "after the challenge"):
        with pytest.raises(Refused, match="not authenticated"):
            session.receive('{"type":"success","id":1,"result":{}}')
        if session.state is State.HELLO:
            challenged(session, Extension())


def test_a_refused_session_stays_refused() -> None:
    session = make_session()
    assert_refused(session, "{}", "malformed")
    assert_refused(session, Extension().hello(), "malformed")


def test_there_is_no_second_handshake() -> None:
    session = ready_session()
    with pytest.raises(Refused):
        session.advance(Extension().hello())
    assert session.state is State.CLOSED


def test_every_challenge_is_a_new_one() -> None:
    nonces = {challenged(make_session(), Extension())["nonce"] for _ in range(10)}
    assert len(nonces) == 10


def test_messages_are_read_once_the_browser_is_in() -> None:
    session = ready_session()
    frames = [
        '{"type":"success","id":1,"result":{}}',
        '{"type":"event","method":"m"}',
        '{"type":"ping","n":1}',
        '{"type":"later"}',
    ]
    assert [session.receive(frame) for frame in frames] == [Success(1, {}), Event("m"), Ping(1), None]


def test_a_malformed_message_ends_a_session_that_was_in() -> None:
    session = ready_session()
    with pytest.raises(Refused) as caught:
        session.receive("{")
    assert caught.value.code == CLOSE_CODES["malformed"]
    assert session.state is State.CLOSED
