"""Proofs: the same for both ends, different for anything that differs."""

import base64
import dataclasses
import hashlib
import hmac
import json
from pathlib import Path

import pytest

from tabwire.wire import pairing
from tabwire.wire.pairing import Transcript

KEY = bytes(range(32))
TRANSCRIPT = Transcript(
    key_id=pairing.key_id(KEY),
    extension_id="a" * 32,
    port=17890,
    server_id="0011223344556677",
    extension_nonce=pairing.encode(b"e" * 32),
    server_nonce=pairing.encode(b"s" * 32),
)


def test_a_proof_is_the_hmac_of_the_transcript_line_by_line() -> None:
    text = "\n".join(
        ["tabwire1", "extension", pairing.key_id(KEY), "a" * 32, "17890", "0011223344556677"]
        + [base64.urlsafe_b64encode(nonce * 32).decode().rstrip("=") for nonce in (b"e", b"s")]
    )
    expected = base64.urlsafe_b64encode(hmac.digest(KEY, text.encode(), "sha256")).decode().rstrip("=")
    assert pairing.mac(KEY, "extension", TRANSCRIPT) == expected
    assert pairing.verify(KEY, "extension", TRANSCRIPT, expected)


@pytest.mark.parametrize(
    "changed",
    [
        {"key_id": "f" * 16},
        {"extension_id": "b" * 32},
        {"port": 17891},
        {"server_id": "other"},
        {"extension_nonce": pairing.encode(b"x" * 32)},
        {"server_nonce": pairing.encode(b"x" * 32)},
    ],
)
def test_a_proof_holds_for_one_transcript_only(changed: dict[str, object]) -> None:
    other = dataclasses.replace(TRANSCRIPT, **changed)  # type: ignore[arg-type]
    assert not pairing.verify(KEY, "extension", other, pairing.mac(KEY, "extension", TRANSCRIPT))


def test_one_ends_proof_is_not_the_others() -> None:
    assert not pairing.verify(KEY, "extension", TRANSCRIPT, pairing.mac(KEY, "server", TRANSCRIPT))


def test_another_keys_proof_and_nonsense_are_refused() -> None:
    proof = pairing.mac(KEY, "server", TRANSCRIPT)
    for wrong in (pairing.mac(b"k" * 32, "server", TRANSCRIPT), "", proof + "=", proof[:-1], "é" * 43, "\ud800"):
        assert not pairing.verify(KEY, "server", TRANSCRIPT, wrong)


def test_a_key_is_named_by_the_beginning_of_its_hash() -> None:
    assert pairing.key_id(KEY) == hashlib.sha256(KEY).hexdigest()[:16]


@pytest.mark.parametrize("data", [b"", b"\xff", b"\xfb\xff", bytes(range(32))])
def test_base64url_without_padding_round_trips(data: bytes) -> None:
    text = pairing.encode(data)
    assert "=" not in text and "+" not in text and "/" not in text
    assert pairing.decode(text) == data


@pytest.mark.parametrize("text", ["A", "AA==", "+/+/", "a b", "AB", "é"])
def test_other_text_is_not_decoded(text: str) -> None:
    with pytest.raises(ValueError):
        pairing.decode(text)


def test_the_extension_id_follows_from_the_manifest_key(root: Path) -> None:
    manifest_key = json.loads((root / "manifest.json").read_text())["key"]
    identity = pairing.extension_id(manifest_key)
    digest = hashlib.sha256(base64.b64decode(manifest_key)).hexdigest()[:32]
    assert identity == "".join(chr(ord("a") + int(digit, 16)) for digit in digest)
