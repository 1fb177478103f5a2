"""Which site an address belongs to, what patterns of sites mean, and what is never allowed: pure modules, run by node."""

import random
from typing import Any

from extension.in_node import run
from tabwire.rules.site_patterns import SitePattern, checked_pattern, site_of, site_pattern

SCRIPT = """
const answers = {
  site: (address) => siteOfAddress(address),
  pattern: (written) => sitePattern(written)?.text ?? null,
  matches: ([written, address]) => sitePattern(written).matches(siteOfAddress(address)),
  weight: (written) => sitePattern(written).weight,
  meaning: ([written, addresses]) => {
    const { key, weight, matches } = sitePattern(written);
    return [key, weight, addresses.map((address) => matches(siteOfAddress(address)))];
  },
  never: (address) => neverAllowed(siteOfAddress(address), { ports: [17890], address })?.what ?? null,
};
return given.map(([what, asked]) => answers[what](asked));
"""


def ask(what: str, given: list[Any]) -> list[Any]:
    """The answers to all questions, in one run of node."""
    asked = [[what, one] for one in given]
    # Node 20's optimized URL.canParse takes Latin-1 for UTF-8; Chrome has another one.
    answers: list[Any] = run(["background/rules/site-pattern.js"], SCRIPT, given=asked, options=["--no-opt"])
    return answers


def check(what: str, expected: dict[Any, Any]) -> None:
    answers = ask(what, list(expected))
    assert dict(zip(expected, answers, strict=True)) == expected


def test_an_address_belongs_to_its_origin_however_it_is_written() -> None:
    check(
        "site",
        {
            "https://user:pass@Bank.Example.:443/a?b#c": "https://bank.example",
            "https://bank.example:8443/": "https://bank.example:8443",
            "http://bücher.example/": "http://xn--bcher-kva.example",
            "wss://bank.example/socket": "https://bank.example",
            "http://0xa9fea9fe/latest": "http://169.254.169.254",
            "http://2852039166/": "http://169.254.169.254",
            "http://[::ffff:169.254.169.254]/": "http://169.254.169.254",
            "http://[64:ff9b::a9fe:a9fe]/": "http://169.254.169.254",
            "blob:https://bank.example/1-2": "https://bank.example",
            "filesystem:https://bank.example/temporary/x": "https://bank.example",
            "blob:null/1-2": "null",
            "about:blank": "null",
            "about:srcdoc": "null",
            "data:text/html,x": "null",
            "file:///etc/passwd": "file://",
            "view-source:https://bank.example/": "view-source:https://bank.example",
            "chrome://settings/passwords": "chrome://settings",
            "": "null",
        },
    )


# pattern → addresses inside, addresses outside
PATTERNS: dict[str, tuple[list[str], list[str]]] = {
    "bank.example": (["https://bank.example/", "http://bank.example:81/", "https://www.bank.example./"], ["https://mybank.example/", "https://bank.example.evil.test/"]),
    "*.corp": (["https://wiki.corp/", "http://a.b.corp:8080/"], ["https://corp/", "https://evilcorp/"]),
    "https://bank.example": (["https://bank.example/x"], ["http://bank.example/", "https://bank.example:444/", "https://www.bank.example/"]),
    "localhost:8000": (["http://localhost:8000/", "https://127.1:8000/", "http://a.localhost:8000/"], ["http://localhost/"]),
    "https://[::1]:8000": (["https://0:8000/", "https://localhost.:8000/"], ["http://localhost:8000/", "https://localhost/"]),
    "a.localhost": (["http://a.localhost:8000/", "http://b.a.localhost/"], ["http://localhost/", "http://b.localhost/"]),
    "xn--n3h.example": (["http://☃.example/", "http://www.☃.example./"], ["http://example/"]),
    "bank.example:443": (["https://bank.example/"], ["http://bank.example/"]),
    "127.0.0.1": (["http://127.0.0.1:9/", "http://2130706433/", "http://[::ffff:7f00:1]/", "http://0.0.0.0/"], ["http://128.0.0.2/"]),
    "10.0.0.1": (["http://10.1/", "http://[::ffff:10.0.0.1]/"], ["http://10.0.0.2/", "http://a.10.0.0.1.example/"]),
    "[::1]:80": (["http://[::1]/"], ["http://[::1]:81/"]),
    "file://": (["file:///etc/passwd"], ["http://file/"]),
    "bücher.example": (["http://xn--bcher-kva.example/"], ["http://buecher.example/"]),
    "*": (["https://bank.example/", "file:///x"], []),
}  # fmt: skip


def test_a_pattern_stands_for_its_sites() -> None:
    pairs = [(pattern, address) for pattern, (inside, outside) in PATTERNS.items() for address in (*inside, *outside)]
    matching = [pair for pair, matches in zip(pairs, ask("matches", pairs), strict=True) if matches]
    assert matching == [(pattern, address) for pattern, (inside, _) in PATTERNS.items() for address in inside]


def test_what_is_no_pattern_is_refused() -> None:
    wrong = (
        "",
        "https://",
        "https://bank.example/path",
        "bank example",
        "a*.example",
        "ftp://x",
        "user@bank.example",
        "http://",
        "*.",
        "*.*",
        "a/b",
    )
    assert dict(zip(wrong, ask("pattern", list(wrong)), strict=True)) == dict.fromkeys(wrong)


def test_the_extension_reads_every_pattern_that_the_bridge_takes() -> None:
    chance = random.Random(4711)
    pieces = ["*", ".", ":", "/", "//", "http", "https://", "file:", "a", "b-c", "x_y", "xn--", "xn--bcher-kva", "ü", "ß", "1", "127", "256", "0x7f",
              "[", "]", "::1", "@", " ", "☃", "xn--n3h", "💩", "localhost", "0.0.0.0", "1.2.3.4", ":8000", "80", "65536", "example.com", "corp", "%41", "\u200d", "\u0660", "İ", "-"]  # fmt: skip
    made = {"".join(chance.choices(pieces, k=chance.randrange(1, 6))) for _ in range(6000)}
    taken = sorted(pattern for pattern in made if _takes(pattern))
    assert len(taken) > 300
    assert [pattern for pattern, text in zip(taken, ask("pattern", taken), strict=True) if text is None] == []

    # And as the same sites.
    hosts = ["localhost", "127.2.3.4", "[::1]", "a.localhost", "a", "b-c.a", "x_y.a", "xn--bcher-kva", "a.xn--bcher-kva.", "xn--n3h", "a.corp", "example.com", "1.2.3.4", "[::]", "[::1:2]"]  # fmt: skip
    addresses = [f"{scheme}://{host}{port}/" for host in hosts for scheme in ("http", "https") for port in ("", ":80", ":8000")]
    read = [site_pattern(pattern) for pattern in taken]
    ours = [[one.key, one.weight, [_matches(one, address) for address in addresses]] for one in read]
    theirs = ask("meaning", [[pattern, addresses] for pattern in taken])
    differing = [
        (pattern, mine[:2], other[:2]) for pattern, mine, other in zip(taken, ours, theirs, strict=True) if mine != other
    ]
    assert not differing, f"{len(differing)} of {len(taken)}: {differing[:5]}"


def _matches(pattern: SitePattern, address: str) -> bool:
    site = site_of(address)
    assert site
    return pattern.matches(site)


def _takes(pattern: str) -> bool:
    try:
        checked_pattern(pattern)
    except ValueError:
        return False
    return True


def test_the_more_specific_pattern_weighs_more() -> None:
    ordered = [
        "*",
        "example",
        "*.example",
        "bank.example",
        "*.bank.example",
        "www.bank.example",
        "bank.example:8443",
        "https://bank.example:8443",
    ]
    weights = ask("weight", list(ordered))
    assert weights == sorted(set(weights))


CREDENTIALS = "an address where machines in a cloud get their credentials"


def test_some_sites_are_never_allowed_however_they_are_written() -> None:
    check(
        "never",
        {
            "http://169.254.169.254/latest/meta-data/": CREDENTIALS,
            "http://169.254.170.2/": CREDENTIALS,
            "http://0xA9.0376.43518/": CREDENTIALS,
            "http://[::ffff:a9fe:a9fe]/": CREDENTIALS,
            "http://[fd00:ec2::254]/": CREDENTIALS,
            "http://[fe80::1]/": CREDENTIALS,
            "http://metadata.google.internal./computeMetadata/": CREDENTIALS,
            "http://METADATA.google.internal/": CREDENTIALS,
            "http://100.100.100.200/": CREDENTIALS,
            "blob:http://169.254.169.254/1": CREDENTIALS,
            "http://127.0.0.1:17890/probe": "a port of Tabwire's own bridges",
            "http://localhost:17890/": "a port of Tabwire's own bridges",
            "http://a.localhost:17890/": "a port of Tabwire's own bridges",
            "http://[::1]:17890/": "a port of Tabwire's own bridges",
            "http://[::ffff:127.0.0.1]:17890/": "a port of Tabwire's own bridges",
            "http://0:17890/": "a port of Tabwire's own bridges",
            "ws://127.1:17890/": "a port of Tabwire's own bridges",
            "http://127.0.0.1:17891/": None,
            "https://chromewebstore.google.com/detail/x": "the extension store",
            "https://chrome.google.com/webstore/category/x": "the extension store",
            "https://chrome.google.com/": None,
            "chrome-extension://abc/page.html": "a page of an extension",
            "view-source:https://bank.example/": "a source view",
            "devtools://devtools/bundled/x.html": "the developer tools",
            "chrome://settings": "a page of the browser itself",
            "https://example.com/": None,
            "file:///etc/passwd": None,
        },
    )
