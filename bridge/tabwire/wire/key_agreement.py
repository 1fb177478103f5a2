"""Agreement on a new key by two ends that share nothing yet, and the short code that a person compares at both.

The steps are those of numeric comparison (Bluetooth Core Specification, "Numeric Comparison"): the bridge commits itself to its
public key and nonce before it sees those of the extension, which sends its own before it sees the bridge's. So nobody, a program
between the two included, can choose what makes the code: a try fits by chance in one of a million cases.

The curve is P-256, which WebCrypto has in every Chrome that can load the extension; X25519 came with Chrome 133.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import astuple, dataclass, field
from typing import TYPE_CHECKING

from tabwire.wire.pairing import KEY_BYTES, Role, decode, encode

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

CODE_DIGITS = 6
_LABEL = "tabwire-pair1"


@dataclass(frozen=True, slots=True)
class PairingTranscript:
    """All that was said before the code, as it was on the wire and in this order. Public keys are uncompressed points."""

    extension_id: str
    port: int
    server_id: str
    server_key: str
    server_nonce: str
    extension_key: str
    extension_nonce: str

    def digest(self) -> bytes:
        """SHA-256 of it."""
        return _digest("transcript", *map(str, astuple(self)))


@dataclass(frozen=True, slots=True)
class Agreed:
    """The secrets that both ends have derived."""

    key: bytes = field(repr=False)
    """The pairing key."""
    confirmation: bytes = field(repr=False)
    """The key of the proofs that the person has allowed it."""

    def proof(self, role: Role) -> str:
        """Proof of an end that it has derived the same secrets."""
        return encode(hmac.digest(self.confirmation, f"{_LABEL}\n{role}\nallowed".encode(), "sha256"))

    def is_proof(self, role: Role, proof: str) -> bool:
        """Whether a proof is that of this end, compared in constant time."""
        return hmac.compare_digest(self.proof(role).encode(), proof.encode("utf-8", "replace"))


def new_nonce() -> str:
    """Fresh random bytes."""
    return encode(secrets.token_bytes(KEY_BYTES))


def new_private_key() -> EllipticCurvePrivateKey:
    """A key for one exchange."""
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.generate_private_key(ec.SECP256R1())


def public_key_of(private_key: EllipticCurvePrivateKey) -> str:
    """The public key as it travels."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return encode(private_key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def commitment_to(port: int, server_id: str, server_key: str, server_nonce: str) -> str:
    """The text by which a bridge binds itself to its key and nonce without telling them."""
    return encode(_digest("commitment", str(port), server_id, server_key, server_nonce))


def code_of(transcript: PairingTranscript) -> str:
    """The digits that a person compares."""
    number = int.from_bytes(hashlib.sha256(b"code\n" + transcript.digest()).digest()[:8], "big")
    return f"{number % 10**CODE_DIGITS:0{CODE_DIGITS}}"


def agree(private_key: EllipticCurvePrivateKey, other_key: str, transcript: PairingTranscript) -> Agreed:
    """The secrets of one end.

    Args:
        private_key: Its own.
        other_key: The public key of the other end, as the transcript has it.
        transcript: All that was said.

    Raises:
        ValueError: The other key is no point of the curve.
    """
    from cryptography.hazmat.primitives.asymmetric import ec

    other = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(other_key))
    shared = private_key.exchange(ec.ECDH(), other)
    return Agreed(_derived(shared, transcript, "key"), _derived(shared, transcript, "confirmation"))


def _derived(shared: bytes, transcript: PairingTranscript, purpose: str) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), KEY_BYTES, transcript.digest(), f"{_LABEL}\n{purpose}".encode()).derive(shared)


def _digest(*lines: str) -> bytes:
    return hashlib.sha256("\n".join((_LABEL, *lines)).encode()).digest()
