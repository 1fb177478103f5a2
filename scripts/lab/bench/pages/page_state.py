"""The state in which pages are measured, by the same conditions for every tool: at rest, and changed since the last look."""

import contextlib
import time
from typing import Any

from e2e.cdp import CdpError, Page

QUIET_MS = 300
LIMIT_MS = 10_000

# A page that never comes to rest is measured as it is at the limit.
AT_REST = f"""(async () => {{
  if (document.readyState !== "complete") await new Promise((loaded) => addEventListener("load", loaded, {{ once: true }}));
  await document.fonts.ready;
  await new Promise((done) => {{
    let timer = setTimeout(done, {QUIET_MS});
    const observer = new MutationObserver(() => {{
      clearTimeout(timer);
      timer = setTimeout(done, {QUIET_MS});
    }});
    observer.observe(document, {{ subtree: true, childList: true, attributes: true, characterData: true }});
    setTimeout(done, {LIMIT_MS});
  }});
}})()"""

# Two frames later the change is laid out and drawn, as it is for who looks at a page that an act has changed.
CHANGE = """(async () => {
  const before = document.getElementById("bench-change");
  if (before) before.remove();
  else document.body.append(Object.assign(document.createElement("span"), { id: "bench-change", textContent: "changed" }));
  const drawn = () => new Promise((done) => { requestAnimationFrame(done); setTimeout(done, 200); });
  await drawn();
  await drawn();
})()"""


def wait_at_rest(page: Page) -> None:
    """Wait until the page's network is idle for half a second (as Playwright's `networkidle` is) and it is `AT_REST`."""
    _wait_network_idle(page)
    page.evaluate(AT_REST, timeout=2 * LIMIT_MS / 1000)


def _wait_network_idle(page: Page) -> None:
    browser = page.browser
    session = browser.call("Target.attachToTarget", {"targetId": page.target_id, "flatten": True})["sessionId"]
    try:
        browser.call("Page.enable", session=session)
        loader = browser.call("Page.getFrameTree", session=session)["frameTree"]["frame"]["loaderId"]
        # What has happened to the document before is told again.
        browser.call("Page.setLifecycleEventsEnabled", {"enabled": True}, session)
        end = time.monotonic() + LIMIT_MS / 1000
        while not any(_is_idle(event, loader) for event in browser.events) and time.monotonic() < end:
            time.sleep(0.02)
            browser.call("Runtime.evaluate", {"expression": "0"}, session)
    finally:
        with contextlib.suppress(CdpError, TimeoutError):
            browser.call("Target.detachFromTarget", {"sessionId": session})


def _is_idle(event: dict[str, Any], loader: str) -> bool:
    params = event["params"]
    return bool(event["method"] == "Page.lifecycleEvent" and params["name"] == "networkIdle" and params["loaderId"] == loader)
