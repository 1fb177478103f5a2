"""TLS of a listener on the network: a certificate that was given, or one that is made once and kept.

A certificate of our own is signed by nobody. Launched browsers know the fingerprint of its public key, and that stays
when the certificate is renewed or made out to another host.
"""

from __future__ import annotations

import hashlib
import ipaddress
import os
import secrets
import ssl
from base64 import b64encode
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from tabwire.disk import plain_files, private_files
from tabwire.errors import InvalidArgument, UnsupportedOperation
from tabwire.wire.keys import write_private

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.x509 import Certificate

FILE = "listen.pem"
VALID = timedelta(days=825)
"""The longest that all systems accept from a certificate that was made trusted by hand."""
RENEW = timedelta(days=90)
"""A bridge may run for long on what it read at its start."""
CLOCKS = timedelta(days=1)
"""Time by which a browser's clock may be behind ours."""
_OTHERS_MAY_READ = 0o004


@dataclass(frozen=True, slots=True)
class Credentials:
    """Certificate that a listener shows to those who dial it."""

    context: ssl.SSLContext
    spki: str
    """Base64 SHA-256 of the public key, as `--ignore-certificate-errors-spki-list` takes it."""


def given(certificate: Path, private_key: Path | None) -> Credentials:
    """Credentials from PEM files.

    Args:
        certificate: The certificate, then those that lead to its root.
        private_key: Its key, without passphrase; None when the first file holds it as well.

    Raises:
        InvalidArgument: They cannot be used; the message says which and why.
    """
    certificate, key_file = certificate.expanduser(), (private_key or certificate).expanduser()
    shown = _certificate_in(_given_text(certificate), str(certificate))
    _given_text(key_file)
    if os.name == "posix" and key_file.stat().st_mode & _OTHERS_MAY_READ:
        raise InvalidArgument(f"The key in {key_file} may be read by everybody.", next_step=f"Run `chmod 600 {key_file}`.")
    if shown.not_valid_after_utc < datetime.now(UTC):
        raise InvalidArgument(
            f"The certificate in {certificate} expired on {shown.not_valid_after_utc:%Y-%m-%d}.",
            next_step="Renew it, or give another one with --tls-cert.",
        )
    try:
        return Credentials(_context(certificate, key_file), _spki(shown))
    except (ssl.SSLError, ValueError) as error:
        raise InvalidArgument(
            f"{certificate} and {key_file} cannot be used for TLS ({error}).",
            next_step="Give a certificate and its own private key, both in PEM, the key without passphrase.",
        ) from None


def own(home: Path, host: str) -> Credentials:
    """Credentials of our own making, kept in a private file below `home`.

    Raises:
        UnsupportedOperation: The file cannot be written, is broken, or others may read it.
    """
    path = home / FILE
    try:
        if not path.exists():
            _create(path, host)
        text = private_files.read(path)
        shown = _certificate_in(text, str(path))
        if not _is_good(shown, host):
            text = _issued(_key_in(text), host)
            write_private(path, text)
            shown = _certificate_in(text, str(path))
        # Another bridge may have renewed it meanwhile, for another host: with the same key.
        return Credentials(_context(path, path), _spki(shown))
    except (OSError, ValueError, InvalidArgument) as error:
        raise UnsupportedOperation(
            f"The certificate of this bridge in {path} cannot be used ({error}).",
            next_step="Move it away to get a new one.",
        ) from None


def _context(certificate: Path, private_key: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.set_alpn_protocols(["http/1.1"])
    # A key with a passphrase must fail: OpenSSL would ask for it on the terminal, where MCP is spoken.
    context.load_cert_chain(certificate, private_key, password=lambda: b"")
    return context


def _spki(certificate: Certificate) -> str:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    public = certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return b64encode(hashlib.sha256(public).digest()).decode()


def _given_text(path: Path) -> str:
    try:
        return plain_files.read_text(path)
    except (OSError, ValueError) as error:
        raise InvalidArgument(f"{path} cannot be read: {getattr(error, 'strerror', None) or 'it is not PEM'}.") from None


def _certificate_in(text: str, place: str) -> Certificate:
    from cryptography.x509 import load_pem_x509_certificate

    try:
        return load_pem_x509_certificate(text.encode())
    except ValueError:
        raise InvalidArgument(f"{place} holds no certificate in PEM.", next_step="Give one with --tls-cert.") from None


def _key_in(text: str) -> EllipticCurvePrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    key = load_pem_private_key(text.encode(), None)
    if not isinstance(key, EllipticCurvePrivateKey):
        raise ValueError("its key is of another kind")
    return key


def _is_good(certificate: Certificate, host: str) -> bool:
    from cryptography import x509

    now = datetime.now(UTC)
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return False
    return _name(host) in names and certificate.not_valid_before_utc <= now < certificate.not_valid_after_utc - RENEW


def _name(host: str) -> x509.GeneralName:
    from cryptography import x509

    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _create(path: Path, host: str) -> None:
    """Make the file, unless another bridge is faster: all must show the same key."""
    from cryptography.hazmat.primitives.asymmetric import ec

    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    write_private(draft, _issued(ec.generate_private_key(ec.SECP256R1()), host))
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink(missing_ok=True)


def _issued(key: EllipticCurvePrivateKey, host: str) -> str:
    """A key and a certificate for it, in PEM."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Tabwire")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCKS)
        .not_valid_after(now - CLOCKS + VALID)
        .add_extension(x509.SubjectAlternativeName([_name(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return (secret + certificate.public_bytes(Encoding.PEM)).decode()
