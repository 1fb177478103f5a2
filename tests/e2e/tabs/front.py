"""A browser of the user's own, whatever page is in front when a client makes its first call there."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from e2e.cdp import Browser, CdpError
from e2e.client import Tabwire
from e2e.plain import LOAD, PlainChromium
from e2e.site import Site
from polling import until

BARRED_HOST = "bank.localhost"
RULES = {"permissions": {"allow": ["all"], "sites": {BARRED_HOST: "never"}}}
OTHER_EXTENSION = {"manifest_version": 3, "name": "Other", "version": "1"}


@dataclass(frozen=True)
class Tabs:
    """Tabs as Chrome lists them: id → address, and which are in front in their windows."""

    urls: dict[int, str]
    shown: frozenset[int]


@dataclass
class Desk:
    """See the module docstring."""

    chromium: PlainChromium
    other_extension: str
    """Address of a page of another extension."""
    site: Site = field(init=False)
    count: int = 0
    """Clients so far."""
    _clients: list[Tabwire] = field(default_factory=list)

    @classmethod
    @contextmanager
    def started(cls, work: Path) -> Iterator[Self]:
        """The browser, until the end of the block."""
        other = work / "other"
        other.mkdir()
        (other / "manifest.json").write_text(json.dumps(OTHER_EXTENSION))
        (other / "page.html").write_text("<h1>Other extension</h1>")
        chromium = PlainChromium(work, "about:blank", pairing=RULES, flags=[LOAD + str(other)])
        try:
            until_awake(chromium.browser)
            yield cls(chromium, f"chrome-extension://{id_of_folder(other)}/page.html")
        finally:
            chromium.close()

    @property
    def browser(self) -> Browser:
        return self.chromium.browser

    def ask(self, expression: str) -> Any:
        """What Chrome says to an expression in the extension's worker."""
        return self.browser.in_worker(expression)

    def client(self, *options: str) -> Tabwire:
        """A client that has made no call yet; the extension, not a call, says that it is connected."""
        self.count += 1
        name = f"client {self.count} of the desk"
        self._clients.append(self.chromium.serve(*options, name=name))
        until(lambda: name in self.ask("chrome.action.getTitle({})"), within=30, ignoring=(IndexError, CdpError))
        return self._clients[-1]

    def tabs(self) -> Tabs:
        listed = self.ask("chrome.tabs.query({})")
        return Tabs({tab["id"]: tab["url"] for tab in listed}, frozenset(tab["id"] for tab in listed if tab["active"]))

    def show(self, url: str, at: str | None = None) -> int:
        """The user opens a tab in front; ``at`` is where it ends, if that is not its address."""
        # For a moment after a window was closed, Chrome calls none the current one.
        window = (
            "chrome.windows.getAll({ windowTypes: ['normal'] }).then((all) => (all.find(({ focused }) => focused) ?? all[0]).id)"
        )
        create = f"{window}.then((windowId) => chrome.tabs.create({{ windowId, url: {json.dumps(url)} }})).then(({{ id }}) => id)"
        tab = int(self.ask(create))
        until(lambda: self.ask(f"chrome.tabs.get({tab})"), lambda now: now["status"] == "complete" and now["url"] == (at or url))
        return tab

    def in_page(self, tab: int, expression: str) -> Any:
        """The value of an expression in a tab, in front or not."""
        target = f"{{ target: {{ tabId: {tab} }}, world: 'MAIN', func: () => {expression} }}"
        return self.ask(f"chrome.scripting.executeScript({target}).then(([answer]) => answer.result)")

    def clear(self) -> None:
        """Ends the clients, and leaves one empty tab in one window."""
        for client in self._clients:
            client.close()
        self._clients.clear()
        left = self.ask("""chrome.windows.getAll().then(async (windows) => {
          const home = windows.find(({ type }) => type === "normal") ?? await chrome.windows.create({ url: "about:blank" });
          const { id } = await chrome.tabs.create({ windowId: home.id, url: "about:blank" });
          const others = (await chrome.tabs.query({})).filter((tab) => tab.id !== id);
          await chrome.tabs.remove(others.map((tab) => tab.id));
          return id;
        })""")
        # A new tab has no address until its empty document has come: without one it would pass for a page of no tab below.
        until(lambda: self.tabs().urls, equals={left: "about:blank"})
        # Nobody of the extension may close these.
        for target in self.browser.targets("page"):
            if target["url"] not in self.tabs().urls.values():
                self.browser.call("Target.closeTarget", {"targetId": target["targetId"]})


def id_of_folder(folder: Path) -> str:
    """The id of an unpacked extension without a key of its own: Chrome derives it from the path of its folder."""
    return "".join(chr(ord("a") + int(digit, 16)) for digit in sha256(str(folder).encode()).hexdigest()[:32])


def until_awake(browser: Browser) -> None:
    """Until the worker of the extension runs."""
    until(lambda: browser.in_worker("!!chrome.tabs"), within=30, ignoring=(IndexError, CdpError))


def set_switch(browser: Browser, **switches: bool) -> None:
    """The user's hand at a switch of Tabwire's card in chrome://extensions, after which the extension starts again."""
    settings = browser.open("chrome://extensions")
    settings.wait_for("globalThis.chrome?.developerPrivate !== undefined")
    ours = "chrome.developerPrivate.getExtensionsInfo().then((all) => all.find((one) => one.name === 'Tabwire'))"
    wish = json.dumps(switches)[1:-1]
    settings.evaluate(
        f"{ours}.then(({{ id }}) => chrome.developerPrivate.updateExtensionConfiguration({{ extensionId: id, {wish} }}))"
    )
    for name, wanted in switches.items():
        settings.wait_for(f"{ours}.then((one) => one.{name}.isActive === {json.dumps(wanted)} && one.state === 'ENABLED')")
    settings.close()
    until_awake(browser)
