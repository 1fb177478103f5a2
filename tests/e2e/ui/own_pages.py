"""The extension's own pages, looked at by a person: light and dark, and by axe-core, which knows what screen readers need."""

import base64
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from e2e.cdp import Page
from e2e.client import ROOT
from e2e.plain import PlainChromium
from tabwire.wire import pairing

AXE = Path(os.environ.get("TABWIRE_TEST_AXE", ROOT / "node_modules/axe-core/axe.min.js"))
THEMES = ("light", "dark")
VIOLATIONS = """axe.run(document, { resultTypes: ["violations"] }).then(({ violations, passes }) => ({ passes: passes.length,
  found: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("; ")}`) }))"""


def address(chromium: PlainChromium, path: str) -> str:
    """The URL of a page of the extension: its path below extension/ui."""
    key = json.loads((chromium.extension / "manifest.json").read_text())["key"]
    return f"chrome-extension://{pairing.extension_id(key)}/extension/ui/{path}"


def open_page(chromium: PlainChromium, path: str) -> Page:
    """A page of the extension in a tab of the background."""
    made = chromium.browser.call("Target.createTarget", {"url": address(chromium, path), "background": True})
    page = Page(chromium.browser, made["targetId"])
    page.wait_for("location.href.startsWith('chrome-extension:') && document.readyState === 'complete'")
    return page


@contextmanager
def themed(page: Page, theme: str, width: int) -> Iterator[str]:
    """The page in front, in a colour scheme and as wide as it is shown; gives the session in which that is so."""
    browser = page.browser
    browser.call("Target.activateTarget", {"targetId": page.target_id})
    session = browser.call("Target.attachToTarget", {"targetId": page.target_id, "flatten": True})["sessionId"]
    try:
        browser.call("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]}, session)
        browser.call(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
            session,
        )
        yield session
    finally:
        browser.call("Target.detachFromTarget", {"sessionId": session})


def look_at(page: Page, name: str, folder: Path, width: int = 380) -> None:
    """Takes pictures of a page in light and dark, and asserts that axe-core finds nothing against either."""
    folder = Path(os.environ.get("TABWIRE_TEST_PICTURES", folder))
    folder.mkdir(parents=True, exist_ok=True)
    grounds = set()
    for theme in THEMES:
        with themed(page, theme, width) as session:
            evaluate = {"awaitPromise": True, "returnByValue": True}
            run: Any = page.browser.call("Runtime.evaluate", {"expression": AXE.read_text()}, session)
            assert "exceptionDetails" not in run, run
            run = page.browser.call("Runtime.evaluate", {"expression": VIOLATIONS, **evaluate}, session, 30)
            report = run["result"]["value"]
            assert report["passes"] > 5 and report["found"] == [], (name, theme, report)
            ground = "getComputedStyle(document.body).backgroundColor"
            grounds.add(page.browser.call("Runtime.evaluate", {"expression": ground, **evaluate}, session)["result"]["value"])
            shot = page.browser.call("Page.captureScreenshot", {"captureBeyondViewport": True}, session, 20)
            (folder / f"{name}-{theme}.png").write_bytes(base64.b64decode(shot["data"]))
    assert len(grounds) == len(THEMES), "dark is another colour than light"
