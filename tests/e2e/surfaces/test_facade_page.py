"""The facade in a page: every action, the document's examples, and what goes wrong. The proof is the page's state."""

from typing import Any

import pytest

from e2e.site import Site
from e2e.surfaces.facade import FacadeBridge

FORM = """<input id=username value=old><select id=color><option value=r>Red<option value=g>Green<option value=b>Blue</select>
<button id=submit onclick="result.textContent='sent ' + username.value">Submit</button><p id=result></p>
<div id=log></div><script>for (const type of ['click', 'dblclick', 'auxclick', 'contextmenu', 'mouseover', 'keydown'])
addEventListener(type, (event) => { log.textContent += `${type}:${event.target.id || 'page'}:${event.key ?? event.button}`
+ (event.ctrlKey ? '+ctrl' : '') + (event.shiftKey ? '+shift' : '') + ' '; });
addEventListener('contextmenu', (event) => event.preventDefault());</script>"""

FIELDS = (
    "success error data instance_id url text cookies result screenshot truncated returned_bytes total_bytes_estimate "
    "chunk_start chunk_end next_offset remaining_bytes snapshot_checksum"
).split()


def log(facade: FacadeBridge) -> str:
    said: str = facade.evaluate("log.textContent")
    return said


def test_every_response_has_all_fields_of_the_model(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, "<p>Hi")
    for response in (
        facade.ok("browser_extract", action="get_text", selector="p"),
        facade.fails("browser_interact", action="click"),
    ):
        assert set(response) == set(FIELDS)
        assert response["truncated"] is False and response["cookies"] is None and response["next_offset"] is None


def test_the_launched_browser_is_the_active_instance(facade: FacadeBridge) -> None:
    listed = facade.ok("browser_session", action="list")
    (instance,) = listed["data"]["instances"]
    assert (instance["kind"], instance["active"], instance["headless"]) == ("launched", True, True)
    assert facade.ok("browser_session", action="get_active")["instance_id"] == instance["instance_id"] == listed["instance_id"]


# ---- browser_navigate ---------------------------------------------------------------------------------------------------


def test_goto_back_forward_refresh_and_get_url(facade: FacadeBridge, site: Site) -> None:
    first = facade.show(site, "<title>First</title>")
    second = site.page(
        "<title>Second</title><script>setTimeout(() => { late.hidden = false; }, 50)</script><p id=late hidden>Late"
    )
    assert facade.goto(second, wait_for="#late", timeout=10)["url"] == second
    assert facade.evaluate("late.hidden") is False
    back = facade.ok("browser_navigate", action="back")
    assert (back["data"]["status"], back["url"], facade.evaluate("location.href")) == ("navigated_back", first, first)
    forward = facade.ok("browser_navigate", action="forward")
    assert (forward["data"]["status"], facade.evaluate("location.href")) == ("navigated_forward", second)
    facade.evaluate("window.mark = 1")
    assert facade.ok("browser_navigate", action="refresh")["data"]["status"] == "refreshed"
    assert facade.evaluate("window.mark ?? 0") == 0
    assert facade.ok("browser_navigate", action="get_url")["url"] == second


# ---- browser_interact ---------------------------------------------------------------------------------------------------


def test_hovering_is_seen_by_the_page(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, FORM)
    assert facade.act("hover", selector="#submit")["data"]["status"] == "hovered"
    assert "mouseover:submit" in log(facade)


def test_type_without_clear_adds_to_what_is_there(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, FORM)
    facade.act("type", selector="#username", text="er", delay=0.01)
    assert facade.evaluate("username.value") == "older"


def test_the_example_of_the_document_types_and_submits(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, FORM)
    typed = facade.act("type", selector="#username", text="admin", clear=True)
    assert typed["data"]["status"] == "typed"
    clicked = facade.act("click", selector="#submit")
    assert clicked["data"]["status"] == "clicked" and clicked["data"]["observed"]
    assert facade.evaluate("result.textContent") == "sent admin"


def test_arguments_of_other_actions_may_be_given_with_their_defaults(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, FORM)
    facade.act("type", selector="#username", text="admin", clear=True)
    facade.evaluate("result.textContent = ''")
    facade.act(
        "click", selector="#submit", text=None, clear=False, delay=0, button="left", direction="down", amount=100, timeout=30
    )
    assert facade.evaluate("result.textContent") == "sent admin"


def test_clicks_have_their_button_and_count(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, FORM)
    facade.act("click", selector="#submit", click_count=2)
    assert "dblclick:submit" in log(facade)
    facade.act("click", selector="#submit", button="right")
    assert "contextmenu:submit:2" in log(facade)
    facade.act("click", selector="#submit", button="middle")
    assert "auxclick:submit:1" in log(facade)


def test_an_option_is_selected_by_value_index_or_label(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, FORM)
    for how, value in (({"value": "b"}, "b"), ({"index": 1}, "g"), ({"label": "Blue"}, "b")):
        assert facade.act("select", selector="#color", **how)["data"]["status"] == "selected"
        assert facade.evaluate("color.value") == value, how


def test_keys_are_pressed_where_the_focus_is_or_in_an_element(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, FORM)
    facade.act("click", selector="#username")
    assert facade.act("press", key="ArrowLeft", modifiers=["ctrl", "shift"])["data"]["status"] == "pressed"
    assert "keydown:username:ArrowLeft+ctrl+shift" in log(facade)
    facade.act("press", key="x", selector="#color")
    assert "keydown:color:x" in log(facade)


def test_scroll_moves_the_page_or_an_element(facade: FacadeBridge, site: Site) -> None:
    facade.show(
        site,
        "<div id=box style='height:100px;width:100px;overflow:auto'><div style='height:900px;width:900px'></div></div><div style='height:5000px'></div>",
    )
    assert facade.act("scroll")["data"]["status"] == "scrolled"
    assert facade.evaluate("scrollY") == 100
    facade.act("scroll", direction="up", amount=40)
    assert facade.evaluate("scrollY") == 60
    facade.act("scroll", selector="#box", direction="right", amount=30)
    assert facade.evaluate("box.scrollLeft") == 30


def test_wait_for_each_state(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, "<p id=there>Here</p><p id=hidden hidden>Not</p>")
    assert facade.act("wait", selector="#there")["data"]["status"] == "found"
    assert facade.act("wait", selector="#hidden", state="present")["success"]
    assert facade.act("wait", selector="#hidden", state="hidden")["success"]
    late = facade.tabwire.start("browser_interact", action="wait", selector="#late", timeout=10)
    facade.evaluate("document.body.insertAdjacentHTML('beforeend', '<p id=late>Late')")
    assert not late.result(15).is_error
    assert facade.fails("browser_interact", action="wait", selector="#never", timeout=0.1)["data"]["code"] == "timeout"


# ---- browser_inspect ----------------------------------------------------------------------------------------------------


def test_html_of_the_page_and_of_an_element(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, "<main id=main><ul><li>One</li><li>Two <b>2</b></li></ul><p>" + "x" * 300 + "</p></main>")
    part = facade.ok("browser_inspect", action="get_html", selector="#main", max_depth=5)
    assert part["text"] == facade.evaluate("main.outerHTML").replace("x" * 300, "x" * 128 + "...")
    assert part["returned_bytes"] == part["total_bytes_estimate"] == len(part["text"])
    whole = facade.ok("browser_inspect", action="get_html", ellipsize_text_after=1000)["text"]
    assert whole == facade.evaluate("document.documentElement.outerHTML")
    shallow = facade.ok("browser_inspect", action="get_html", selector="#main", max_depth=1)["text"]
    assert shallow.startswith('<main id="main"><ul><!-- 3 elements deeper --></ul><p>xxx')
    folded = facade.ok("browser_inspect", action="get_html", selector="#main", collapse_depth=1)["text"]
    assert (
        folded
        == '<main id="main"><ul><!-- 3 elements, 8 characters of text --></ul><p><!-- 0 elements, 300 characters of text --></p></main>'
    )


def test_html_over_the_limit_is_cut_and_says_so(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, f"<p>{'ä' * 100_000}</p>")
    response = facade.ok("browser_inspect", action="get_html", ellipsize_text_after=10**6)
    assert response["truncated"] is True
    assert response["returned_bytes"] == len(response["text"].encode()) in (127_999, 128_000)
    assert response["total_bytes_estimate"] > 200_000


def test_shadow_roots_and_frames_are_read(facade: FacadeBridge, site: Site) -> None:
    inner = site.cross_page("<p id=framed>In the frame</p>")
    facade.show(
        site,
        f"<div id=host></div><iframe src='{inner}'></iframe><script>host.attachShadow({{mode: 'closed'}}).innerHTML = '<p id=shady>In the shadow</p>'</script>",
    )
    facade.act("wait", selector="#framed")
    assert (
        '<template shadowrootmode="closed"><p id="shady">In the shadow</p></template>'
        in facade.ok("browser_inspect", action="get_html", selector="#host")["text"]
    )
    assert "p#shady: In the shadow" in facade.ok("browser_extract", action="get_text")["text"]
    assert facade.ok("browser_extract", action="get_text", selector="#framed")["text"] == "p#framed: In the frame"


def test_exists_and_attributes(facade: FacadeBridge, site: Site) -> None:
    facade.show(
        site, FORM + "<a id=link href='/x' data-n=7></a><input id=box type=checkbox><input id=secret type=password value=abc>"
    )
    assert facade.ok("browser_inspect", action="exists", selector="#link")["data"] == {"exists": True}
    assert facade.ok("browser_inspect", action="exists", selector="#nowhere")["data"] == {"exists": False}

    def attribute(selector: str, name: str) -> Any:
        return facade.ok("browser_inspect", action="get_attribute", selector=selector, attribute=name)["data"]["value"]

    assert (attribute("#link", "href"), attribute("#link", "data-n"), attribute("#link", "nothing")) == ("/x", "7", None)
    facade.act("type", selector="#username", text="new", clear=True)
    facade.act("click", selector="#box")
    assert (attribute("#username", "value"), attribute("#box", "checked"), attribute("#color", "value")) == ("new", "true", "r")


# ---- browser_extract ----------------------------------------------------------------------------------------------------

ARTICLE = f"""<h1 id=title>Welcome to Our Site</h1><p class=intro>{"This is the introduction text. " * 10}</p>
<div class=content>Main <b>content</b> goes here<p hidden>Not shown</p></div><p style='visibility:hidden'>Unseen</p>"""


def test_text_has_tags_and_ellipses(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, ARTICLE)
    lines = facade.ok("browser_extract", action="get_text")["text"].splitlines()
    assert lines[0] == "h1#title: Welcome to Our Site"
    assert lines[1].startswith("p.intro: This is the introduction text.") and lines[1].endswith("...")
    assert len(lines[1]) == len("p.intro: ") + 128 + len("...")
    assert lines[2:] == ["div.content: Main content goes here"]
    plain = facade.ok("browser_extract", action="get_text", selector=".content", include_tag_names=False)
    assert plain["text"] == "Main content goes here"
    every = facade.ok("browser_extract", action="get_text", skip_hidden=False, ellipsize_text_after=5)["text"]
    assert "p: Not s..." in every and "p: Unsee..." in every
    assert facade.ok("browser_extract", action="get_text", max_depth=0)["text"] == ""


def test_text_over_the_limit_is_cut_and_says_so(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, "<p>" + "€" * 50_000)
    response = facade.ok("browser_extract", action="get_text", ellipsize_text_after=10**6)
    assert response["truncated"] is True and response["text"].startswith("p: €€") and response["text"].endswith("€")
    assert response["returned_bytes"] <= 64_000 < response["total_bytes_estimate"] == 150_003


@pytest.mark.slow
def test_a_page_of_5_mb_read_in_chunks_fits_together_exactly(facade: FacadeBridge, site: Site) -> None:
    line = "word " * 2500 + "aä€😀"
    script = "for (let i = 0; i < 400; i += 1) document.body.append(Object.assign(document.createElement('p'), { textContent: `${i} ${'word '.repeat(2500)}aä€😀` }))"
    facade.show(site, f"<body><script>{script}</script>")
    chunks = facade.chunks("browser_extract", action="get_text", selector="body", ellipsize_text_after=10**7, length=10**9)
    expected = "\n".join(f"p: {number} {line}" for number in range(400))
    assert "".join(chunk["text"] for chunk in chunks) == expected
    total = len(expected.encode())
    assert total > 5_000_000 and len(chunks) >= total / 450_000
    assert {chunk["snapshot_checksum"] for chunk in chunks} == {chunks[0]["snapshot_checksum"]}
    assert [chunk["chunk_start"] for chunk in chunks[1:]] == [chunk["chunk_end"] for chunk in chunks[:-1]]
    assert [chunk["remaining_bytes"] for chunk in chunks] == [total - chunk["chunk_end"] for chunk in chunks]


def test_a_change_between_chunks_is_reported(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, "<p id=text>" + "word " * 100)
    read = {"action": "get_text", "selector": "body", "use_chunking": True, "ellipsize_text_after": 10_000, "length": 50}
    first = facade.ok("browser_extract", **read)
    going_on = {**read, "offset": first["next_offset"], "snapshot_checksum": first["snapshot_checksum"]}
    assert facade.ok("browser_extract", **going_on)["chunk_start"] == 50
    facade.evaluate("text.append('more')")
    changed = facade.fails("browser_extract", **going_on)
    assert changed["data"]["code"] == "content_changed" and "offset 0" in changed["error"]
    assert changed["data"]["expected_checksum"] == first["snapshot_checksum"] != changed["data"]["snapshot_checksum"]
    again = facade.chunks("browser_extract", **{key: value for key, value in read.items() if key != "use_chunking"})
    assert "".join(chunk["text"] for chunk in again) == "p#text: " + "word " * 100 + "more"


def test_cookies_of_the_page_are_read_http_only_ones_too(facade: FacadeBridge, site: Site) -> None:
    url = site.serve("/cookies.html", "<p>Cookies", headers={"Set-Cookie": "session=s3cret; HttpOnly; Path=/"})
    facade.goto(url)
    facade.evaluate("document.cookie = 'seen=1'")
    response = facade.ok("browser_extract", action="get_cookies")
    found = {cookie["name"]: (cookie["value"], cookie["http_only"]) for cookie in response["cookies"]}
    assert found["session"] == ("s3cret", True) and found["seen"] == ("1", False)
    assert response["url"] == url


# ---- browser_execute ----------------------------------------------------------------------------------------------------


SCRIPTS: list[tuple[dict[str, Any], Any]] = [
    ({"action": "execute", "code": "return arguments[0] + arguments[1]", "args": [2, 3]}, 5),
    ({"action": "execute", "code": "(a, b) => a * b", "args": [2, 3]}, 6),
    ({"action": "execute", "code": "const n = args[0]; return [n, {n}]", "args": ["x"]}, ["x", {"n": "x"}]),
    ({"action": "execute", "code": "document.title = 'Changed'; return document.title"}, "Changed"),
    ({"action": "evaluate", "code": "document.querySelectorAll('p').length"}, 1),
    ({"action": "evaluate", "code": "Promise.resolve('later')"}, "later"),
    ({"action": "evaluate", "code": "undefined"}, None),
]


def test_scripts_and_expressions_give_their_value(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, "<p>One")
    for arguments, result in SCRIPTS:
        response = facade.ok("browser_execute", **arguments)
        assert response["result"] == result, arguments
        assert response["returned_bytes"] == (len(result) if isinstance(result, str) else None), arguments


def test_a_script_that_throws_says_what(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, "<p>One")
    failed = facade.fails("browser_execute", action="execute", code="throw new Error('no such thing')")
    assert failed["data"]["code"] == "javascript_error" and "no such thing" in failed["error"]


def test_a_script_read_in_chunks_runs_once(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, "<p>One")
    code = "window.runs = (window.runs ?? 0) + 1; return runs + 'aä€😀'.repeat(5000)"
    chunks = facade.chunks("browser_execute", action="execute", code=code)
    assert "".join(chunk["result"] for chunk in chunks) == "1" + "aä€😀" * 5000
    assert len(chunks) > 3 and facade.evaluate("runs") == 1
    cut = facade.ok("browser_execute", action="execute", code=code)
    assert cut["truncated"] is True and cut["returned_bytes"] <= 32_000 < cut["total_bytes_estimate"] == 50_001
    forgotten = facade.fails("browser_execute", action="execute", code=code, use_chunking=True, offset=9, snapshot_checksum="0")
    assert forgotten["data"]["code"] == "content_changed" and facade.evaluate("runs") == 2
    assert (
        facade.fails("browser_execute", action="execute", code=code, use_chunking=True, offset=9)["data"]["code"]
        == "invalid_argument"
    )


def test_an_expression_is_evaluated_for_each_chunk_and_its_change_reported(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, "<p id=text>" + "word " * 5000)
    chunks = facade.chunks("browser_execute", action="evaluate", code="text.textContent", length=10_000)
    assert "".join(chunk["result"] for chunk in chunks) == "word " * 5000
    facade.evaluate("text.textContent += '.'")
    ask = {"use_chunking": True, "offset": 10_000, "snapshot_checksum": chunks[0]["snapshot_checksum"]}
    assert facade.fails("browser_execute", action="evaluate", code="text.textContent", **ask)["data"]["code"] == "content_changed"


def test_a_long_result_that_is_no_string_is_cut_as_json(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, "<p>One")
    response = facade.ok("browser_execute", action="evaluate", code="Array.from({length: 20000}, (_, i) => i)")
    assert response["result"].startswith("[0, 1, 2") and response["truncated"] is True
    assert "JSON.stringify" in response["data"]["note"]


# ---- what goes wrong ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("browser_session", {"action": "terminate"}, 'action "terminate" needs instance_id'),
        ("browser_session", {"action": "list", "headless": False}, 'action "list" takes no headless'),
        ("browser_session", {}, "required argument 'action' is missing"),
        ("browser_navigate", {"action": "goto"}, 'action "goto" needs url'),
        ("browser_navigate", {"action": "get_url", "url": "http://a.example"}, 'takes no url'),
        ("browser_navigate", {"action": "go"}, "'goto', 'back', 'forward', 'refresh' or 'get_url'"),
        ("browser_navigate", {"action": "goto", "url": "x", "timeout": 601}, "between 0 and 600"),
        ("browser_interact", {"action": "click"}, 'action "click" needs selector'),
        ("browser_interact", {"action": "click", "selector": " "}, "is empty"),
        ("browser_interact", {"action": "type", "selector": "p"}, 'action "type" needs text'),
        ("browser_interact", {"action": "type"}, 'needs selector and text'),
        ("browser_interact", {"action": "select", "selector": "p"}, "exactly one of value, index, label"),
        ("browser_interact", {"action": "select", "selector": "p", "value": "a", "index": 1}, "exactly one"),
        ("browser_interact", {"action": "press"}, 'action "press" needs key'),
        ("browser_interact", {"action": "press", "key": "a", "modifiers": ["hyper"]}, "ctrl, alt, shift, meta"),
        ("browser_interact", {"action": "wait"}, 'action "wait" needs selector'),
        ("browser_interact", {"action": "wait", "selector": "p", "state": "gone"}, "visible, hidden, present"),
        ("browser_interact", {"action": "click", "selector": "p", "button": "fourth"}, "left, right, middle"),
        ("browser_interact", {"action": "scroll", "direction": "away"}, "up, down, left, right"),
        ("browser_interact", {"action": "click", "selctor": "p"}, "did you mean 'selector'"),
        ("browser_inspect", {"action": "exists"}, 'action "exists" needs selector'),
        ("browser_inspect", {"action": "get_attribute", "selector": "p"}, 'action "get_attribute" needs attribute'),
        ("browser_inspect", {"action": "get_html", "max_depth": -1}, "at least 0"),
        ("browser_extract", {"action": "get_cookies", "selector": "p"}, 'takes no selector'),
        ("browser_extract", {"action": "get_text", "offset": 5}, "goes with use_chunking"),
        ("browser_capture", {"action": "element_screenshot"}, 'needs selector'),
        ("browser_capture", {"action": "element_screenshot", "selector": "p", "full_page": True}, "takes no full_page"),
        ("browser_execute", {"action": "execute"}, "required argument 'code' is missing"),
        ("browser_execute", {"action": "evaluate", "code": "1", "args": [1]}, "takes no args"),
        ("browser_storage", {"action": "list_downloads", "filename": "x"}, "takes no filename"),
        ("web_search", {}, "required argument 'query' is missing"),
        ("web_search", {"query": "x", "max_results": 0}, "at least 1"),
        ("web_search", {"query": "x", "search_engine_url": "ftp://a"}, "no http or https address"),
    ],
)  # fmt: skip
def test_bad_arguments_are_refused_with_what_is_valid(facade: FacadeBridge, tool: str, arguments: Any, words: str) -> None:
    failed = facade.fails(tool, **arguments)
    assert failed["data"]["code"] == "invalid_argument"
    assert words in failed["error"], failed["error"]


def test_what_is_not_possible_in_the_page_says_why(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, "<p class=a>One</p><p class=a>Two</p><button id=off disabled>Off</button>")
    codes = {
        "no_such_element": facade.fails("browser_inspect", action="get_attribute", selector="#none", attribute="x"),
        "invalid_selector": facade.fails("browser_extract", action="get_text", selector="p["),
        "ambiguous_selector": facade.fails("browser_interact", action="click", selector="p.a"),
        "navigation_failed": facade.fails("browser_navigate", action="goto", url="http://127.0.0.1:1/"),
    }
    assert {code: response["data"]["code"] for code, response in codes.items()} == {code: code for code in codes}
    assert all("snapshot" not in response["error"] for response in codes.values()), "there are none here"
    assert "net::ERR_" in codes["navigation_failed"]["error"]


def test_dialogs_are_dismissed_and_told(facade: FacadeBridge, site: Site) -> None:
    asks = "b.addEventListener('click', () => { globalThis.answer = confirm('Sure?') })"
    facade.show(site, f"<button id=b>Ask</button><script>{asks}</script>")
    response = facade.ok("browser_interact", action="click", selector="#b")
    assert (
        response["data"]["note"] == 'a dialog opened (confirm: "Sure?") and was dismissed: no tool here can answer it otherwise'
    )
    assert facade.evaluate("answer") is False


def test_a_page_that_asks_whether_to_leave_it_is_left_and_that_is_told(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, "<a id=b href='/blank.html'>Away</a><script>onbeforeunload = (event) => event.preventDefault()</script>")
    facade.act("press", selector="#b", key="Shift")
    assert "asked whether to leave" in facade.ok("browser_navigate", action="refresh")["data"]["note"]
    facade.act("press", selector="#b", key="Shift")
    response = facade.ok("browser_interact", action="click", selector="#b")
    assert "asked whether to leave" in response["data"]["note"]
    assert facade.evaluate("location.pathname") == "/blank.html"
