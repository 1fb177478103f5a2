"""memory: what a page keeps, what has grown over an act, and by which properties and variables it is kept."""

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

LEAKS = """<button id=open>Open</button><ul id=list></ul><script>
class Order { constructor(id) { this.id = id; this.rows = new Array(20).fill(id); } }
class Panel { constructor(id) { this.id = id; this.note = [id, id + 1]; } }
(() => {
  const cache = new Map();
  const removed = [];
  window.shop = { read: (id) => cache.get(id), add: (id) => cache.set(id, new Order(id)), size: () => cache.size,
    drop: (item) => removed.push(item), dropped: () => removed.length };
})();
open.id = 'open';
document.querySelector('#open').addEventListener('click', () => {
  for (let at = 0; at < 300; at++) {
    shop.add(shop.size());
    const panel = new Panel(at);
    window.addEventListener('resize', function onResize() { panel.id += 1; });
    const item = document.createElement('li');
    item.append(document.createElement('b'));
    list.append(item);
    item.remove();
    shop.drop(item);
  }
});
</script>"""


def test_growth_over_an_act_is_told_with_the_properties_and_variables_that_keep_it(
    tabwire: Tabwire, site: Site, page: ShownPage
) -> None:
    tabwire.open(site.page(LEAKS))
    tabwire.ok("click", selector="css=#open")
    first = tabwire.ok("memory")
    assert (page.evaluate("shop.size()"), "before" in first.data) == (300, False)
    tabwire.ok("click", selector="css=#open")
    tabwire.ok("click", selector="css=#open")
    reply = tabwire.ok("memory", since_last=True, max_groups=40)
    assert (page.evaluate("shop.size()"), page.evaluate("shop.dropped()")) == (900, 900)
    grown = {group["name"]: group for group in reply.data["groups"]}
    order, panel, listener = grown["Order"], grown["Panel"], grown["onResize()"]
    assert [(one["added"], one["count"]) for one in (order, panel, listener)] == [(600, 900)] * 3
    assert ".shop (Object)" in order["kept"][0]["path"] and " → variable cache (Map) → value (Order)" in order["kept"][0]["path"]
    assert "listener of resize (onResize()) → variable panel (Panel)" in panel["kept"][0]["path"]
    assert listener["kept"][0]["path"] == "window → listener of resize (onResize())"
    # Watchers of acts are among the listeners.
    use, before = reply.data["use"], reply.data["before"]
    assert use["listeners"] - before["listeners"] >= 600 and use["detached"] - before["detached"] == 600
    (items,) = [one for one in reply.data["detached"] if one["element"] == "<li>"]
    assert (items["count"], items["elements"]) == (900, 1800) and "variable removed (Array)[] (detached <li>)" in items["path"]
