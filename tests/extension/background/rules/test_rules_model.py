"""Random rules and random addresses: the extension's answers against an oracle that knows what each address was made from.

The oracle never reads an address: it has the scheme, host and port that the address was spelled from.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from extension.in_node import run
from source_tree import ROOT
from tabwire.rules.addresses import CREDENTIAL_HOSTS, SCHEMES, STORES

SETS, ADDRESSES = 250, 40
LEVELS = ("never", "ask", "read", "act")
"""From the strictest."""
BRIDGE_PORT = 17890
CHROME = """
const anything = new Proxy(() => {}, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => "" : name === "then" ? undefined : anything),
  apply: () => anything, construct: () => anything,
});
const storage = { get: async () => ({}), set: async () => {}, setAccessLevel: async () => {} };
globalThis.chrome = new Proxy({ storage: { local: storage, session: storage, onChanged: anything } }, {
  get: (own, name) => own[name] ?? anything,
});
"""
SCRIPT = """
// Not by name: it is another promise after each change.
const rules = await import(given.rules);
rules.bridgePorts.add(given.port);
rules.takeGrants({});
await rules.rulesReady;
const answers = [];
for (const { grants, asked } of given.sets) {
  rules.takeGrants(grants);
  await rules.rulesReady;
  await null;
  answers.push(asked.map(([address, need]) => objection(address, need)?.reason ?? null));
}
return answers;
"""

NAMES = (
    "bank.example",
    "www.bank.example",
    "shop.example",
    "example",
    "a.b.corp",
    "corp",
    "xn--bcher-kva.example",
    "localhost",
    "a.localhost",
)
UNICODE = {"xn--bcher-kva.example": ("bücher.example", "BÜCHER.example", "bu\u0308cher.example", "xn--bcher-kva.example")}
V4 = ("127.0.0.1", "127.8.9.1", "0.0.0.0", "10.0.0.7", "169.254.169.254", "100.100.100.200", "93.184.216.34")
OWN = ("localhost", "127.0.0.1", "127.8.9.1", "0.0.0.0", "[::1]", "[::]")
"""The addresses of this computer, which are one site."""
V6 = ("[::1]", "[::]", "[fe80::1]", "[2001:db8::7]", "[fd00:ec2::254]")
PORTS = (80, 443, 8000, 8443, BRIDGE_PORT)
DEFAULTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Place:
    """The truth behind an address."""

    scheme: str
    host: str
    port: int


@dataclass(frozen=True)
class Rule:
    kind: str
    host: str
    port: int
    scheme: str
    level: str


def _number(value: int, chance: random.Random) -> str:
    return chance.choice([str(value), hex(value), "0X" + f"{value:x}", f"0{value:o}"])


def _v4(host: str, chance: random.Random) -> str:
    parts = [int(part) for part in host.split(".")]
    whole = sum(part << shift for part, shift in zip(parts, (24, 16, 8, 0), strict=True))
    return chance.choice(
        [
            host,
            host + ".",
            ".".join(_number(part, chance) for part in parts),
            _number(whole, chance),
            f"{parts[0]}.{_number(whole & 0xFFFFFF, chance)}",
            f"[::ffff:{host}]",
            f"[::FFFF:{whole >> 16:x}:{whole & 0xFFFF:x}]",
            f"[64:ff9b::{whole >> 16:x}:{whole & 0xFFFF:x}]" if whole else "0",
        ]
    )


def _host(host: str, chance: random.Random) -> str:
    if host in V4:
        return _v4(host, chance)
    if host.startswith("["):
        return host.upper() if chance.random() < 0.3 else host
    name = chance.choice(UNICODE.get(host, (host,)))
    spelled = "".join(letter.upper() if chance.random() < 0.3 else letter for letter in name)
    if chance.random() < 0.2 and spelled.isascii():
        at = chance.randrange(len(spelled))
        spelled = f"{spelled[:at]}%{ord(spelled[at]):02x}{spelled[at + 1 :]}"
    if chance.random() < 0.1:
        spelled = spelled.replace(".", chance.choice("。．｡"), 1)
    return spelled + ("." if chance.random() < 0.15 else "")


def spelled(place: Place, chance: random.Random) -> str:
    """An address of a place."""
    is_default = DEFAULTS[place.scheme] == place.port
    port = "" if is_default and chance.random() < 0.7 else ":" + "0" * chance.randrange(3) + str(place.port)
    user = chance.choice(["", "", "", "a@", "bank.example@", "shop.example:80@", "a:b@", "http%3A%2F%2Fexample%2F@"])
    tail = chance.choice(["", "/", "/a@shop.example/", "?x=http://shop.example/", "#@corp", "/..//%2e%2e/x", "\\shop.example"])
    socket = {"http": "ws", "https": "wss"}[place.scheme]
    scheme = chance.choice([place.scheme, place.scheme, place.scheme.upper(), socket])
    slashes = chance.choice(["://", "://", "://", ":/", ":\\\\", ":///"])
    address = f"{scheme}{slashes}{user}{_host(place.host, chance)}{port}{tail}"
    if scheme.lower() == place.scheme and chance.random() < 0.1:
        return f"blob:{place.scheme}://{_host(place.host, chance)}:{place.port}/1-2-3"
    return address


def pattern(rule: Rule, chance: random.Random) -> str:
    """A rule as somebody may write it."""
    host = chance.choice(UNICODE.get(rule.host, (rule.host,)))
    host = host.upper() if chance.random() < 0.2 else host
    at_default = DEFAULTS.get(rule.scheme) == rule.port
    port = "" if at_default and chance.random() < 0.5 else f":{rule.port}"
    return {
        "any": "*",
        "files": chance.choice(["file://", "file:///", "file:"]),
        "below": f"*.{host}",
        "host": host,
        "port": f"{host}:{rule.port}",
        "origin": f"{rule.scheme}://{host}{port}{chance.choice(['', '/'])}",
    }[rule.kind]


def matches(rule: Rule, place: Place) -> bool:
    is_name = not (rule.host in V4 or rule.host.startswith("["))
    is_host = place.host == rule.host
    if rule.host in OWN:
        is_host = place.host in OWN or place.host.endswith(".localhost")
    return {
        "any": True,
        "files": False,
        "below": is_name and place.host.endswith("." + rule.host),
        "host": is_host or (is_name and place.host.endswith("." + rule.host)),
        "port": is_host and place.port == rule.port,
        "origin": is_host and (place.scheme, place.port) == (rule.scheme, rule.port),
    }[rule.kind]


def weight(rule: Rule) -> tuple[int, int, int]:
    """The more specific, the more."""
    depth = 1 if rule.host in V4 or rule.host.startswith("[") else len(rule.host.split("."))
    return {
        "any": (0, 0, 0),
        "files": (3, 0, 0),
        "host": (0, depth, 0),
        "below": (0, depth, 1),
        "port": (1, rule.host not in OWN, 0),
        "origin": (2, rule.host not in OWN, 0),
    }[rule.kind]


def expected(rules: list[Rule], usual: str | None, place: Place, need: str) -> str | None:
    """The oracle."""
    host = place.host
    if host in (*CREDENTIAL_HOSTS, *STORES) or host.startswith(("169.254.", "[fe8")):
        return "never_list"
    is_here = host in OWN or host.endswith(".localhost")
    if is_here and place.port == BRIDGE_PORT:
        return "never_list"
    found = [rule for rule in rules if matches(rule, place)]
    top = max(map(weight, found), default=None)
    level = min((rule.level for rule in found if weight(rule) == top), key=LEVELS.index, default=usual or "act")
    return _reason(level, need)


def _reason(level: str, need: str) -> str | None:
    if level == "ask":
        return "ask"
    if level == "never":
        return "site_barred"
    return "site_read_only" if level == "read" and need == "act" else None


def _rule(chance: random.Random) -> Rule:
    kind = chance.choice(["any", "below", "host", "host", "port", "origin"])
    hosts = NAMES if kind == "below" else (*NAMES, *V4, *V6)
    return Rule(kind, chance.choice(hosts), chance.choice(PORTS), chance.choice(list(DEFAULTS)), chance.choice(LEVELS))


def _others(chance: random.Random) -> tuple[str, str | None]:
    """Addresses that belong to no host."""
    inner = spelled(Place("https", "bank.example", 443), chance)
    by_scheme = [(f"{name}//{chance.choice(['x', 'settings', 'abc/page.html'])}", "never_list") for name, one in SCHEMES.items() if one.access in ("shown", "barred")]  # fmt: skip
    unknown = [
        (text, None)
        for text in ("about:blank", "about:srcdoc", "data:text/html,<a href=http://bank.example>", "blob:null/1", "no address")
    ]
    return chance.choice(
        [*by_scheme, *unknown, (f"view-source:{inner}", "never_list"), ("view-source:about:blank", "never_list")]
    )


def test_the_rules_answer_as_the_oracle_for_ten_thousand_addresses() -> None:
    chance = random.Random(20261122)
    sets: list[dict[str, Any]] = []
    wanted: list[list[str | None]] = []
    for _ in range(SETS):
        rules, usual = [_rule(chance) for _ in range(chance.randrange(8))], chance.choice([None, *LEVELS])
        # One pattern stands for one rule: the last one that was written, as in any table.
        written = {pattern(rule, chance): rule for rule in rules}
        asked: list[list[str]] = []
        answers: list[str | None] = []
        for _ in range(ADDRESSES):
            need = chance.choice(["read", "act"])
            if chance.random() < 0.1:
                address, answer = _others(chance)
            else:
                place = Place(chance.choice(list(DEFAULTS)), chance.choice((*NAMES, *V4, *V6, *STORES)), chance.choice(PORTS))
                address, answer = spelled(place, chance), expected(list(written.values()), usual, place, need)
            asked.append([address, need])
            answers.append(answer)
        grants = {"sites": {text: rule.level for text, rule in written.items()}, **({"default": usual} if usual else {})}
        sets.append({"grants": grants, "asked": asked})
        wanted.append(answers)
    found = _answers(sets)
    wrong = [
        (one["grants"], *asked, said, right)
        for one, said_all, right_all in zip(sets, found, wanted, strict=True)
        for asked, said, right in zip(one["asked"], said_all, right_all, strict=True)
        if said != right
    ]
    assert not wrong, f"{len(wrong)} of {SETS * ADDRESSES}: {ascii(wrong[:5])}"


def _answers(sets: list[dict[str, Any]]) -> list[list[str | None]]:
    given = {"sets": sets, "port": BRIDGE_PORT, "rules": (ROOT / "extension/background/rules/site-rules.js").as_uri()}
    # Node 20's optimized URL.canParse takes Latin-1 for UTF-8; Chrome has another one.
    answers: list[list[str | None]] = run(
        ["background/rules/addresses.js"], SCRIPT, before=CHROME, given=given, options=["--no-opt"]
    )
    return answers


def test_nothing_is_allowed_while_a_rule_cannot_be_read() -> None:
    asked = [["https://example.com/", "read"], ["file:///x", "read"], ["about:blank", "act"]]
    broken: list[dict[str, Any]] = [{"sites": {"host/*": "never"}}, {"sites": {"example.org": "nevr"}}, {"default": "everything"}]
    sets = [{"grants": grants, "asked": asked} for grants in [*broken, {}]]
    assert _answers(sets) == [*[["rules_unreadable", "rules_unreadable", None]] * 3, [None, "ask", None]]


def test_files_are_open_below_their_folders_only() -> None:
    grants = {"files": ["/work/site", "/"], "closed_files": ["/work"]}
    inside = [
        "file:///work/site/a.html",
        "file:///work/site",
        "file:///work/site/%61/b%20c.html#x",
        "file:///etc/hosts",
        "file:/work/site/x",
    ]
    outside = [
        "file:///work/", "file:///work/site/../key", "file:///work/site/%2e%2e/key", "file:///work/sites/a", "file:///work/site%2f..%2fkey",
        "file://host/work/site/a", "file:///work/site/%00", "file:///work/site/%ff", "file:///work/site\\..\\..\\work\\key",
    ]  # fmt: skip
    asked = [[address, "read"] for address in (*inside, *outside)]
    (found,) = _answers([{"grants": grants, "asked": asked}])
    assert dict(zip((*inside, *outside), found, strict=True)) == {
        **dict.fromkeys(inside),
        **dict.fromkeys(outside, "site_barred"),
    }
    open_to_all = [{"grants": {"files": [], "sites": {"file://": "act"}}, "asked": asked}]
    assert set(_answers(open_to_all)[0]) == {None}
    assert _answers([{"grants": {"files": ["/work"], "sites": {"*": "never"}}, "asked": [["file:///work/a", "read"]]}]) == [
        ["site_barred"]
    ]
    assert _answers([{"grants": {"files": [""]}, "asked": [["file:///work/a", "read"]]}]) == [["site_barred"]]
