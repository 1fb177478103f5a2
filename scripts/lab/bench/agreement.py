"""Roles and names of the content scripts against the accessibility tree of the browser, element by element, on real pages.

    scripts/lab/bench/agreement.py [--all N] [--out FILE] [PAGE…]

Every element that the browser has in its tree and does not ignore is compared. ``--all N`` takes every N-th page of the
fetched packages instead of the chosen ones. Disagreements are grouped by kind; ``--out`` writes all of them as JSON.
"""

import argparse
import collections
import json
import re
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests"))

from pages.page_state import wait_at_rest
from pages.real_pages import APPLICATIONS, DOCUMENTS, MOUNTS, RealPages
from row import Row

from e2e.cdp import Browser, CdpError
from e2e.client import Tabwire
from extension.content_page import content_source

GOAL = 0.99
EXAMPLES = 3

# What the protocol calls elements that have no ARIA role (or another word for it), in the words of HTML-AAM.
CHROME_ROLES = {
    "img": "image",
    "presentation": "none",
    "Abbr": "generic",
    "Audio": "audio",
    "Canvas": "generic",
    "ColorWell": "textbox",
    "Date": "generic",
    "DateTime": "generic",
    "DescriptionList": "generic",
    "Details": "group",
    "DisclosureTriangle": "generic",
    "DisclosureTriangleGrouped": "generic",
    "EmbeddedObject": "generic",
    "Figcaption": "caption",
    "Footer": "sectionfooter",
    "Header": "sectionheader",
    "Iframe": "iframe",
    "IframePresentational": "iframe",
    "InputTime": "generic",
    "LabelText": "generic",
    "LayoutTable": "generic",
    "Legend": "generic",
    "MenuListOption": "option",
    "PluginObject": "generic",
    "Pre": "generic",
    "Ruby": "generic",
    "RubyAnnotation": "generic",
    "Section": "generic",
    "SectionFooter": "generic",
    "SectionHeader": "generic",
    "SvgRoot": "image",
    "Video": "video",
}
# Our words for what ARIA has no role for, and synonyms.
OUR_ROLES = {"img": "image", "presentation": "none", "summary": "generic", "legend": "generic", "label": "generic"}
# Nodes of the browser's tree that are no elements, or the document itself.
GLYPHS = re.compile("[\ue000-\uf8ff]")
NOT_ELEMENTS = {"RootWebArea", "StaticText", "InlineTextBox", "ListMarker", "LineBreak"}

OURS = """(() => {
  const tw = globalThis.__inside;
  const found = [];
  const walk = (element) => {
    found.push(element);
    const shadow = tw.flatTree.shadowRootOf(element);
    if (shadow) for (const child of shadow.children) walk(child);
    for (const child of element.children) walk(child);
  };
  walk(document.documentElement);
  const outline = (element) => {
    const html = element.cloneNode(false).outerHTML ?? "";
    return html.replace(/ (class|style|d|src|srcset|data-[\\w-]+)="[^"]*"/g, "").slice(0, 160);
  };
  return tw.flatTree.cached(() => found.map((element) => ({
    tag: element.localName,
    role: tw.roles.roleOf(element),
    name: tw.names.nameOf(element),
    hidden: tw.visibility.isAccessibilityHidden(element),
    html: outline(element),
    parent: element.parentElement?.localName ?? "",
  })));
})()"""


@dataclass(frozen=True)
class Difference:
    """Difference between the two trees about one element."""

    kind: str
    page: str
    html: str
    parent: str
    ours: str
    chrome: str


@dataclass
class Tally:
    compared: int = 0
    agreed: int = 0
    roles_agreed: int = 0
    # without elements that are generic for both: what has a role or a name
    meaningful: int = 0
    meaningful_agreed: int = 0
    ours_only: int = 0
    # names equal but for capitals made by CSS (Chrome reads what is drawn) or glyphs of icon fonts (which say nothing)
    nearly: int = 0


def _tidy(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def _comparable(name: str) -> str:
    return _tidy(GLYPHS.sub("", name)).casefold()


def _elements(node: dict[str, Any]) -> list[int]:
    """The backend ids of all elements in the order of the walk in OURS."""
    found: list[int] = []
    stack = [child for child in node.get("children", []) if child["nodeType"] == 1]
    while stack:
        at = stack.pop()
        found.append(at["backendNodeId"])
        shadow = [root for root in at.get("shadowRoots", []) if root["shadowRootType"] != "user-agent"]
        inner = [child for root in shadow for child in root.get("children", [])] + at.get("children", [])
        stack.extend(child for child in reversed(inner) if child["nodeType"] == 1)
    return found


class Page:
    """Reads both trees of the page that is shown."""

    def __init__(self, tabwire: Tabwire, browser: Browser) -> None:
        self._tabwire = tabwire
        self._browser = browser

    def read(self, url: str) -> tuple[list[dict[str, Any]], dict[int, dict[str, Any]], list[int]]:
        self._tabwire.ok("navigate", url=url)
        self._tabwire.call("snapshot", max_chars=1000)  # puts the content scripts into the page
        wait_at_rest(self._browser.shown())
        target = next(page["targetId"] for page in self._browser.targets("page") if page["url"].split("#")[0] == url)
        session = self._browser.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        try:
            return self._trees(session)
        finally:
            self._browser.call("Target.detachFromTarget", {"sessionId": session})

    def _trees(self, session: str) -> tuple[list[dict[str, Any]], dict[int, dict[str, Any]], list[int]]:
        self._browser.call("Runtime.enable", session=session)
        contexts = [event["params"]["context"] for event in self._browser.events if event["method"].endswith("ContextCreated")]
        top = self._browser.call("Page.getFrameTree", session=session)["frameTree"]["frame"]["id"]
        ours = next(c for c in contexts if c["origin"].startswith("chrome-extension:") and c["auxData"]["frameId"] == top)
        script = {"expression": f"{content_source(entry='')}\n{OURS}", "returnByValue": True, "contextId": ours["id"]}
        self._browser.call("DOM.enable", session=session)
        self._browser.call("Accessibility.enable", session=session)
        nodes = self._browser.call("Accessibility.getFullAXTree", session=session, timeout=60)["nodes"]
        reply = self._browser.call("Runtime.evaluate", script, session, 60)
        if "exceptionDetails" in reply:
            raise CdpError(str(reply["exceptionDetails"])[:500])
        root = self._browser.call("DOM.getDocument", {"depth": -1, "pierce": True}, session, 60)["root"]
        tree = {node["backendDOMNodeId"]: node for node in nodes if "backendDOMNodeId" in node}
        return reply["result"]["value"], tree, _elements(root)


def _chrome_role(node: dict[str, Any]) -> str:
    role = str(node["role"]["value"])
    return CHROME_ROLES.get(role, role)


def _compare(page: str, element: dict[str, Any], node: dict[str, Any], tally: Tally) -> list[Difference]:
    role, name = OUR_ROLES.get(element["role"], element["role"]), _tidy(element["name"])
    chrome_role, chrome_name = _chrome_role(node), _tidy(str(node.get("name", {}).get("value", "")))
    role_agrees, name_agrees = role == chrome_role, _comparable(name) == _comparable(chrome_name)
    tally.compared += 1
    tally.nearly += name_agrees and name != chrome_name
    tally.roles_agreed += role_agrees
    tally.agreed += role_agrees and name_agrees
    if role != "generic" or chrome_role != "generic" or name or chrome_name:
        tally.meaningful += 1
        tally.meaningful_agreed += role_agrees and name_agrees
    where = {"page": page, "html": element["html"], "parent": element["parent"]}
    found = []
    if not role_agrees:
        kind = f"role of <{element['tag']}>: {role}, Chrome {node['role']['value']}"
        found.append(Difference(kind, ours=role, chrome=str(node["role"]["value"]), **where))
    if not name_agrees:
        how = "missing" if not name else "not in Chrome" if not chrome_name else "different"
        kind = f"name of <{element['tag']}> {role}: {how}"
        found.append(Difference(kind, ours=name[:200], chrome=chrome_name[:200], **where))
    return found


def _page(reader: Page, origin: str, path: str, tally: Tally) -> list[Difference]:
    ours, tree, ids = reader.read(f"{origin}/{path}")
    if len(ours) != len(ids):
        print(f"  {path}: changes while it is read ({len(ours)} and {len(ids)} elements); left out", file=sys.stderr)
        return []
    found: list[Difference] = []
    for element, number in zip(ours, ids, strict=True):
        node = tree.get(number)
        if node is None or node.get("ignored") or node["role"]["value"] in NOT_ELEMENTS:
            tally.ours_only += not element["hidden"] and element["role"] not in ("generic", "none")
            continue
        if element["hidden"]:
            found.append(
                Difference(f"hidden: <{element['tag']}>", path, element["html"], element["parent"], "hidden", _chrome_role(node))
            )
        found.extend(_compare(path, element, node, tally))
    return found


def _chosen(every: int) -> list[str]:
    if not every:
        return RealPages.existing(DOCUMENTS + APPLICATIONS)
    paths = [f"{mount}/{file.relative_to(root)}" for mount, root in MOUNTS.items() for file in sorted(root.rglob("*.html"))]
    return paths[::every]


def compare(paths: list[str]) -> tuple[Tally, list[Difference]]:
    """Opens each page in a launched browser and compares both trees."""
    pages = RealPages()
    tally, found = Tally(), list[Difference]()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        args = ["--launch", "--headless", "--browser-arg=--remote-debugging-port=0", "--profile", str(work / "profile")]
        tabwire = Tabwire(args, {"TABWIRE_HOME": str(work / "home")}, work)
        try:
            browser = Browser.of_profile(work / "profile")
            reader = Page(tabwire, browser)
            for path in paths:
                before = Tally(**asdict(tally))
                try:
                    found += _page(reader, pages.origin, path, tally)
                except (AssertionError, CdpError, StopIteration, TimeoutError) as error:
                    print(f"  {path}: {type(error).__name__} {str(error)[:200]}", file=sys.stderr)
                    continue
                seen, agreed = tally.meaningful - before.meaningful, tally.meaningful_agreed - before.meaningful_agreed
                print(f"  {path:<70} {seen:6} with a role or name, {100 * agreed / max(seen, 1):6.2f} % agree", flush=True)
            browser.close()
        finally:
            tabwire.close()
            pages.close()
    return tally, found


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / max(whole, 1):.2f} %"


def _report(tally: Tally, found: list[Difference]) -> None:
    groups = collections.defaultdict(list)
    for one in found:
        groups[one.kind].append(one)
    print("\nkinds of disagreement, the most frequent first:")
    for kind, members in sorted(groups.items(), key=lambda group: -len(group[1])):
        print(f"{len(members):6}  {kind}")
        distinct = {(one.ours, one.chrome): one for one in reversed(members)}
        for one in list(distinct.values())[-EXAMPLES:]:
            print(f"          {one.html[:110]}  in <{one.parent}>, {one.page}")
            print(f"            ours {one.ours[:90]!r}, Chrome {one.chrome[:90]!r}")
    roles, both = _percent(tally.roles_agreed, tally.compared), _percent(tally.agreed, tally.compared)
    print(f"\n{tally.compared} elements in Chrome's tree: role {roles}, role and name {both}")
    print(f"{tally.meaningful} of them with a role or a name: {_percent(tally.meaningful_agreed, tally.meaningful)}")
    print(f"{tally.nearly} names differ only by capitals that CSS makes or by glyphs of icon fonts (counted as agreeing)")
    print(f"{tally.ours_only} with a role for us that Chrome ignores or does not have")


def measure() -> list[Row]:
    """The share of elements that disagree, against the share that may."""
    tally, _ = compare(_chosen(0))
    return [Row("elements whose role or name disagrees", 100 * (1 - tally.agreed / tally.compared), 100 * (1 - GOAL), "%", 1.0)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--all", type=int, default=0, metavar="N")
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    tally, found = compare(arguments.pages or _chosen(arguments.all))
    _report(tally, found)
    if arguments.out:
        arguments.out.write_text(json.dumps([asdict(one) for one in found], indent=1))
    return 0 if tally.agreed >= GOAL * tally.compared else 1


if __name__ == "__main__":
    sys.exit(main())
