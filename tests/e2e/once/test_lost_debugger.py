"""The debugger is lost under an act, as when the person presses Cancel in the bar that Chrome shows: what it did is not done again."""

import pytest

from e2e.conftest import Launched
from e2e.site import Site
from polling import until

HELD = """<button id=b>Go</button><input id=f aria-label=Name><script>globalThis.heard = [];
const wait = (event) => {
  heard.push(event.type);
  const x = new XMLHttpRequest(); x.open('GET', '/gate/held', false); x.send();
};
b.addEventListener('pointerdown', wait, { once: true }); f.addEventListener('keydown', wait, { once: true });
for (const type of ['pointerdown', 'click']) b.addEventListener(type, () => heard.push(`then ${type}`));
f.addEventListener('keydown', () => heard.push('then keydown'));
</script>"""
ACTS = {
    "click": ({"selector": "#b"}, "then pointerdown"),
    "press": ({"selector": "#f", "key": "a"}, "then keydown"),
    "type": ({"selector": "#f", "text": "a"}, "then keydown"),
    "evaluate": ({"expression": "(b.dispatchEvent(new Event('pointerdown')), 1)"}, "then pointerdown"),
}


@pytest.mark.parametrize("tool", ACTS)
def test_an_act_under_which_the_debugger_was_lost_is_not_done_again_without_it(tool: str, launched: Launched, site: Site) -> None:
    arguments, sign = ACTS[tool]
    launched.tabwire.open(site.page(HELD))
    page = launched.browser.shown()
    launched.tabwire.ok("snapshot")
    site.hold("/gate/held")
    acting = launched.tabwire.start(tool, **arguments)
    site.wait_for(lambda site: site.hit_count("/gate/held") == 1)
    launched.browser.in_worker(
        "chrome.debugger.getTargets().then((all) => Promise.all(all.filter((one) => one.attached && one.tabId)"
        ".map(({ tabId }) => chrome.debugger.detach({ tabId }).catch(() => {})))).then(() => 1)"
    )
    site.let_go("/gate/held")
    reply = acting.result(20)
    until(lambda: page.evaluate("heard.length") > 1)
    launched.tabwire.ok("title")
    assert page.evaluate(f"heard.filter((one) => one === '{sign}').length") == 1, reply
    assert reply.code == "outcome_unknown" or not reply.is_error, reply
