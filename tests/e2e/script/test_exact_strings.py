"""Strings that `evaluate` gives back: exact, with escapes for what a reply must not contain."""

import json

from e2e.client import Tabwire
from e2e.site import Site

ODD = "a\ue000b\ue001c\ue010d\ue011e\uf8fff\u202eg\u200b\u200bh\U000e0041i\u2028j\u200ck"


def test_a_string_comes_back_exactly(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<p>Text</p>"))
    for value in (ODD, {"key": ODD, "list": [ODD]}, ODD * 40):
        reply = tabwire.ok("evaluate", expression=json.dumps(value))
        assert json.loads(reply.text) == value
        assert "Left out" not in reply.text
        # Marks and invisible characters are escapes in the text.
        assert not {"\ue010", "\ue011", "\u202e", "\U000e0041"} & set(reply.text)


def test_the_message_of_an_error_keeps_its_characters(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<p>Text</p>"))
    reply = tabwire.call("evaluate", expression="throw new Error('odd \\uf8ff \\ue010 words')")
    assert reply.is_error
    assert "odd \uf8ff \\ue010 words" in reply.text
