"""Secrets of pages do not reach the model, whatever way they take, unless it has asked for the one value."""

from collections.abc import Iterator

import pytest

from e2e.client import Reply, Tabwire
from e2e.conftest import Launcher
from e2e.site import Site
from secret_samples import HARMLESS, SECRETS
from tabwire.commands.secret_shapes import MASK

TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
CARD = "4111 1111 1111 1111"
VEIL = "••••••"


@pytest.fixture(scope="module")
def agent(launcher: Launcher) -> Iterator[Tabwire]:
    """One tab for all."""
    tabwire = launcher.current().tabwire
    tabwire.ok("tab_new", url="about:blank")
    yield tabwire
    tabwire.ok("tab_new", url="about:blank")


def all_of(reply: Reply) -> str:
    return f"{reply.text}\n{reply.structured}"


def test_a_snapshot_masks_what_has_the_shape_of_a_secret_and_nothing_else(agent: Tabwire, site: Site) -> None:
    escaped = [text.replace("&", "&amp;").replace("<", "&lt;") for text, _ in SECRETS]
    agent.open(site.page("".join(f"<p>{text}</p>" for text in [*escaped, *HARMLESS])))
    reply = agent.ok("snapshot")
    assert [secret for _, secret in SECRETS if secret in all_of(reply)] == [], reply.text
    assert [text for text in HARMLESS if text not in reply.text] == []
    assert reply.text.count(MASK) >= len(SECRETS)


FIELDS = [
    ("type=password", ""),
    ("autocomplete=one-time-code", VEIL),
    ("autocomplete=cc-number", VEIL),
    ("autocomplete=cc-csc", VEIL),
    ("name=otp", VEIL),
    ("style='-webkit-text-security:disc'", VEIL),
    ("name=amount", "735190"),
]


def test_of_a_field_for_a_secret_no_value_is_told(agent: Tabwire, site: Site) -> None:
    fields = "".join(
        f"<label>Field {index} <input id=f{index} {field} value=735190></label>" for index, (field, _) in enumerate(FIELDS)
    )
    agent.open(site.page(f"<form>{fields}</form>"))
    lines = {line.name: line.text for line in agent.lines()}
    for index, (_, shown) in enumerate(FIELDS):
        found = all_of(agent.ok("query", by="label", value=f"Field {index}", **{"return": "all"}))
        assert (f': "{shown}"' in lines[f"Field {index}"]) is bool(shown)
        assert ("735190" in f"{lines[f'Field {index}']} {found}") is (shown == "735190")


def test_other_channels_mask_as_well(agent: Tabwire, site: Site) -> None:
    url = site.page(
        f"<script>console.log('{TOKEN}')</script><button onclick=\"confirm('{TOKEN}')\">Ask</button>", title=f"T {TOKEN}"
    )
    replies = [agent.open(f"{url}?access_token=f00dfacef00d")]
    replies += [agent.ok(tool) for tool in ("snapshot", "title", "url", "tab_list", "console")]
    replies += [
        agent.ok("query", by="role", value="button", **{"return": "all"}),
        agent.ok("evaluate", expression="document.title"),
    ]
    try:
        replies += [agent.ok("click", selector="role:button"), agent.ok("dialog", action="get_message"), agent.fails("snapshot")]
    finally:
        replies.append(agent.ok("dialog", action="dismiss"))
    told = [reply for reply in replies if TOKEN in all_of(reply) or "f00dfacef00d" in all_of(reply)]
    assert told == []
    assert sum(MASK in all_of(reply) for reply in replies) >= 9


def test_an_answer_of_a_server_masks(agent: Tabwire, site: Site) -> None:
    agent.open(site.page("<p>Shop</p>"))
    url = site.serve(
        "/login", f'{{"access_token": "f00d", "card": "{CARD}", "n": 1}}', "application/json", headers={"X-Token": TOKEN}
    )
    body = all_of(agent.ok("request", url=url))
    assert "f00d" not in body and "1111" not in body and TOKEN not in body and '"n": 1' in body.replace("\\", "")


def test_an_error_masks(agent: Tabwire, site: Site) -> None:
    agent.open(site.page("<p>Shop</p>"))
    assert TOKEN not in all_of(agent.fails("evaluate", expression=f"(() => {{ throw new Error('{TOKEN}') }})()"))


def test_a_list_of_stored_values_masks_and_one_that_is_named_is_told(agent: Tabwire, site: Site) -> None:
    site_url = site.page(
        "<script>localStorage.auth_token = 'f00d'; localStorage.theme = 'dark'; document.cookie = 'SID=f00d'</script>"
    )
    agent.open(site_url)
    listed = agent.ok("storage", action="entries")
    stored = {entry["key"]: entry["value"] for entry in listed.data["entries"]}
    assert (stored["auth_token"], stored["theme"]) == (MASK, "dark")
    assert agent.ok("storage", action="get", key="auth_token").data["value"] == "f00d"


def test_a_list_of_cookies_masks_and_one_that_is_named_is_told(agent: Tabwire, site: Site) -> None:
    agent.open(site.page("<script>document.cookie = 'SID=f00d'</script>"))
    cookies = agent.ok("cookies", action="get_all").data["cookies"]
    assert {cookie["name"]: cookie["value"] for cookie in cookies}["SID"] == MASK
    assert agent.ok("cookies", action="get", name="SID").data["cookie"]["value"] == "f00d"


def test_what_fields_for_secrets_hold_is_told_by_no_script_and_no_fill(agent: Tabwire, site: Site) -> None:
    agent.open(
        site.page(
            "<input id=user value=anna><input type=password id=p value=prefilled-1><div id=shadow></div>"
            "<input id=otp autocomplete=one-time-code><script>shadow.attachShadow({mode: 'open'}).innerHTML = "
            "'<input type=password value=prefilled-2>'</script>"
        )
    )
    for script in (
        "p.value",
        "[...document.querySelectorAll('input')].map(i => ({v: i.value, ['k' + i.value]: 1}))",
        "'is ' + p.value",
    ):
        reply = agent.ok("evaluate", expression=script)
        assert "prefilled-1" not in all_of(reply) and MASK in reply.text, reply
    assert "prefilled-2" not in all_of(
        agent.ok("evaluate", expression="shadow.shadowRoot.innerHTML + shadow.shadowRoot.firstChild.value")
    )
    assert agent.ok("evaluate", expression="user.value").data == "anna"
    reply = agent.ok("fill", selector="#otp", value="735190")
    assert "735190" not in all_of(reply)
    assert agent.ok("evaluate", expression="otp.value === '735190'").data is True
    assert "735190" not in all_of(agent.ok("evaluate", expression="otp.value"))


def test_a_password_in_the_address_of_a_form_is_told_nowhere(agent: Tabwire, site: Site) -> None:
    names = ("password", "user[password]", "pass", "new_pw1", "pin")
    fields = "".join(f"<input type=password name='{name}' value=hunter22>" for name in names)
    agent.open(site.page(f"<form action=/echo>{fields}<button id=go>Go</button></form>"))
    replies = [agent.ok("click", selector="#go"), agent.ok("tab_list"), agent.ok("url"), agent.ok("reload"), agent.ok("title")]
    replies.append(agent.fails("click", selector="#nothing", timeout=10))
    assert [reply for reply in replies if "hunter22" in all_of(reply)] == []
    assert "pass=" in agent.ok("url").text
    logs = [path.read_text() for path in agent.log.parent.rglob("*.jsonl")]
    assert logs and not any("hunter22" in text for text in logs)
