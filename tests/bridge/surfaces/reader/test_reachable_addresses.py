"""Which machines plain HTTP asks, and as whom."""

import datetime
import ipaddress
import socket
import ssl
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from bridge.misbehaving import Misbehaving
from tabwire.surfaces.reader.errors import FetchFailed
from tabwire.surfaces.reader.loading import exchange, resolving
from tabwire.surfaces.reader.loading.addresses import Zone, zone
from tabwire.surfaces.reader.loading.plain_http import HttpLoader
from tabwire.surfaces.reader.loading.policy import Policy

pytestmark = pytest.mark.anyio

PAGE = "<title>Page</title><p>Words of the page.</p>"


class Names:
    """A name service of the test's own, which notes what it was asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **answers: Sequence[str]) -> None:
        self.asked: list[str] = []
        self._answers = {name.replace("_", "."): answer for name, answer in answers.items()}
        monkeypatch.setattr(anyio, "getaddrinfo", self._look_up)

    async def _look_up(self, host: str, port: int, **_: Any) -> list[Any]:
        self.asked.append(host)
        if host not in self._answers:
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in self._answers[host]]


async def refusal(url: str, **policy: Any) -> FetchFailed:
    async with HttpLoader(Policy(attempts=1, **policy)) as loader:
        with pytest.raises(FetchFailed) as caught:
            await loader.load(url)
    return caught.value


async def test_a_name_that_leads_to_cloud_metadata_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    Names(monkeypatch, inner_example=["93.184.216.34", "169.254.169.254"])
    assert "link-local" in str(await refusal("http://inner.example/latest"))


async def test_a_name_that_leads_home_is_not_asked_where_only_the_internet_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    Names(monkeypatch, inner_example=["192.168.1.1"])
    assert "one of its networks" in str(await refusal("http://inner.example/", reach="public"))


async def test_a_name_that_leads_nowhere_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    Names(monkeypatch)
    assert "no.example leads to no machine" in str(await refusal("http://no.example/"))


async def test_a_redirect_from_the_internet_does_not_lead_home(monkeypatch: pytest.MonkeyPatch, site: Misbehaving) -> None:
    # What is far is made near here: no test asks the Internet.
    monkeypatch.setattr(resolving, "zone", lambda address: Zone.PUBLIC if address == "127.0.0.1" else zone(address))
    site.serve("/a", status=302, headers={"Location": f"http://127.0.0.2:{site.port}/b"})
    assert "redirects from the Internet to 127.0.0.2" in str(await refusal(site.url("/a")))
    assert site.paths() == ["/a"]
    site.serve("/c", f"<meta http-equiv=refresh content='0; url=http://127.0.0.2:{site.port}/b'>")
    assert "redirects from the Internet to 127.0.0.2" in str(await refusal(site.url("/c")))


async def test_the_address_that_was_looked_at_is_the_one_that_is_dialled(
    monkeypatch: pytest.MonkeyPatch, site: Misbehaving
) -> None:
    names = Names(monkeypatch, rebinding_example=["127.0.0.1"])
    site.serve("/a", PAGE)
    async with HttpLoader() as loader:
        page = await loader.load(f"http://rebinding.example:{site.port}/a")
    assert page.title == "Page"
    assert names.asked == ["rebinding.example"]
    assert site.hits[0].headers["host"] == f"rebinding.example:{site.port}"


async def test_the_next_address_of_a_host_is_tried(monkeypatch: pytest.MonkeyPatch, site: Misbehaving) -> None:
    Names(monkeypatch, two_example=["127.0.0.3", "127.0.0.1"])
    site.serve("/a", PAGE)
    async with HttpLoader() as loader:
        assert (await loader.load(f"http://two.example:{site.port}/a")).title == "Page"


async def test_names_behind_a_proxy_are_the_proxys_to_resolve(monkeypatch: pytest.MonkeyPatch, site: Misbehaving) -> None:
    names = Names(monkeypatch)
    monkeypatch.setenv("http_proxy", site.url(""))
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    site.serve("http://far.example/a", PAGE)
    async with HttpLoader() as loader:
        assert (await loader.load("http://far.example/a")).title == "Page"
        with pytest.raises(FetchFailed, match="link-local"):
            await loader.load("http://169.254.169.254/a")
    assert "far.example" not in names.asked


def certificate(folder: Path, *names: x509.GeneralName) -> Path:
    """A self-signed certificate with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "test")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "certificate.pem"
    secret = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file.write_bytes(secret + made.public_bytes(serialization.Encoding.PEM))
    return file


@pytest.fixture
def secure(site: Misbehaving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Misbehaving:
    """The site over TLS, with a certificate for ``localhost`` that the reader trusts."""
    file = certificate(tmp_path, x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.9")))
    site.secure(file)
    monkeypatch.setattr(exchange, "_tls", lambda: ssl.create_default_context(cafile=str(file)))
    site.serve("/a", PAGE)
    return site


async def test_a_certificate_must_be_for_the_name_and_not_for_the_dialled_address(secure: Misbehaving) -> None:
    async with HttpLoader() as loader:
        assert (await loader.load(f"https://localhost:{secure.port}/a")).title == "Page"
    error = await refusal(f"https://127.0.0.1:{secure.port}/a")
    assert "certificate" in error.message.lower()
    assert secure.paths() == ["/a"]


async def test_a_certificate_that_nobody_vouches_for_is_refused(secure: Misbehaving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "_tls", ssl.create_default_context)
    assert "certificate" in (await refusal(f"https://localhost:{secure.port}/a")).message.lower()
    assert not secure.hits
