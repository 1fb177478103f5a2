"""`tabwire console --follow` and `tabwire requests --follow` in a real shell: every line once, until Ctrl-C, the tab's or the session's end."""

import json
import os
import re
import selectors
import signal
from collections.abc import Iterator

import pytest

from e2e.shell.typed import Shell
from e2e.site import Site
from programs import ran_here

LIMIT_S = 15
FOLLOWING = ("console", "requests")


class Followed:
    """A command that prints what is new."""

    def __init__(self, shell: Shell, *words: str) -> None:
        self.process = shell.start(*words)
        self._lines: list[str] = []
        assert self.process.stderr and self.process.stdout
        self.said = self.process.stderr.readline()
        assert re.fullmatch(r"tabwire: following tab \d+; Ctrl-C ends it\n", self.said), self.said + self.process.stderr.read()
        os.set_blocking(self.process.stdout.fileno(), False)
        self._rest = ""

    def lines(self, count: int) -> list[str]:
        """The next lines, waited for."""
        assert self.process.stdout
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while len(self._lines) < count:
                assert selector.select(LIMIT_S), f"{count} lines did not come: {self._lines}"
                self._take(os.read(self.process.stdout.fileno(), 65_536).decode())
        found, self._lines = self._lines[:count], self._lines[count:]
        return found

    def until(self, text: str) -> list[str]:
        """The lines up to one that has a text."""
        found: list[str] = []
        while not found or text not in found[-1]:
            found += self.lines(1)
        return found

    def _take(self, text: str) -> None:
        assert text, f"it has ended: {self._lines}"
        *whole, self._rest = (self._rest + text).split("\n")
        self._lines += whole

    def interrupted(self) -> tuple[int, list[str], str]:
        """Press Ctrl-C: exit code, lines that were left, what was said on stderr."""
        self.process.send_signal(signal.SIGINT)
        return self.ended()

    def ended(self) -> tuple[int, list[str], str]:
        assert self.process.stderr and self.process.stdout
        code = self.process.wait(LIMIT_S)
        left = self.process.stdout.read() or ""
        return code, [*self._lines, *(self._rest + left).splitlines()], self.process.stderr.read()


@pytest.fixture
def following(shell: Shell) -> Iterator[type[Followed]]:
    started: list[Followed] = []

    class Kept(Followed):
        def __init__(self, shell: Shell, *words: str) -> None:
            super().__init__(shell, *words)
            started.append(self)

    yield Kept
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
        one.process.communicate()


def texts(lines: list[str]) -> list[str]:
    return [re.sub(r"^\d\d:\d\d:\d\d\.\d{3} ", "", line).split(" (")[0] for line in lines]


def test_each_message_is_printed_once_also_across_navigations(shell: Shell, site: Site, following: type[Followed]) -> None:
    shell.done("open", site.page("<script>console.log(0)</script>", title="One"))
    page = shell.current()
    followed = following(shell, "console", "--follow")
    page.evaluate("console.log('first'), console.warn('two\\nlines'), console.log('first')")
    assert texts(followed.lines(3)) == ["log   first", "warn  two\\nlines", "log   first"]
    # More than one reply has, faster than they are asked for, and the next page.
    site.serve("/next.html", "<!doctype html><title>Next</title><script>console.error('next page')</script>")
    page.evaluate("(() => { for (let at = 0; at < 700; at += 1) console.log(`n${at}`); location.href = '/next.html' })()")
    assert texts(followed.lines(701)) == [*(f"log   n{at}" for at in range(700)), "error next page"]
    code, left, said = followed.interrupted()
    assert (code, left, said) == (130, [], "")
    # What it has begun is over.
    assert json.loads(shell.ok("tabwire console --json"))["data"]["buffering"] is False


def test_of_a_flood_each_message_is_printed_or_counted(shell: Shell, site: Site, following: type[Followed]) -> None:
    shell.done("open", site.page("Flood", title="Flood"))
    followed = following(shell, "console", "--follow")
    shell.current().evaluate("(() => { for (let at = 0; at < 3000; at += 1) console.log(`n${at}`) })(), console.warn('end')")
    lines = texts(followed.until("warn  end"))
    numbers = [int(line.removeprefix("log   n")) for line in lines[:-1]]
    assert numbers == sorted(set(numbers)) and lines[-1] == "warn  end"
    code, left, said = followed.interrupted()
    dropped = sum(map(int, re.findall(r"tabwire: (\d+) were dropped to make room", said)))
    assert (code, left, len(numbers) + dropped) == (130, [], 3000), said
    # A second one prints only what is new.
    followed = following(shell, "console", "--follow")
    shell.current().evaluate("console.log('new')")
    assert texts(followed.lines(1)) == ["log   new"]
    assert followed.interrupted() == (130, [], "")


def test_messages_are_chosen_and_printed_as_json(shell: Shell, site: Site, following: type[Followed]) -> None:
    shell.done("open", site.page("Two", title="Two"))
    followed = following(shell, "console", "--level", "error", "--follow", "--json")
    shell.current().evaluate("console.log('no'), console.error('yes', {a: 1}), console.log('no'), console.error('end')")
    assert [json.loads(line)["text"][:3] for line in followed.lines(2)] == ["yes", "end"]
    assert followed.interrupted()[:2] == (130, [])


def test_each_request_is_printed_once_also_across_navigations(shell: Shell, site: Site, following: type[Followed]) -> None:
    shell.done("open", site.page("Three", title="Three"))
    page = shell.current()
    site.serve("/data", "{}", "application/json")
    followed = following(shell, "requests", "--follow", "--types", "fetch", "--types", "document")
    page.evaluate("(async () => { for (let at = 0; at < 30; at += 1) await fetch(`/data?${at}`); await fetch('/missing') })()")
    lines = followed.lines(31)
    # A request ends with its body, which no script has waited for.
    said = re.findall(r" (\d+ GET) \S+/(data\?\d+|missing)", "\n".join(lines))
    assert sorted(said) == sorted([*(("200 GET", f"data?{at}") for at in range(30)), ("404 GET", "missing")])
    site.serve("/after.html", "<!doctype html><title>After</title><script>fetch('/data?after')</script>")
    page.evaluate("fetch('/data?before', {keepalive: true}), location.href = '/after.html'")
    assert sorted(re.findall(r"/(data\?\w+|after\.html)", "\n".join(followed.lines(3)))) == [
        "after.html",
        "data?after",
        "data?before",
    ]
    assert followed.interrupted() == (130, [], "")


def test_it_ends_with_its_tab(shell: Shell, site: Site, following: type[Followed]) -> None:
    shell.done("tab-new", site.page("Four", title="Four"))
    followed = {command: following(shell, command, "--follow") for command in FOLLOWING}
    (tab,) = {re.findall(r"\d+", one.said)[0] for one in followed.values()}
    shell.done("tab-close", tab)
    for command, one in followed.items():
        code, left, said = one.ended()
        assert (code, left) == (1, []) and "no_such_tab" in said and len(said.splitlines()) == 1, (command, said)


def test_it_ends_with_its_session(shell: Shell, site: Site, following: type[Followed]) -> None:
    shell.done("-s", "brief", "tab-new", site.page("Five", title="Five"))
    followed = {command: following(shell, "-s", "brief", command, "--follow") for command in FOLLOWING}
    shell.done("close", "-s", "brief")
    for command, one in followed.items():
        code, left, said = one.ended()
        assert (code, left) == (1, []) and "session brief" in said, (command, said)
    assert "brief" not in shell.ok("tabwire sessions")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("snapshot --follow", "snapshot has no option --follow; these have it: console, console-messages, requests"),
        ("console clear --follow", "console --follow does not take action"),
        ("requests --follow --max-requests 3", "requests --follow does not take max_requests"),
    ],
)
def test_what_cannot_be_followed_is_said(words: str, says: str, shell: Shell) -> None:
    done = ran_here(*words.split(), env=shell.env, cwd=shell.work)
    assert (done.returncode, done.stdout) == (2, "") and says in done.stderr


def test_a_reader_that_has_seen_enough_ends_it(shell: Shell, site: Site) -> None:
    shell.done("open", site.page("<script>setInterval(() => console.log(1), 20)</script>", title="Six"))
    done = shell.run("tabwire console --follow | head -2")
    assert done.returncode == 0 and texts(done.stdout.splitlines()) == ["log   1"] * 2
