"""A browser with incognito windows, for the tests of the network in them."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.plain import PlainChromium
from e2e.site import Site
from polling import until


@dataclass(frozen=True)
class Incognito:
    """A browser of the user's own in whose incognito windows Tabwire may be, and a client of it."""

    chromium: PlainChromium
    tabwire: Tabwire

    @property
    def browser(self) -> Browser:
        return self.chromium.browser


@pytest.fixture(scope="session")
def running_incognito(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Incognito]:
    chromium = PlainChromium(tmp_path_factory.mktemp("incognito"), "about:blank")
    try:
        allow_incognito(chromium.browser)
        yield Incognito(chromium, joined(chromium))
    finally:
        chromium.close()


@pytest.fixture
def incognito(running_incognito: Incognito, site: Site) -> Iterator[Incognito]:
    running_incognito.browser.call("Storage.clearCookies")
    with running_incognito.chromium.for_a_test(running_incognito.tabwire):
        yield running_incognito


def allow_incognito(browser: Browser) -> None:
    """As the switch in chrome://extensions does; the extension starts again."""
    settings = browser.open("chrome://extensions")
    settings.wait_for("globalThis.chrome?.developerPrivate !== undefined")
    settings.wait_for(
        "chrome.developerPrivate.getExtensionsInfo().then((all) => (globalThis.ours = all.find((one) => one.name === 'Tabwire')))"
    )
    # Without developer mode Chrome does not start an unpacked extension again.
    settings.evaluate("chrome.developerPrivate.updateProfileConfiguration({inDeveloperMode: true})")
    settings.evaluate("chrome.developerPrivate.updateExtensionConfiguration({extensionId: ours.id, incognitoAccess: true})")
    settings.wait_for(
        "chrome.developerPrivate.getExtensionInfo(ours.id).then((one) => one.incognitoAccess.isActive && one.state === 'ENABLED')"
    )
    settings.close()


def joined(chromium: PlainChromium) -> Tabwire:
    """A bridge that the browser has found; a new tab makes it look."""
    bridge = chromium.serve()

    def has_found() -> bool:
        chromium.browser.open("about:blank").close()
        return not bridge.call("tab_list").is_error

    until(has_found, within=15, says=bridge.log_tail)
    return bridge
