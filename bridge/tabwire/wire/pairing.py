"""Proof of the two ends to each other that they hold the same key, without sending it.

Both MACs cover one transcript. The role keeps one end's proof from being sent back as the other's; the port the browser dialled
keeps a program that squats one port from relaying to the bridge on another.
"""

import hashlib
import hmac
from base64 import b64decode, urlsafe_b64decode, urlsafe_b64encode
from dataclasses import astuple, dataclass
from typing import Literal

KEY_BYTES = 32
_LABEL = "tabwire1"
_HEX_TO_LETTER = str.maketrans("0123456789abcdef", "abcdefghijklmnop")

Role = Literal["server", "extension"]


@dataclass(frozen=True, slots=True)
class Transcript:
    """Fields of a handshake so far, as they were on the wire. Proofs cover them in this order."""

    key_id: str
    extension_id: str
    port: int
    server_id: str
    extension_nonce: str
    server_nonce: str


def encode(data: bytes) -> str:
    """Base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decode(text: str) -> bytes:
    """Bytes of base64url without padding.

    Raises:
        ValueError: The text is not base64url.
    """
    data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if encode(data) != text:
        raise ValueError("not base64url without padding")
    return data


def key_id(key: bytes) -> str:
    """The public name of a key: the first 16 hexadecimal digits of its SHA-256."""
    return hashlib.sha256(key).hexdigest()[:16]


def extension_id(manifest_key: str) -> str:
    """The id Chrome gives an extension whose manifest has this `key`."""
    digest = hashlib.sha256(b64decode(manifest_key, validate=True)).hexdigest()[:32]
    return digest.translate(_HEX_TO_LETTER)


def mac(key: bytes, role: Role, transcript: Transcript) -> str:
    """The proof of one end."""
    lines = (_LABEL, role, *map(str, astuple(transcript)))
    return encode(hmac.new(key, "\n".join(lines).encode("utf-8"), hashlib.sha256).digest())


def verify(key: bytes, role: Role, transcript: Transcript, proof: str) -> bool:
    """Whether a proof is the one that end would give, compared in constant time."""
    return hmac.compare_digest(mac(key, role, transcript).encode(), proof.encode("utf-8", "replace"))
