"""What the owner of a browser allows ahead: how it is said, kept and written for the extension."""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from tabwire import config
from tabwire.commands import WIRE
from tabwire.errors import InvalidArgument
from tabwire.rules.grants import LAUNCHED, Grants
from tabwire.rules.kinds import KINDS
from tabwire.wire.keys import kept_permissions, new_key, write_pairing


def test_every_kind_that_a_command_declares_can_be_allowed() -> None:
    assert {kind for command in WIRE for kind in command.sensitive} <= set(KINDS)


@pytest.mark.parametrize("allow", ["passwords", "cookies@", "", "@example.com", "all cookies"])
def test_an_unknown_kind_is_refused(allow: str) -> None:
    with pytest.raises(ValidationError):
        Grants(allow=[allow])


def test_what_is_said_goes_before_what_is_usual() -> None:
    assert Grants().over(LAUNCHED).written() == {"sensitive": "allow", "files": []}
    assert Grants(sensitive="ask", sites={"bank.example": "never"}).over(LAUNCHED).written() == {
        "sensitive": "ask",
        "sites": {"bank.example": "never"},
        "files": [],
    }
    assert Grants.allowing(["none"]).over(Grants(allow=["all"])).written() == {"allow": []}


def test_a_new_pairing_of_a_folder_keeps_what_was_allowed(tmp_path: Path) -> None:
    write_pairing(tmp_path, new_key(), permissions={"allow": ["cookies"]})
    write_pairing(tmp_path, new_key())
    assert kept_permissions(tmp_path) == {"allow": ["cookies"]}
    write_pairing(tmp_path, new_key(), permissions={})
    assert "permissions" not in json.loads((tmp_path / "pairing.json").read_text())


@pytest.mark.parametrize(
    ("table", "wrong"),
    [
        ({"default": "everything"}, "default"),
        ({"sensitive": {"passwords": "allow"}}, "passwords"),
        ({"sites": {"example.com": "yes"}}, "sites"),
        ({"answers_from_client": "sometimes"}, "answers_from_client"),
        ({"more": 1}, "more"),
    ],
)
def test_a_mistake_in_the_configuration_is_said(tmp_path: Path, table: dict[str, Any], wrong: str) -> None:
    lines = [f"{name} = {json.dumps(value) if not isinstance(value, dict) else _inline(value)}" for name, value in table.items()]
    (tmp_path / "config.toml").write_text("[permissions]\n" + "\n".join(lines) + "\n")
    with pytest.raises(InvalidArgument, match=wrong):
        config.load({"home": str(tmp_path)}, {})


def _inline(table: dict[str, str]) -> str:
    return "{" + ", ".join(f"{json.dumps(name)} = {json.dumps(value)}" for name, value in table.items()) + "}"


def test_the_configuration_has_a_table_for_it(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[permissions]\nsensitive = "ask"\nallow = ["uploads@example.com"]\n')
    assert config.load({"home": str(tmp_path)}, {}).permissions == Grants(sensitive="ask", allow=["uploads@example.com"])


ALIKE = [
    ("a.example", "A.example"),
    ("a.example", "a.example."),
    ("bücher.example", "xn--bcher-kva.example"),
    ("☃.example", "xn--n3h.example"),
    ("*.corp", "*.CORP"),
    ("https://a.example", "https://a.example:443"),
    ("https://a.example", "https://a.example/"),
    ("http://a.example", "HTTP://A.example:80"),
    ("127.0.0.1:8000", "localhost:8000"),
    ("[::1]", "0.0.0.0"),
    ("http://127.0.0.1:8000", "http://localhost.:8000"),
    ("file://", "file:///"),
]
DIFFERENT = [
    ("a.example", "b.a.example"),
    ("a.example", "*.a.example"),
    ("https://a.example", "http://a.example"),
    ("https://a.example", "a.example:443"),
    ("localhost:8000", "localhost:8001"),
    ("localhost", "shop.localhost"),
    ("127.0.0.1", "10.0.0.1"),
]


def configured(folder: Path, first: str, second: str, levels: tuple[str, str], default: str = "") -> Grants:
    rules = "\n".join(f'"{pattern}" = "{level}"' for pattern, level in zip((first, second), levels, strict=True))
    (folder / "config.toml").write_text(f"[permissions]\n{default}\n[permissions.sites]\n{rules}\n")
    return config.load({"home": str(folder)}, {}).permissions


@pytest.mark.parametrize(("first", "second"), ALIKE)
def test_two_rules_for_the_same_sites_stop_the_start(tmp_path: Path, first: str, second: str) -> None:
    for levels in (("never", "act"), ("act", "never"), ("read", "ask")):
        with pytest.raises(InvalidArgument) as caught:
            configured(tmp_path, first, second, levels)
        told = str(caught.value)
        assert f"{second!r} and {first!r} are rules for the same sites" in told and "config.toml, line 5" in told, told
    assert configured(tmp_path, first, second, ("never", "never")).sites == {first.lower(): "never", second.lower(): "never"}


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_two_rules_for_different_sites_do_not(tmp_path: Path, first: str, second: str) -> None:
    assert configured(tmp_path, first, second, ("never", "act")).sites == {first: "never", second: "act"}


def test_a_rule_for_all_sites_and_the_default_are_alike(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match=r"line 4.*'\*' and 'default' are rules for the same sites"):
        configured(tmp_path, "*", "a.example", ("act", "never"), 'default = "never"')
    assert configured(tmp_path, "*", "a.example", ("act", "never"), 'default = "act"').default == "act"


def test_a_pairing_with_two_such_rules_is_not_taken_over() -> None:
    with pytest.raises(InvalidArgument, match="rules for the same sites"):
        Grants.kept({"sites": {"a.example": "never", "A.example": "act"}})
    assert Grants.kept({"sites": {"a.example": "never"}}).sites == {"a.example": "never"}
