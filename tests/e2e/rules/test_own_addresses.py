"""A rule for one address of this computer holds for all of them, whoever asks for a page there. Its twin: without it, each way leads there."""

import json
from collections.abc import Iterator

import pytest

from e2e.client import Reply
from e2e.rules.ruling import SECRET, Ruled, refused
from e2e.site import Site

SPELLED = ("localhost", "LOCALHOST.", "127.0.0.1", "127.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "shop.localhost")
"""Hosts at which a server of this computer answers a browser."""
NO_SERVER = ("127.8.9.1", "0.0.0.0", "0", "[::1]", "[::]")
"""Others, where this one does not listen or Chrome does not go."""
NAMED = ("127.0.0.1:{}", "localhost:{}", "0.0.0.0:{}", "[::1]:{}", "http://127.0.0.1:{}")


@pytest.fixture(scope="module")
def browser_with_rules(tmp_path_factory: pytest.TempPathFactory, running_site: Site) -> Iterator[Ruled]:
    with Ruled.started(tmp_path_factory.mktemp("own")) as ruled:
        ruled.site = running_site
        yield ruled


@pytest.fixture
def ruled(browser_with_rules: Ruled, site: Site) -> Iterator[Ruled]:
    with browser_with_rules.for_a_test():
        browser_with_rules.anna.ok("tab_new", url=site.page("<p>Here</p><input type=file aria-label=File>"))
        yield browser_with_rules
        browser_with_rules.clear()


def port_of(url: str) -> str:
    return url.rpartition(":")[2].partition("/")[0]


def test_every_way_to_a_barred_server_of_this_computer_is_closed(ruled: Ruled) -> None:
    page = ruled.site.cross_page(f"<p>{SECRET}</p>")
    port, path = port_of(page), "/" + page.split("/", 3)[3]
    tell = ("navigate", "tab_new", "request")

    def ask(host: str) -> Iterator[tuple[str, Reply]]:
        url = f"http://{host}:{port}{path}"
        for tool in tell:
            yield f"{tool} {url}", ruled.anna.call(tool, url=url)
        yield f"redirected {url}", ruled.anna.call("request", url=ruled.site.url(f"/redirect?to={url}"))
        yield f"upload {url}", ruled.anna.call("upload", selector="label:File", files=[{"url": url}])
        route = {"action": "add", "url_pattern": "*/none", "handler": "continue", "modify": {"url": url}}
        yield f"route {url}", ruled.anna.call("route", **route)

    for named in NAMED:
        ruled.rule(named.format(port), "never")
        for host in (*SPELLED, *NO_SERVER):
            for what, reply in ask(host):
                refused(reply, "site_barred")
                assert ruled.site.hit_count(path) == 0, (named, what)
        ruled.clear()
    # Without the rule each way leads there.
    ruled.rule(f"127.0.0.1:{int(port) + 1}", "never")
    start = ruled.anna.ok("url").data["url"]
    for host in SPELLED:
        for what, reply in ask(host):
            assert not reply.is_error, (what, reply)
            if what.startswith(("navigate", "tab_new")):
                assert SECRET in ruled.anna.snapshot(), what
                ruled.anna.ok("navigate", url=start)
    assert ruled.site.hit_count(path) == len(SPELLED) * 5


def test_a_frame_at_another_address_is_barred(ruled: Ruled) -> None:
    inner = ruled.site.cross_page(f"<p>{SECRET}</p>")
    port = port_of(inner)
    page = ruled.site.page(f"<p>Outside</p><iframe src='{inner}'></iframe>")
    for named, is_barred in ((f"[::1]:{port}", True), (f"127.0.0.1:{int(port) + 1}", False)):
        ruled.rule(named, "never")
        ruled.anna.open(page)
        text = ruled.anna.snapshot()
        assert ("Outside" in text, SECRET in text) == (True, not is_barred), named
        ruled.clear()


def test_a_source_map_at_another_address_is_barred(ruled: Ruled) -> None:
    port = port_of(ruled.site.cross_page(""))
    ruled.site.serve("/maps/own.js.map", "{}")
    mapped = f"http://127.0.0.1:{port}/maps/own.js.map"
    ruled.site.serve("/own.js", f"console.log('built')\n//# sourceMappingURL={mapped}", "text/javascript")
    page = ruled.site.page("<script src=/own.js></script>")
    for named, is_barred in ((f"[::1]:{port}", True), (f"127.0.0.1:{int(port) + 1}", False)):
        ruled.rule(named, "never")
        ruled.anna.open(page)
        listed = ruled.anna.ok("console_messages").text
        assert ("it lies on a site that the user does not allow" in listed) is is_barred, listed
        assert (ruled.site.hit_count("/maps/own.js.map") > 0) is not is_barred
        ruled.clear()


def test_a_rule_for_a_name_below_localhost_is_for_that_name(ruled: Ruled) -> None:
    page = ruled.site.cross_page(f"<p>{SECRET}</p>")
    ruled.rule("shop.localhost", "never")
    refused(ruled.anna.call("request", url=page.replace("localhost", "shop.localhost")), "site_barred")
    for host in ("localhost", "other.localhost", "127.0.0.1"):
        assert SECRET in ruled.anna.ok("request", url=page.replace("localhost", host)).text
    # The more specific rule counts.
    ruled.clear()
    ruled.rule(f"localhost:{port_of(page)}", "never")
    ruled.rule(f"shop.localhost:{port_of(page)}", "act")
    refused(ruled.anna.call("request", url=page.replace("localhost", "127.0.0.1")), "site_barred")
    assert SECRET in ruled.anna.ok("request", url=page.replace("localhost", "shop.localhost")).text


def test_a_person_has_one_rule_for_the_addresses_of_this_computer(ruled: Ruled) -> None:
    ruled.rule("127.0.0.1:8000", "never")
    ruled.rule("localhost:8000", "read")
    told = ruled.person.ask("siteRules")["rules"]
    assert [(rule["pattern"], rule["level"]) for rule in told] == [("localhost:8000", "read")], json.dumps(told)
    ruled.person.ask("forgetSite", pattern="[::1]:8000")
    assert ruled.person.ask("siteRules")["rules"] == []
