"""Role, name, description and states agree with the standards' own tests, and with cases that those leave out (accessibility_cases.py)."""

from __future__ import annotations

import functools
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver

from extension.content.dom.accessibility_cases import DESCRIPTIONS, NAMES, ROLES, STATES
from extension.content_page import content_source

CASES = Path(__file__).resolve().parents[3] / "wpt"
NO_ROLE = {"", "none", "presentation", "generic"}
# Chromium's content scripts see closed roots by chrome.dom; a plain page needs a stand-in.
CLOSED_ROOTS = """
const roots = new WeakMap(), attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (options) { const root = attach.call(this, options); roots.set(this, root); return root; };
(globalThis.chrome ??= {}).dom = { openOrClosedShadowRoot: (element) => roots.get(element) ?? element.shadowRoot };
"""
DESCRIBE = """
const tw = globalThis.__inside, found = {};
tw.flatTree.cached(() => {
  const take = (element) => {
    const id = element.getAttribute("data-testid");
    if (id && !(id in found)) found[id] = tw.states.describe(element);
  };
  for (const element of tw.flatTree.walkElements(document)) take(element);
  for (const element of document.querySelectorAll("[data-testid]")) take(element);
  for (const element of tw.flatTree.walkElements(document)) {
    const role = tw.roles.roleOf(element);
    if (!element.matches(tw.roles.selectorOf(role, document))) throw new Error(`role:${role} does not look at ${element.outerHTML}`);
  }
});
return found;
"""
QUERY = """
const [role, options] = arguments, tw = globalThis.__inside, exact = (text) => text.trim().replace(/\\s+/g, " ");
const named = (element) => options.name === undefined || (options.exact
  ? exact(tw.names.nameOf(element)) === exact(options.name)
  : tw.names.nameOf(element).toLowerCase().includes(options.name.toLowerCase()));
const stated = (element) => ["checked", "pressed", "expanded", "level"].every((key) => {
  if (!(key in options)) return true;
  const value = tw.states.statesOf(element, role)[key];
  return (key === "pressed" && value === undefined ? false : value) === options[key];
});
const everything = (root) => [...root.querySelectorAll("*")].flatMap((element) => {
  const inner = tw.flatTree.shadowRootOf(element);
  return inner ? [element, ...everything(inner)] : [element];
});
return everything(document).filter((element) => tw.roles.hasRole(element, role)
  && (options.includeHidden || !tw.visibility.isAccessibilityHidden(element)) && named(element) && stated(element))
  .map((element) => element.dataset.testid);
"""


MARKED = "return [...__inside.flatTree.walkElements(document)].filter((element) => element.hasAttribute('data-testid'))"
EACH = """
const [documents, given] = arguments;
return Object.fromEntries(Object.entries(documents).map(([name, text]) => {
  document.open(); document.write(text); document.close();
  inject();
  try {
    return [name, (function () { %s }).apply(undefined, given[name])];
  } catch (error) {
    throw new Error(`${name}: ${error.message}`, { cause: error });
  }
}));
"""
"""Shows documents one after another and runs a script in each."""
INJECT = "globalThis.inject = () => {{ delete globalThis.__tabwire;\n{source}\n}};"


class Page:
    """A plain page with the content scripts in it, anew for each document.

    Navigating costs ten times what a document does: one without scripts leaves nothing in its window, which the next one gets.
    """

    def __init__(self, driver: webdriver.Chrome) -> None:
        self._driver = driver
        self._is_used = True
        self._scripts = [
            driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
            for script in (CLOSED_ROOTS, INJECT.format(source=content_source()))
        ]

    def close(self) -> None:
        for script in self._scripts:
            self._driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)

    def show(self, html: str) -> None:
        if self._is_used:
            self._driver.get("about:blank")
        self._is_used = "<script" in html
        self.run("document.open(); document.write(arguments[0]); document.close(); inject()", whole(html))

    def each(self, script: str, documents: dict[str, str], given: dict[str, list[Any]] | None = None) -> dict[str, Any]:
        """What a script answers in each document, most of them in one go: a round trip costs more than such a document."""
        given = given or {}
        plain = {name: whole(html) for name, html in documents.items() if "<script" not in html}
        found: dict[str, Any] = {}
        if plain:
            self.show("")
            found |= self.run(EACH % script, plain, given)
        for name in [name for name in documents if name not in plain]:
            self.show(documents[name])
            found[name] = self.run(script, *given.get(name, []))
        return found

    def describe(self, html: str) -> dict[str, Any]:
        found = self.each(DESCRIBE, {"it": html})["it"]
        assert isinstance(found, dict)
        return found

    def described(self, cases: list[Any]) -> dict[str, dict[str, Any]]:
        """What is said of the element of each case, by the title of the case."""
        documents = {title: html for title, html, _ in cases}
        assert len(documents) == len(cases)
        return {title: found["t"] for title, found in self.each(DESCRIBE, documents).items()}

    def run(self, script: str, *arguments: Any) -> Any:
        return self._driver.execute_script(script, *arguments)

    def chrome_names(self) -> dict[str, str]:
        """The names of the marked elements in the accessibility tree of the browser."""
        found = self._driver.execute_script(MARKED)
        return {str(element.get_attribute("data-testid")): element.accessible_name for element in found}


@pytest.fixture(scope="module")
def page(driver: webdriver.Chrome) -> Iterator[Page]:
    page = Page(driver)
    yield page
    page.close()


def whole(html: str) -> str:
    return html if html.lstrip()[:9].lower() == "<!doctype" else f"<!doctype html><meta charset=utf-8><body>{html}"


@functools.cache
def load(name: str) -> Any:
    return json.loads((CASES / name).read_text())


def collapsed(text: str) -> str:
    return re.sub(r"[ \t\n\f\r]+", " ", text).strip(" ")


def one_role(role: str) -> str:
    return "none" if role in NO_ROLE else {"image": "img"}.get(role, role)


def as_text(value: Any) -> str | None:
    return None if value is None else json.dumps(value) if isinstance(value, bool) else str(value)


def state_holds(expected: dict[str, Any], element: dict[str, Any]) -> bool:
    if expected["prop"] == "exists":
        return one_role(element["role"]) == "none"
    value = as_text(element["states"].get(expected["prop"]))
    checks = {
        "eq": (value or "false") == expected["value"],
        "ne": value != expected["value"],
        "present": value is not None,
        "absent": value in (None, "false"),
    }
    return bool(checks[expected["op"]])


def holds(case: dict[str, Any], element: dict[str, Any] | None) -> bool:
    kind, expected = case["kind"], case["expected"]
    if element is None:
        # The HTML parser drops a few elements outside their context.
        return kind == "role" and "none" in expected
    if kind == "state":
        return state_holds(expected, element)
    accepted = expected if isinstance(expected, list) else [expected]
    if kind == "role":
        return one_role(element["role"]) in [one_role(role) for role in accepted]
    return collapsed(element.get(kind, "")) in [collapsed(text) for text in accepted]


@functools.cache
def cases_by_page(prefix: str) -> dict[str, list[dict[str, Any]]]:
    pages = defaultdict(list)
    for case in load(f"{prefix}cases.json"):
        pages[case["page"]].append(case)
    return pages


def failures(page: Page, prefix: str) -> dict[str, list[tuple[str, Any, Any]]]:
    """The cases that do not hold, by the page that they are in."""
    pages = load(f"{prefix}pages.json")
    found = page.each(DESCRIBE, {name: pages[name] for name in cases_by_page(prefix)})
    assert len(found) > 200
    failed = {
        name: [
            (case["id"], case["expected"], found[name].get(case["testid"]))
            for case in cases
            if not holds(case, found[name].get(case["testid"]))
        ]
        for name, cases in cases_by_page(prefix).items()
    }
    return {name: cases for name, cases in failed.items() if cases}


def test_web_platform_tests_agree(page: Page) -> None:
    assert failures(page, "") == {}


def test_cases_of_other_projects_agree(page: Page) -> None:
    assert failures(page, "other-") == {}


def test_role_queries_find_the_expected_elements(page: Page) -> None:
    queries = {f"{number}: {query['title']}": query for number, query in enumerate(load("role-queries.json"))}
    given = {
        title: [query["role"], {key: "mixed" if value == '"mixed"' else value for key, value in query["options"].items()}]
        for title, query in queries.items()
    }
    found = page.each(QUERY, {title: query["html"] for title, query in queries.items()}, given)
    assert {
        title: len(elements) if isinstance(queries[title]["expected"], int) else elements for title, elements in found.items()
    } == {title: query["expected"] for title, query in queries.items()}


def test_the_name(page: Page) -> None:
    assert {title: told["name"] for title, told in page.described(NAMES).items()} == {title: name for title, _, name in NAMES}


def test_the_role(page: Page) -> None:
    assert {title: told["role"] for title, told in page.described(ROLES).items()} == {title: role for title, _, role in ROLES}


def test_the_states(page: Page) -> None:
    told = page.described(STATES)
    assert {title: told[title]["states"] for title in told} == {title: states for title, _, states in STATES}


def test_the_description(page: Page) -> None:
    told = page.described(DESCRIPTIONS)
    assert {title: told[title].get("description", "") for title in told} == {title: words for title, _, words in DESCRIPTIONS}


HOST = "<x-h id=h><template shadowrootmode=open shadowrootreferencetarget=t><b>before</b>{}<i>after</i></template></x-h>"
REFERENCE_TARGETS = {
    "labelled": HOST.format("<p id=t>name</p>") + "<button data-testid=t aria-labelledby=h></button>",
    "hidden": HOST.format("<p id=t hidden>name</p>") + "<button data-testid=t aria-labelledby=h></button>",
    "image": HOST.format("<img id=t alt=picture>") + "<button data-testid=t aria-labelledby=h></button>",
    "area": HOST.format("<area id=t alt=nowhere>") + "<button data-testid=t aria-labelledby=h></button>",
    "none": HOST.format("") + "<button data-testid=t aria-labelledby=h></button>",
    "label": "<label for=h>Mail</label>" + HOST.format("<input id=t data-testid=t>"),
    "around": "<label>Mail " + HOST.format("<input id=t data-testid=t>") + "</label>",
    "nested": "<button data-testid=t aria-labelledby=o></button><x-h id=o><template shadowrootmode=open "
    f"shadowrootreferencetarget=h>not<div>{HOST.format('<p id=t>yes</p>')}</div></template></x-h>",
}


def test_references_to_a_host_mean_its_reference_target_as_in_chrome(page: Page) -> None:
    for title, html in REFERENCE_TARGETS.items():
        name = page.describe(html)["t"]["name"]
        assert name == page.chrome_names()["t"], title
    described = page.describe(HOST.format("<p id=t>long</p>") + "<button data-testid=t aria-describedby=h>x</button>")
    assert described["t"]["description"] == "long"


TRANSFORMED = """
<style>.up { text-transform: uppercase } .down { text-transform: lowercase } .cap { text-transform: capitalize }
.new::before { content: 'new ' }</style>
<button class=up data-testid=a>Sign in, straße</button><a href=# class=up data-testid=b>more <b>info</b></a>
<h2 class=cap data-testid=c>tHE wide-world of o'neil (in a.b foo_bar) 1st <b>b</b>rown <i>cow</i></h2>
<button class="up new" data-testid=d>item</button><label class=up for=i>Mail</label><input id=i data-testid=e>
<input type=submit class=up value="Send it" data-testid=f><button class=up aria-label="Plain label" data-testid=g>x</button>
<button aria-labelledby=seen data-testid=h></button><p id=seen class=up>By ref</p>
<button aria-labelledby=hidden data-testid=j></button><p id=hidden class=up hidden>By ref</p>
<input class=up placeholder="Write here" data-testid=k><button class=down data-testid=l>LOWER Case</button>
<button class=up data-testid=m>shown<i style="text-transform: none">Not</i></button>
<button class=up lang=tr data-testid=n>istanbul</button><div class=up><button data-testid=o>Own</button><a href=# data-testid=p>All</a></div>
<select class=up aria-label=s><option data-testid=q>One option</select><div role=tab class=up data-testid=r>one<br>two</div>
"""


def test_names_are_transformed_as_chrome_has_them(page: Page) -> None:
    described = page.describe(TRANSFORMED)
    assert {testid: element["name"] for testid, element in described.items()} == page.chrome_names()
    assert described["a"]["name"] == "SIGN IN, STRASSE"


def test_no_state_or_name_carries_a_password(page: Page) -> None:
    html = "<label for=p>Password</label><input id=p type=password role=combobox value=hunter2 data-testid=t>"
    assert "hunter2" not in json.dumps(page.describe(html))
