"""Attacks on the doors of the product, a row each: what is tried, and that it is refused and nothing was reached.

``scripts/lab/attacks`` prints them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from e2e.rules.ruling import BANK, HTML, SHOP, Ruled
from e2e.site import Site

ATTACK = "attack"
"""Property of a report: what was tried, and the answer."""


@dataclass
class Field:
    """Place of the attacks."""

    ruled: Ruled
    bank: str
    """A page of a site that is never touched."""
    outside: Path
    """A folder that tools may not use, with a file in it."""
    before: dict[Path, bytes]

    @property
    def bridge_port(self) -> int:
        port: int = json.loads((self.ruled.chromium.extension / "pairing.json").read_text())["ports"][0]
        return port

    def tabs(self) -> dict[str, str]:
        """What the tabs of the browser show."""
        return {target["targetId"]: target["url"] for target in self.ruled.browser.targets("page")}

    def reached(self) -> list[str]:
        """Pages of the barred site that were asked, and files outside that have changed."""
        path = "/" + self.bank.split("/", 3)[3]
        files = {file: file.read_bytes() for file in self.outside.rglob("*") if file.is_file()}
        return [hit.path for hit in self.ruled.site.hits if hit.path == path] + [
            str(file) for file in {*files, *self.before} if files.get(file) != self.before.get(file)
        ]


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory, running_site: Site) -> Iterator[Field]:
    kinds = dict.fromkeys(("bookmarks", "clipboard", "cookies", "downloads", "history", "site_permissions"), "never")
    allowed = dict.fromkeys(("auth_state", "evaluate", "uploads"), "allow")
    permissions = {"sensitive": {**kinds, **allowed}, "sites": {"file://": "never"}}
    with Ruled.started(tmp_path_factory.mktemp("attacks"), pairing={"permissions": permissions}) as ruled:
        ruled.site = running_site
        ruled.rule(BANK, "never")
        ruled.rule(SHOP, "read")
        outside = tmp_path_factory.mktemp("outside")
        (outside / "secret.txt").write_text("secret")
        yield Field(ruled, "", outside, {outside / "secret.txt": b"secret"})


@pytest.fixture
def attacked(field: Field, site: Site) -> Field:
    """The same tab for all: nothing may come of any of them."""
    field.bank = field.ruled.page(BANK, HTML)
    if site.url("/blank.html") not in field.tabs().values():
        field.ruled.anna.ok("tab_new", url=site.url("/blank.html"))
    return field


Target = Callable[[Field], str]
OPENERS: dict[str, Callable[[str], tuple[str, dict[str, Any]]]] = {
    "navigate": lambda url: ("navigate", {"url": url}),
    "navigate in a new tab": lambda url: ("navigate", {"url": url, "new_tab": True}),
    "navigate in a new window": lambda url: ("navigate", {"url": url, "new_window": True}),
    "tab_new": lambda url: ("tab_new", {"url": url}),
    "window_new": lambda url: ("window_new", {"url": url}),
    "request": lambda url: ("request", {"url": url}),
    "upload of an address": lambda url: ("upload", {"selector": "body", "files": [{"url": url}], "timeout": 2000}),
    "form file of an address": lambda url: ("request", {"url": "/echo", "method": "POST", "form_data": {"file": {"url": url}}}),
    "route to it": lambda url: ("route", {"action": "add", "url_pattern": "*", "handler": "continue", "modify": {"url": url}}),
}


def _bank(spelling: Callable[[str], str] = lambda url: url) -> Target:
    return lambda field: spelling(field.bank)


TARGETS: dict[str, Target] = {
    "a barred site": _bank(),
    "a barred site in capitals, with a dot": _bank(lambda url: url.replace(BANK, BANK.upper() + ".")),
    "a barred site behind a user name": _bank(lambda url: url.replace("http://", "http://127.0.0.1@")),
    "a barred site, escaped": _bank(lambda url: url.replace("bank", "b%61nk")),
    "credentials of a cloud": lambda field: "http://169.254.169.254/latest/meta-data/",
    "credentials of a cloud, as one number": lambda field: "http://2852039166/",
    "credentials of a cloud, in hex and octal": lambda field: "http://0xA9.0376.0xa9fe/",
    "credentials of a cloud, as IPv6": lambda field: "http://[::ffff:a9fe:a9fe]/",
    "credentials of a cloud, by name": lambda field: "http://METADATA.google.internal./computeMetadata/v1/",
    "Azure's own address": lambda field: "http://168.63.129.16/",
    "a port of a bridge": lambda field: f"http://127.1:{field.bridge_port}/",
    "a file": lambda field: (field.outside / "secret.txt").as_uri(),
    "a page of an extension": lambda field: "chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html",
    "a source view": lambda field: f"view-source:{field.bank}",
    "code": lambda field: "javascript:alert(1)",
}


REFUSALS = ("permission_denied", "invalid_argument", "restricted_page", "unsupported_operation")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("opener", OPENERS)
def test_no_way_leads_to_a_forbidden_address(attacked: Field, opener: str, target: str, request: pytest.FixtureRequest) -> None:
    tool, arguments = OPENERS[opener](TARGETS[target](attacked))
    before = attacked.tabs()
    _refused(attacked, tool, arguments, request)
    assert attacked.tabs() == before


WRITERS: dict[str, Callable[[str], tuple[str, dict[str, Any]]]] = {
    "screenshot": lambda path: ("screenshot", {"save_path": path}),
    "pdf": lambda path: ("pdf", {"save_path": path}),
}
PLACES: dict[str, Callable[[Field], str]] = {
    "a file outside": lambda field: str(field.outside / "new.png"),
    "a file outside, by dots": lambda field: "../" * 20 + str(field.outside / "new.png").lstrip("/"),
    "a system file": lambda field: "/etc/tabwire-attack.png",
    "the user's start-up file": lambda field: "~/.bashrc",
    "the folder of keys": lambda field: str(field.ruled.chromium.home / "keys.json"),
    "a device": lambda field: "/dev/stdout",
    "a name with NUL": lambda field: "a\0b.png",
    "a name of 300 characters": lambda field: "x" * 300 + ".png",
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("writer", WRITERS)
def test_no_tool_writes_where_it_may_not(attacked: Field, writer: str, place: str, request: pytest.FixtureRequest) -> None:
    _refused(attacked, *WRITERS[writer](PLACES[place](attacked)), request)
    assert not Path("/etc/tabwire-attack.png").exists()


@pytest.mark.parametrize(
    "place", ["a file outside", "the folder of keys", "the pairing of the extension", "a password file", "a pipe"]
)
@pytest.mark.parametrize("reader", ["upload", "form file"])
def test_no_tool_reads_what_it_may_not(attacked: Field, reader: str, place: str, request: pytest.FixtureRequest) -> None:
    pipe = attacked.ruled.chromium.home / "artifacts" / "pipe"
    if place == "a pipe" and not pipe.exists():
        pipe.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(pipe)
    path = {
        "a file outside": attacked.outside / "secret.txt",
        "the folder of keys": attacked.ruled.chromium.home / "keys.json",
        "the pairing of the extension": attacked.ruled.chromium.extension / "pairing.json",
        "a password file": Path("/etc/passwd"),
        "a pipe": pipe,
    }[place]
    call: tuple[str, dict[str, Any]] = {
        "upload": ("upload", {"selector": "body", "files": [str(path)]}),
        "form file": ("request", {"url": "/echo", "method": "POST", "form_data": {"file": {"path": str(path)}}}),
    }[reader]
    _refused(attacked, *call, request)
    assert attacked.ruled.site.hit_count("/echo") == 0


KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "cookies of the page": ("cookies", {"action": "get_all"}),
    "a cookie by name": ("cookies", {"action": "get", "name": "sid"}),
    "a cookie set": ("cookies", {"action": "set", "name": "sid", "value": "x"}),
    "cookies cleared": ("cookies", {"action": "clear"}),
    "the history": ("history", {}),
    "the bookmarks": ("bookmarks", {"action": "search"}),
    "a bookmark more": ("bookmarks", {"action": "add", "url": "https://example.com/"}),
    "a bookmark that is code": ("bookmarks", {"action": "add", "url": "javascript:alert(1)"}),
    "the camera": ("permissions", {"permissions": [{"name": "camera", "state": "granted"}]}),
    "the microphone": ("permissions", {"permissions": [{"name": "microphone", "state": "granted"}]}),
    "the position": ("permissions", {"permissions": [{"name": "geolocation", "state": "granted"}]}),
    "the clipboard for the page": ("permissions", {"permissions": [{"name": "clipboard-read", "state": "granted"}]}),
    "the position for a barred site": (
        "permissions",
        {"permissions": [{"name": "geolocation", "state": "denied"}], "origin": f"http://{BANK}"},
    ),
    "the clipboard by keys": ("press", {"key": "Control+v"}),
    "the clipboard by older keys": ("press", {"key": "Shift+Insert"}),
    "a download": ("wait", {"for": "url", "download": True, "timeout": 1000}),
    "a POST to a site that may be read only": ("request", {"url": f"http://{SHOP}:1/", "method": "POST", "body": "x"}),
    "a DELETE there": ("request", {"url": f"http://{SHOP}:1/", "method": "DELETE"}),
    "a login saved of a barred site": ("auth_state", {"action": "save", "name": "x", "origins": [f"http://{BANK}"]}),
    "cookies of a barred site": ("cookies", {"action": "get_all", "url": f"http://{BANK}/"}),
}


@pytest.mark.parametrize("kind", KINDS)
def test_no_kind_of_act_that_is_never_allowed_is_done(attacked: Field, kind: str, request: pytest.FixtureRequest) -> None:
    tool, arguments = KINDS[kind]
    _refused(attacked, tool, arguments, request)


def _refused(attacked: Field, tool: str, arguments: dict[str, Any], request: pytest.FixtureRequest) -> None:
    reply = attacked.ruled.anna.call(tool, **arguments)
    request.node.user_properties.append((ATTACK, f"{reply.code}: {reply.text.splitlines()[0][:100]}"))
    assert reply.is_error and reply.code in REFUSALS, reply
    assert attacked.reached() == []
