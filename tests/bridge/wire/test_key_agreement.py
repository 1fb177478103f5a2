"""The agreement on a new key: the same at both ends, bound to all that was said, and not to be steered by a program between them."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from tabwire.wire import key_agreement, pairing
from tabwire.wire.key_agreement import PairingTranscript
from tabwire.wire.messages import HANDSHAKE_LIMIT
from tabwire.wire.pairing_session import PairingSession
from tabwire.wire.session import Refused

VECTORS = json.loads(Path(__file__).with_name("key_agreement.json").read_text())
EXTENSION = "abcdefghijklmnop" * 2
PORT = 17893


def private_key(jwk: dict[str, str]) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(pairing.decode(jwk["d"]), "big"), ec.SECP256R1())


@pytest.mark.parametrize("vector", VECTORS)
def test_both_ends_reckon_alike(vector: dict[str, Any]) -> None:
    """The extension is held against the same file in tests/extension/background/wire/test_key_agreement.py."""
    transcript = PairingTranscript(**vector["transcript"])
    own = private_key(vector["server_key"])
    assert key_agreement.public_key_of(own) == transcript.server_key
    parts = transcript.port, transcript.server_id, transcript.server_key, transcript.server_nonce
    assert key_agreement.commitment_to(*parts) == vector["commitment"]
    assert key_agreement.code_of(transcript) == vector["code"]
    agreed = key_agreement.agree(own, transcript.extension_key, transcript)
    assert agreed == key_agreement.agree(private_key(vector["extension_key"]), transcript.server_key, transcript)
    assert pairing.encode(agreed.key) == vector["key"] and pairing.key_id(agreed.key) == vector["key_id"]
    assert (agreed.proof("server"), agreed.proof("extension")) == (vector["server_proof"], vector["extension_proof"])


def test_the_key_is_derived_as_hkdf_says() -> None:
    vector = VECTORS[0]
    transcript = PairingTranscript(**vector["transcript"])
    shared = private_key(vector["extension_key"]).exchange(ec.ECDH(), private_key(vector["server_key"]).public_key())
    derived = HKDF(hashes.SHA256(), 32, transcript.digest(), b"tabwire-pair1\nkey").derive(shared)
    assert pairing.encode(derived) == vector["key"]


def test_whatever_was_said_otherwise_makes_another_code_and_another_key() -> None:
    vector = VECTORS[0]
    transcript, own = PairingTranscript(**vector["transcript"]), private_key(vector["server_key"])
    other_key = VECTORS[1]["transcript"]["extension_key"]
    changes: list[dict[str, Any]] = [
        {"extension_id": "p" * 32},
        {"port": 17891},
        {"server_id": "other"},
        {"server_key": other_key},
        {"server_nonce": pairing.encode(b"x" * 32)},
        {"extension_key": other_key},
        {"extension_nonce": pairing.encode(b"x" * 32)},
    ]
    others = [dataclasses.replace(transcript, **change) for change in changes]
    assert len({key_agreement.code_of(other) for other in [transcript, *others]}) == len(changes) + 1
    assert (
        len({key_agreement.agree(own, transcript.extension_key, other).key for other in [transcript, *others]})
        == len(changes) + 1
    )


class Extension:
    """The other end of a session, which may be a program between the two."""

    def __init__(self, session: PairingSession) -> None:
        self.session = session
        self.own = key_agreement.new_private_key()
        self.offer = json.loads(session.offer())
        self.request = {
            "type": "pairing_request",
            "version": 1,
            "extension_id": EXTENSION,
            "public_key": key_agreement.public_key_of(self.own),
            "nonce": key_agreement.new_nonce(),
        }

    def ask(self, **change: Any) -> dict[str, Any]:
        self.request |= change
        self.reveal = json.loads(self.session.advance(json.dumps(self.request)) or "")
        return self.reveal

    def transcript(self, port: int = PORT) -> PairingTranscript:
        said = self.offer["server_id"], self.reveal["public_key"], self.reveal["nonce"]
        return PairingTranscript(EXTENSION, port, *said, self.request["public_key"], self.request["nonce"])


def session(port: int = PORT) -> PairingSession:
    return PairingSession(port=port, server_id="5e", extension_id=EXTENSION)


def refused(session: PairingSession, frame: str | bytes, reason: str) -> None:
    with pytest.raises(Refused) as caught:
        session.advance(frame)
    assert caught.value.reason == reason
    with pytest.raises(Refused, match="no exchange"):
        session.advance(frame)


def test_the_bridge_keeps_to_what_it_has_bound_itself_to_and_shows_the_code_of_the_extension() -> None:
    bridge = session()
    extension = Extension(bridge)
    reveal = extension.ask()
    parts = PORT, extension.offer["server_id"], reveal["public_key"], reveal["nonce"]
    assert key_agreement.commitment_to(*parts) == extension.offer["commitment"]
    assert bridge.code == key_agreement.code_of(extension.transcript())


def test_the_code_of_a_program_between_the_two_is_another_at_either_end() -> None:
    """It has a key and a nonce of its own in each direction: neither is what the other end has seen."""
    for _ in range(20):
        bridge = session()
        between = Extension(bridge)
        between.ask()
        towards_extension = session(PORT + 1)
        extension = Extension(towards_extension)
        extension.ask()
        assert bridge.code != towards_extension.code


def test_a_relayed_exchange_has_another_code_although_no_key_was_changed() -> None:
    bridge = session()
    extension = Extension(bridge)
    extension.ask()
    assert bridge.code != key_agreement.code_of(extension.transcript(port=PORT + 1))


def test_every_exchange_has_a_key_a_nonce_and_a_commitment_of_its_own() -> None:
    assert len({Extension(session()).offer["commitment"] for _ in range(10)}) == 10


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"extension_id": "p" * 32}, "wrong_extension"),
        ({"version": 2}, "unsupported_version"),
        ({"public_key": pairing.encode(b"\x04" + b"\x01" * 64)}, "malformed"),
        ({"public_key": "A" * 86}, "malformed"),
        ({"nonce": ""}, "malformed"),
        ({"type": "hello"}, "malformed"),
        ({"nonce": "A" * HANDSHAKE_LIMIT}, "malformed"),
    ],
)
def test_a_request_that_is_none_ends_the_exchange(change: dict[str, Any], reason: str) -> None:
    bridge = session()
    refused(bridge, json.dumps(Extension(bridge).request | change), reason)


def test_an_answer_without_the_right_proof_ends_the_exchange() -> None:
    for answer, reason in (
        ({"allowed": True, "mac": pairing.encode(b"x" * 32)}, "wrong_mac"),
        ({"allowed": True}, "malformed"),
        ({"allowed": 1}, "malformed"),
        ({}, "malformed"),
        ({"allowed": False}, "not_allowed"),
    ):
        bridge = session()
        Extension(bridge).ask()
        assert bridge.advance('{"type":"ping"}') is None
        refused(bridge, json.dumps({"type": "pairing_answer", **answer}), reason)


def test_the_bridges_own_proof_sent_back_is_no_answer() -> None:
    bridge = session()
    Extension(bridge).ask()
    assert bridge.agreed is not None
    own = bridge.agreed.proof("server")
    refused(bridge, json.dumps({"type": "pairing_answer", "allowed": True, "mac": own}), "wrong_mac")
