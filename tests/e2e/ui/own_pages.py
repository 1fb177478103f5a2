"""The extension's own pages, looked at by a person: light and dark, and by axe-core, which knows what screen readers need."""

import base64
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from e2e.cdp import Browser, Page
from e2e.client import ROOT
from tabwire.wire import pairing

AXE = Path(os.environ.get("TABWIRE_TEST_AXE", ROOT / "node_modules/axe-core/axe.min.js"))
THEMES = ("light", "dark")
PASSED = {"light": 5, "dark": 0}
"""More rules than that have something to look at on each page."""
RULES = {"light": "", "dark": "runOnly: ['cat.color'], "}
"""Which rules of axe-core are asked: a theme changes colours and nothing else, so that the others are asked once."""
VIOLATIONS = """axe.run(document, { %sresultTypes: ["violations"] }).then(({ violations, passes }) => ({ passes: passes.length,
  found: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("; ")}`) }))"""


EXTENSION = pairing.extension_id(json.loads((ROOT / "manifest.json").read_text())["key"])
POPUP = f"chrome-extension://{EXTENSION}/extension/ui/popup/popup.html"
PANEL = f"chrome-extension://{EXTENSION}/extension/ui/side-panel/panel.html"
OPTIONS = f"chrome-extension://{EXTENSION}/extension/ui/options/options.html"
QUESTION = f"chrome-extension://{EXTENSION}/extension/ui/question/question.html"
UNTHROTTLED = "--disable-background-timer-throttling"
"""Popup and side panel are in sight when a person has them; the tabs in which tests open them may be behind another one."""
WELCOME = f"chrome-extension://{EXTENSION}/extension/ui/welcome/welcome.html"


def ask_extension(browser: Browser, **message: Any) -> Any:
    """The extension's answer to its popup."""
    popup = browser.open(POPUP)
    try:
        popup.wait_for("typeof chrome?.runtime?.sendMessage === 'function'")
        return popup.evaluate(f"chrome.runtime.sendMessage({json.dumps(message)})")
    finally:
        popup.close()


def open_page(browser: Browser, url: str) -> Page:
    """A page of the extension in a tab of the background."""
    page = Page(browser, browser.call("Target.createTarget", {"url": url, "background": True})["targetId"])
    page.wait_for("location.href.startsWith('chrome-extension:') && document.readyState === 'complete'")
    return page


def hasten(page: Page, *timers: str | int) -> None:
    """From now on these timers of a page, by the name of what they run or by their time in ms, run at once: a test does not sit them out."""
    page.evaluate(f"""(() => {{
      const set = setTimeout, hastened = {json.dumps(timers)};
      globalThis.setTimeout = (run, ms, ...args) => set(run, hastened.includes(run.name) || hastened.includes(ms) ? 0 : ms, ...args);
    }})()""")


def read(page: Page) -> None:
    """The person has had the time to read the questions that a page shows: a click that comes too soon after one is no answer."""
    page.evaluate("performance.now = ((now) => () => now() + 1000)(performance.now.bind(performance)), 1")


@contextmanager
def themed(page: Page, theme: str, width: int) -> Iterator[str]:
    """The page in front, in a colour scheme and as wide as it is shown; gives the session in which that is so."""
    browser = page.browser
    browser.call("Target.activateTarget", {"targetId": page.target_id})
    own_width = page.evaluate("innerWidth")
    session = browser.call("Target.attachToTarget", {"targetId": page.target_id, "flatten": True})["sessionId"]
    try:
        # Without motion: a colour that is on its way to another one is neither.
        features = [{"name": "prefers-color-scheme", "value": theme}, {"name": "prefers-reduced-motion", "value": "reduce"}]
        browser.call("Emulation.setEmulatedMedia", {"features": features}, session)
        browser.call(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
            session,
        )
        yield session
    finally:
        browser.call("Target.detachFromTarget", {"sessionId": session})
        # What is in it moves once more.
        page.wait_for(f"innerWidth === {own_width} && !matchMedia('(prefers-reduced-motion)').matches")


def look_at(page: Page, name: str, width: int = 380) -> None:
    """Asserts that axe-core finds nothing against a page in light and dark; TABWIRE_TEST_PICTURES gets a picture of each."""
    pictures = os.environ.get("TABWIRE_TEST_PICTURES")
    asked, grounds = {"awaitPromise": True, "returnByValue": True}, set()
    for theme in THEMES:
        with themed(page, theme, width) as session:
            if not page.browser.call("Runtime.evaluate", {"expression": "'axe' in globalThis"}, session)["result"]["value"]:
                run: Any = page.browser.call("Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8")}, session)
                assert "exceptionDetails" not in run, run
            run = page.browser.call("Runtime.evaluate", {"expression": VIOLATIONS % RULES[theme], **asked}, session, 30)
            report = run["result"]["value"]
            assert report["passes"] > PASSED[theme] and report["found"] == [], (name, theme, report)
            ground = "getComputedStyle(document.body).backgroundColor"
            grounds.add(page.browser.call("Runtime.evaluate", {"expression": ground, **asked}, session)["result"]["value"])
            if pictures:
                shot = page.browser.call("Page.captureScreenshot", {"captureBeyondViewport": True}, session, 20)
                Path(pictures).mkdir(parents=True, exist_ok=True)
                (Path(pictures) / f"{name}-{theme}.png").write_bytes(base64.b64decode(shot["data"]))
    assert len(grounds) == len(THEMES), "dark is another colour than light"
