"""Saved logins on disk: private files under checked names, replaced whole, told about without their values."""

import json
import os
import stat
import sys
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from bridge.fake_engine import FakeEngine, Surface
from tabwire.commands.origins import origin_of
from tabwire.errors import InvalidArgument, NoSuchTab, Timeout, UnsupportedOperation
from tabwire.surfaces.agent import storage
from tabwire.surfaces.agent.auth_states import AuthStates, SavedOrigin

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no permission bits")
SECRET = "s3cr3t"
SHOP = SavedOrigin(
    origin="https://shop.example",
    cookies=[{"name": "sid", "value": SECRET}],
    local_storage=[("token", SECRET), ("odd", "\ud800")],
)


@pytest.fixture
def states(tmp_path: Path) -> AuthStates:
    return AuthStates(tmp_path / "home" / "auth")


def test_a_state_is_read_again_by_another_process_as_it_was(states: AuthStates) -> None:
    states.save("work", [SHOP])
    again = AuthStates(states.folder).load("work")
    assert again.origins == [SHOP]
    assert again.saved.startswith("20")


@posix
def test_file_and_folder_are_for_their_owner_only(states: AuthStates) -> None:
    mask = os.umask(0)
    try:
        states.save("work", [SHOP])
    finally:
        os.umask(mask)
    assert stat.S_IMODE(states.folder.stat().st_mode) == 0o700
    assert [(path.name, stat.S_IMODE(path.stat().st_mode)) for path in states.folder.iterdir()] == [("work.json", 0o600)]


@posix
def test_a_file_that_others_can_read_is_not_used(states: AuthStates) -> None:
    states.save("work", [SHOP])
    states.path("work").chmod(0o644)
    with pytest.raises(UnsupportedOperation, match="chmod 600"):
        states.load("work")


def test_saving_again_replaces_the_file_whole(states: AuthStates) -> None:
    states.save("work", [SHOP, SHOP])
    states.save("work", [SHOP])
    assert len(states.load("work").origins) == 1
    assert [path.name for path in states.folder.iterdir()] == ["work.json"]


@pytest.mark.parametrize("name", ["work", "a", "alice@example.com", "Büro 2", "a.b-c_d+e", "x" * 64])
def test_names_are_names_of_files(states: AuthStates, name: str) -> None:
    states.save(name, [])
    assert [entry.name for entry in states.all()] == [name]


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../work", "a/b", "a\\b", "/etc/passwd", ".hidden", "a.", "a ", " a", "a\0b", "a\nb", "c:d", "CON", "nul.txt", "x" * 65, "~"],
)  # fmt: skip
def test_names_that_could_be_anything_else_are_refused(states: AuthStates, name: str) -> None:
    for use in (states.path, states.load, states.delete, states.exists):
        with pytest.raises(InvalidArgument, match="a name has"):
            use(name)
    with pytest.raises(InvalidArgument):
        states.save(name, [SHOP])
    assert not states.folder.exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "not JSON"),
        (f'{{"origins": "{SECRET}', "not JSON"),
        (f'"{SECRET}"', "its top"),
        (f'{{"version": 1, "saved": "x", "origins": [{{"origin": "o", "cookies": "{SECRET}"}}]}}', "origins.0.cookies"),
        ('{"version": 2, "saved": "x", "origins": []}', "version 2"),
    ],
)
def test_a_broken_file_is_an_error_that_says_where_and_shows_nothing_of_it(states: AuthStates, text: str, said: str) -> None:
    states.save("work", [SHOP])
    states.path("work").write_text(text)
    with pytest.raises(UnsupportedOperation) as failure:
        states.load("work")
    assert said in str(failure.value)
    assert "delete" in str(failure.value)
    assert SECRET not in str(failure.value)
    (entry,) = states.all()
    assert entry.problem
    assert said in entry.problem
    states.delete("work")
    assert states.all() == []


def test_what_is_not_there_is_named_with_what_is(states: AuthStates) -> None:
    with pytest.raises(InvalidArgument, match="none has been saved"):
        states.load("work")
    states.save("home", [SHOP])
    for use in (states.load, states.delete):
        with pytest.raises(InvalidArgument, match="saved: home"):
            use("work")


def test_other_files_of_the_folder_are_left_alone(states: AuthStates) -> None:
    states.save("work", [SHOP])
    (states.folder / "notes.txt").write_text("mine")
    (states.folder / ".work.json.1234").write_text("half written")
    assert [entry.name for entry in states.all()] == ["work"]


def test_counts_tell_how_much_and_not_what(states: AuthStates) -> None:
    counts = states.save("work", [SHOP]).origins[0].counts()
    assert counts == {"origin": "https://shop.example", "cookies": 1, "local_storage": 2}
    assert SECRET not in json.dumps(counts)


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://Shop.example", "https://shop.example"),
        ("https://shop.example:443/a?b#c", "https://shop.example"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000"),
        ("shop.example", "https://shop.example"),
        ("shop.example:8443", "https://shop.example:8443"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
        ("http://[::1]:80", "http://[::1]"),
    ],
)
def test_origins_are_written_as_browsers_write_them(text: str, origin: str) -> None:
    assert origin_of(text) == origin


@pytest.mark.parametrize("text", ["", "about:blank", "file:///etc", "ftp://a.example", "https://", "https://a:b", "*.example", "a b", "data:,x"])  # fmt: skip
def test_what_is_no_origin_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no origin"):
        origin_of(text)


class Sites(FakeEngine):
    """A browser of three sites: one that answers, one that fails, one that never ends."""

    async def send(self, method: str, params: dict[str, Any], **rest: Any) -> dict[str, Any]:
        self.sent.append((method, params))
        if "fails" in params["origin"]:
            raise NoSuchTab("the tab is gone")
        if "hangs" in params["origin"]:
            await anyio.sleep(60)
        if method == "storage.restore":
            restored = {"cookies": len(params["cookies"])}
            return {"tabId": 7, "effects": {}, "expired": 0, "restored": restored, "failed": [], "reload": []}
        facts = {"hostOnly": False, "secure": True, "httpOnly": True, "sameSite": "lax", "session": True, "storeId": "0"}
        cookies = [{"name": "wide", "value": SECRET, "domain": ".shop.example", "path": "/", **facts}]
        return {"tabId": 7, "origin": params["origin"], "cookies": cookies, "local": '[["a", "\\ud800"]]', "failed": []}


def run(sites: Sites, home: Path, **arguments: Any) -> dict[str, Any]:
    return anyio.run(partial(Surface("agent", sites, files=home / "artifacts").run, "auth_state", **arguments))


def test_one_origin_that_fails_does_not_cost_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "BUDGET_S", 0.2)
    origins = ["https://a.shop.example", "https://fails.example", "https://hangs.example", "https://late.example"]
    result = run(Sites(), tmp_path, action="save", name="x", origins=origins)
    assert [origin["origin"] for origin in result["origins"]] == origins[:1]
    causes = {failure["origin"]: failure["cause"] for failure in result["failed"]}
    assert list(causes) == origins[1:]
    assert "tab is gone" in causes[origins[1]]
    assert "no time left" in causes[origins[3]]
    assert SECRET not in json.dumps(result)


def test_when_nothing_comes_the_error_is_told_and_the_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "BUDGET_S", 0.1)
    run(Sites(), tmp_path, action="save", name="x", origins=["https://a.shop.example"])
    for origin, error in (("https://fails.example", NoSuchTab), ("https://hangs.example", Timeout)):
        with pytest.raises(error):
            run(Sites(), tmp_path, action="save", name="x", origins=[origin])
    assert AuthStates(tmp_path / "auth").load("x").origins[0].origin == "https://a.shop.example"


def test_all_origins_are_of_one_tab_and_a_shared_cookie_is_restored_once(tmp_path: Path) -> None:
    sites = Sites()
    origins = ["https://a.shop.example", "https://b.shop.example"]
    run(sites, tmp_path, action="save", name="x", origins=origins)
    result = run(sites, tmp_path, action="load", name="x")
    assert [params.get("tabId") for _, params in sites.sent] == [None, 7, None, 7]
    assert [origin["cookies"] for origin in result["restored"]] == [1, 0]
    assert sites.sent[-1][1]["local"] == '[["a", "\\ud800"]]', "what is not Unicode travels as escapes"


def test_list_and_delete_need_no_browser(tmp_path: Path) -> None:
    run(Sites(), tmp_path, action="save", name="x", origins=["https://a.shop.example"])
    sites = Sites()
    assert [state["name"] for state in run(sites, tmp_path, action="list")["states"]] == ["x"]
    run(sites, tmp_path, action="delete", name="x")
    assert run(sites, tmp_path, action="list") == {"states": []}
    assert sites.sent == []
