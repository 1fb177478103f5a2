"""The certificates that a listener on the network shows: given ones, and one of our own."""

import hashlib
import re
import stat
import subprocess
from base64 import b64decode, b64encode
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography import x509

from bridge.certificate import write_certificate
from tabwire.errors import InvalidArgument, TabwireError, UnsupportedOperation
from tabwire.wire import tls

HOST = "192.0.2.7"


def shown(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def test_one_of_our_own_is_made_once_and_private(tmp_path: Path) -> None:
    first = tls.own(tmp_path / "home", HOST)
    path = tmp_path / "home" / tls.FILE
    made = path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert tls.own(tmp_path / "home", HOST).spki == first.spki
    assert path.read_text() == made
    assert [entry.name for entry in path.parent.iterdir()] == [tls.FILE]
    names = shown(path).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert [str(name) for name in names.get_values_for_type(x509.IPAddress)] == [HOST]


def test_every_home_has_a_key_of_its_own(tmp_path: Path) -> None:
    assert tls.own(tmp_path / "a", HOST).spki != tls.own(tmp_path / "b", HOST).spki


@pytest.mark.parametrize("host", ["build-7.example.org", "2001:db8::7"])
def test_for_another_host_it_is_made_out_again_with_the_same_key(tmp_path: Path, host: str) -> None:
    first = tls.own(tmp_path, HOST)
    assert tls.own(tmp_path, host).spki == first.spki
    names = shown(tmp_path / tls.FILE).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert [str(name.value) for name in names] == [host]
    assert stat.S_IMODE((tmp_path / tls.FILE).stat().st_mode) == 0o600


def test_before_it_expires_it_is_renewed_with_the_same_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(tls, "VALID", tls.RENEW)
        first = tls.own(tmp_path, HOST)
    before = shown(tmp_path / tls.FILE)
    assert tls.own(tmp_path, HOST).spki == first.spki
    after = shown(tmp_path / tls.FILE)
    assert after.not_valid_after_utc > before.not_valid_after_utc + timedelta(days=365)
    assert after.serial_number != before.serial_number


def test_bridges_that_start_together_show_the_same_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as bridges:
        found = list(bridges.map(lambda n: tls.own(tmp_path, f"192.0.2.{n % 2}").spki, range(16)))
    assert len(set(found)) == 1
    assert [entry.name for entry in tmp_path.iterdir()] == [tls.FILE]


@pytest.mark.parametrize("text", ["", "nothing", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
def test_a_broken_file_of_our_own_is_not_replaced_unasked(tmp_path: Path, text: str) -> None:
    path = tmp_path / tls.FILE
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(UnsupportedOperation, match=re.escape(str(path))) as caught:
        tls.own(tmp_path, HOST)
    assert "Move it away" in str(caught.value)
    assert path.read_text() == text


def test_a_key_that_others_may_read_is_not_used(tmp_path: Path) -> None:
    tls.own(tmp_path, HOST)
    (tmp_path / tls.FILE).chmod(0o644)
    with pytest.raises(UnsupportedOperation, match="other users"):
        tls.own(tmp_path, HOST)


def test_the_fingerprint_is_that_of_the_public_key(tmp_path: Path) -> None:
    certificate, key = write_certificate(tmp_path, HOST)
    public = ["openssl", "x509", "-in", str(certificate), "-pubkey", "-noout"]
    pem = subprocess.run(public, capture_output=True, text=True, timeout=30, check=True).stdout
    der = b64decode("".join(line for line in pem.splitlines() if "PUBLIC KEY" not in line))
    assert tls.given(certificate, key).spki == b64encode(hashlib.sha256(der).digest()).decode()


def test_certificate_and_key_may_be_in_one_file(tmp_path: Path) -> None:
    certificate, key = write_certificate(tmp_path, HOST)
    both = tmp_path / "both.pem"
    both.write_text(key.read_text() + certificate.read_text())
    both.chmod(0o640)
    assert tls.given(both, None).spki == tls.given(certificate, key).spki


def expired(folder: Path) -> tuple[Path, Path | None]:
    return write_certificate(folder, HOST, days=0.5)


def of_another_key(folder: Path) -> tuple[Path, Path | None]:
    return write_certificate(folder, HOST)[0], write_certificate(folder / "other", HOST)[1]


def with_a_passphrase(folder: Path) -> tuple[Path, Path | None]:
    return write_certificate(folder, HOST, passphrase=b"secret")


def without_a_key(folder: Path) -> tuple[Path, Path | None]:
    certificate, _ = write_certificate(folder, HOST)
    certificate.chmod(0o600)
    return certificate, None


def key_for_everybody(folder: Path) -> tuple[Path, Path | None]:
    certificate, key = write_certificate(folder, HOST)
    key.chmod(0o644)
    return certificate, key


def missing(folder: Path) -> tuple[Path, Path | None]:
    return folder / "nothing.pem", None


def in_der(folder: Path) -> tuple[Path, Path | None]:
    certificate, key = write_certificate(folder, HOST)
    certificate.write_bytes(b"\x30\x82\xff\xfe")
    return certificate, key


def swapped(folder: Path) -> tuple[Path, Path | None]:
    certificate, key = write_certificate(folder, HOST)
    return key, certificate


UNUSABLE = {
    expired: r"expired on \d{4}-\d\d-\d\d",
    of_another_key: "cannot be used for TLS",
    with_a_passphrase: "without passphrase",
    without_a_key: "cannot be used for TLS",
    key_for_everybody: "chmod 600",
    missing: "cannot be read: No such file",
    in_der: "it is not PEM",
    swapped: "holds no certificate",
}


@pytest.mark.parametrize("make", UNUSABLE, ids=lambda make: make.__name__)
def test_one_that_cannot_be_used_is_refused_with_the_reason(make: object, tmp_path: Path) -> None:
    assert callable(make)
    certificate, key = make(tmp_path)
    with pytest.raises(InvalidArgument, match=UNUSABLE[make]) as caught:
        tls.given(certificate, key)
    assert isinstance(caught.value, TabwireError)
    assert "PRIVATE" not in str(caught.value)
