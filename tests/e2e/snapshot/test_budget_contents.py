"""Contents of snapshots and answers within their budgets: dialogs, depth, long addresses, messages of fields."""

import re

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

POSTS = "".join(
    f"<div><a href=#{n}>Post number {n} by a person with a long name</a> <button>Like {n}</button></div>" for n in range(1500)
)
DIALOG = (
    "<div role=dialog {modal} aria-label='Create post' style='position:fixed;inset:20% 30%;background:#fff'><p>Terms apply to posts</p>"
    "<textarea aria-label='Your words'></textarea><label><input type=radio name=a> Friends</label><button>Publish</button></div>"
    "<div role=dialog hidden aria-label=Closed><button>Never shown</button></div>"
)
DEEP = (
    "<h1>Groups</h1><script>let at = document.body; for (let n = 0; n < 700; n += 1) {"
    "const box = document.createElement('div'); box.role = 'group'; box.ariaLabel = `G${n}`; at.append(box); at = box }"
    "const b = document.createElement('button'); b.textContent = 'Innermost'; b.onclick = () => { globalThis.pressed = true };"
    "at.append(b)</script>"
)


def test_an_open_dialog_is_in_the_first_part(tabwire: Tabwire, site: Site) -> None:
    for modal in ("aria-modal=true", ""):
        tabwire.open(site.page("<h1>Profile</h1>" + POSTS + DIALOG.format(modal=modal)))
        text = tabwire.ok("snapshot").text
        for wanted in ('dialog "Create post"', '"Your words"', '"Friends"', '"Publish"', '"Terms apply to posts"'):
            assert wanted in text, (modal, wanted)
        assert "Never shown" not in text


def test_indentation_counts_against_the_budget(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    tabwire.open(site.page(DEEP))
    reply = tabwire.ok("snapshot")
    assert len(reply.text) < 70_000
    assert "Innermost" in reply.text or "cursor" in reply.text
    tabwire.ok("click", selector="role:button[name=Innermost]")
    assert page.evaluate("pressed") is True


def test_long_attributes_are_cut_where_all_are_given(tabwire: Tabwire, site: Site) -> None:
    address = "data:text/plain;base64," + "A" * 200_000
    tabwire.open(site.page(f"<a href='{address}' download=x.txt>Get file</a>"))
    reply = tabwire.ok("query", by="role", value="link", **{"return": "all"})
    assert len(reply.text) < 3_000
    assert f"({len(address):,} characters)" in reply.text


def test_the_mode_interactive_says_why_a_field_is_invalid(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(
        site.page(
            "<label>Nick <input aria-invalid=true aria-describedby=h></label><span id=h>At most 8 letters</span>"
            "<label>Mail <input aria-invalid=true aria-errormessage=e aria-describedby=d></label><p id=e>No address</p><p id=d hidden>Hint</p>"
            "<label>Fine <input aria-describedby=h></label>"
        )
    )
    text = tabwire.ok("snapshot", mode="interactive").text
    assert '[message="At most 8 letters"]' in next(line for line in text.splitlines() if '"Nick"' in line)
    assert '[message="No address"]' in next(line for line in text.splitlines() if '"Mail"' in line)
    assert "message" not in next(line for line in text.splitlines() if '"Fine"' in line)


CLAUSES = "".join(
    f"<label><input type=checkbox> Clause {number} that has to be read by everyone</label>" for number in range(400)
)
LARGE = {
    "over a page": "".join(f"<h2>Part {part}</h2>" + "<p>Text of the page around it</p>" * 90 for part in range(5))
    + f"<div role=dialog aria-label=Terms style='position: fixed; inset: 10%; overflow: auto'>{CLAUSES}<button>Accept</button></div>",
    "modal": f"<h1>Page</h1><dialog id=d aria-label=Terms>{CLAUSES}<button>Accept</button></dialog><script>d.showModal()</script>",
}


@pytest.mark.parametrize("dialog", LARGE)
def test_a_dialog_that_is_too_large_names_the_cursor_to_its_remainder(tabwire: Tabwire, site: Site, dialog: str) -> None:
    tabwire.open(site.page(LARGE[dialog]))
    text = tabwire.ok("snapshot").text
    assert '"Accept"' not in text
    rest = re.search(r"… \d+ more lines in this dialog: cursor (\S+)", text)
    while rest:
        part = tabwire.ok("snapshot", cursor=rest[1]).text
        text += part
        rest = re.search(r'"cursor": "([^"]+)"', part)
    assert [number for number in range(400) if f"Clause {number} " not in text] == []
    assert '"Accept"' in text


def test_no_link_of_a_very_long_list_is_left_out(tabwire: Tabwire, site: Site) -> None:
    links = "".join(f"<li>Entry <a href=/{number}>Link {number}</a></li>" for number in range(17_000))
    tabwire.open(site.page(f"<ul>{links}</ul>"))
    text = tabwire.ok("snapshot", max_chars=10_000_000).text
    # A reply has a megabyte at most: a cursor leads to the rest.
    while (rest := re.search(r'"cursor": "([^"]+)"\}\s*$', text)) is not None:
        text = text[: rest.start()] + tabwire.ok("snapshot", cursor=rest[1], max_chars=10_000_000).text
    assert sorted(map(int, re.findall(r'link "Link (\d+)"', text))) == list(range(17_000))
