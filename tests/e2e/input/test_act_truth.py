"""An act says what happened to it, whatever else happens to its page meanwhile: a dialog of the page's own, another page, the end of the tab."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from e2e.cdp import Page
from e2e.client import Reply, Tabwire
from e2e.conftest import Launched, Launcher
from e2e.site import Site
from polling import until

ANSWER_S = 20
"""Less than an act has: an answer is not the deadline's."""

TELL = "const tell = (path, async) => { const x = new XMLHttpRequest(); x.open('POST', path, async); x.send('1') }"
"""Synchronous: the page stands still until the site has been told."""


@dataclass(frozen=True)
class Act:
    """A control, the tool that acts on it, and the handler by which the page hears of it."""

    tool: str
    control: str
    event: str
    arguments: dict[str, Any]
    last_step: tuple[str, ...]
    """The functions of the page that come right before it, or are it: of trusted input and of DOM events."""

    def markup(self, attributes: str, handler: str) -> str:
        control = self.control.replace(" ", f" id=b {attributes} ", 1)
        return f"{control}<script>{TELL}; b.addEventListener('{self.event}', () => {{ {handler} }})</script>"

    def start(self, tabwire: Tabwire) -> Any:
        return tabwire.start(self.tool, selector="#b", **self.arguments)


ACTS = {
    "click": Act("click", "<button >Go</button>", "click", {}, ("input.arrived", "input.perform")),
    "check": Act("check", "<input type=checkbox>", "change", {}, ("input.arrived", "input.perform")),
    "select": Act("select", "<select ><option>a<option>b</select>", "change", {"value": "b"}, ("forms.select",)),
    "fill": Act("fill", "<input value=old>", "input", {"value": "new"}, ("forms.startFill", "forms.fill")),
    "press": Act("press", "<input value=old>", "keydown", {"key": "a"}, ("keyboard.focus",)),
}


@dataclass(frozen=True)
class Stage:
    """A fresh tab, in a browser and with a kind of input."""

    tabwire: Tabwire
    launched: Launched
    site: Site

    @property
    def page(self) -> Page:
        return self.launched.browser.shown()

    def show(self, html: str, in_frame: bool) -> None:
        """Opens a page made of ``html``, or one with a frame of another site made of it."""
        if in_frame:
            html = f"<iframe src='{self.site.cross_page(html)}' style='width:700px;height:400px'></iframe>"
        self.tabwire.open(self.site.page(html))

    def frame(self, in_frame: bool) -> Page:
        """The document that :meth:`show` was given."""
        return self.page.frame(self.site.cross_origin) if in_frame else self.page

    def before(self, act: Act, script: str, in_frame: bool) -> None:
        """Runs ``script`` in the page, once, when what leads to the act has been done and the act itself is about to begin."""
        self.tabwire.ok("snapshot")
        self.frame(in_frame).evaluate_in_extension(f"""(() => {{
            const call = __tabwire.call;
            __tabwire.call = (name, args) => {{
                // The page tells by itself that the pointer has come; asked ahead, it answers when that has been seen.
                if (name === "input.arriving" && {list(act.last_step)}.includes("input.arrived")) {{
                    __tabwire.call = call;
                    return call(name, args).then((answer) => {{ {script}; return answer; }});
                }}
                if ({list(act.last_step)}.includes(name)) {{
                    __tabwire.call = call;
                    {script};
                }}
                return call(name, args);
            }};
        }})()""")

    def extra(self, html: str) -> tuple[int, Page]:
        """A second tab."""
        url = self.site.page(html)
        tab = self.tabwire.ok("tab_new", url=url).data["tabId"]
        target = next(target for target in self.launched.browser.targets("page") if target["url"] == url)
        return tab, Page(self.launched.browser, target["targetId"])

    @contextlib.contextmanager
    def answering(self) -> Iterator[Callable[[], None]]:
        """Gives what closes a dialog that opens meanwhile, as a person would, whoever else knows of it."""
        browser = self.launched.browser
        session = browser.call("Target.attachToTarget", {"targetId": self.page.target_id, "flatten": True})["sessionId"]
        browser.call("Page.enable", session=session)
        try:
            yield lambda: browser.call("Page.handleJavaScriptDialog", {"accept": True}, session)
        finally:
            browser.call("Target.detachFromTarget", {"sessionId": session})

    def done(self) -> int:
        """How often the site was told that the act happened."""
        return self.site.hit_count("/post")


@pytest.fixture(params=["trusted", "events"])
def stage(request: pytest.FixtureRequest, launcher: Launcher, joiner: Launcher, site: Site) -> Iterator[Stage]:
    launched = (launcher if request.param == "trusted" else joiner).fresh(site)
    yield Stage(launched.tabwire, launched, site)


by_act = pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
IN_FRAMES = ("click", "fill")
"""A frame of another site is a process of its own."""

by_act_and_place = pytest.mark.parametrize(
    ("act", "in_frame"),
    [
        *(pytest.param(act, False, id=name) for name, act in ACTS.items()),
        *(pytest.param(ACTS[name], True, id=f"{name} in a frame") for name in IN_FRAMES),
    ],
)


# ---- another page ---------------------------------------------------------------------------------------------------------


@by_act_and_place
def test_an_act_the_page_was_told_of_is_never_called_undone(stage: Stage, act: Act, in_frame: bool) -> None:
    """The page stands still inside its handler until another one has taken its place."""
    stage.show(act.markup("", "tell('/post', false); tell('/hang', false)"), in_frame)
    running = act.start(stage.tabwire)
    stage.site.wait_for(lambda site: site.hit_count("/hang"))
    stage.page.call("Page.navigate", {"url": stage.site.cross_url("/blank.html")})
    reply: Reply = running.result(ANSWER_S)
    assert stage.done() == 1
    assert (reply.is_error, reply.code) in {(False, ""), (True, "outcome_unknown")}, reply
    if not reply.is_error:
        # A page that stands still for long is told as one that may have a dialog open.
        assert reply.data["effects"].keys() & {"navigated", "dialog"}


@by_act_and_place
def test_an_act_whose_page_is_replaced_before_it_began_is_not_a_success(stage: Stage, act: Act, in_frame: bool) -> None:
    """Its script has reached the page, which stands still before it begins."""
    stage.show(act.markup("", "tell('/post', false)"), in_frame)
    stage.before(act, f"{TELL}; tell(`/hang`, false)", in_frame)
    running = act.start(stage.tabwire)
    stage.site.wait_for(lambda site: site.hit_count("/hang"))
    stage.page.call("Page.navigate", {"url": stage.site.cross_url("/blank.html")})
    reply: Reply = running.result(ANSWER_S)
    # The frame of a page that is left may go on for a moment.
    assert reply.code == "outcome_unknown" or (reply.is_error and stage.done() == 0), reply


@by_act_and_place
def test_an_act_that_leads_to_another_page_is_a_success_that_says_so(stage: Stage, act: Act, in_frame: bool) -> None:
    target = stage.site.page("<h1>There</h1>", title="There")
    stage.show(act.markup("", f"top.location.href = '{target}'"), in_frame)
    reply: Reply = act.start(stage.tabwire).result(ANSWER_S)
    assert not reply.is_error, reply
    assert reply.data["effects"]["navigated"]
    assert reply.data["effects"]["title"]["to"] == "There"


# ---- a dialog of the page's own -------------------------------------------------------------------------------------------


@by_act_and_place
def test_an_act_that_a_dialog_came_before_is_not_done_and_not_done_later(stage: Stage, act: Act, in_frame: bool) -> None:
    stage.show(act.markup("", "tell('/post', false)"), in_frame)
    stage.before(act, "alert('mine'); document.documentElement.lang = 'on'", in_frame)
    with stage.answering() as answer:
        reply: Reply = act.start(stage.tabwire).result(ANSWER_S)
        answer()
    if not (in_frame and reply.code == "timeout" and stage.launched.is_own):
        # Where the debugger is not attached, nothing tells of the dialog of a frame in a process of its own.
        assert (reply.is_error, reply.code) == (True, "dialog_pending"), reply
        assert "nothing was done" in reply.text
    stage.frame(in_frame).wait_for("document.documentElement.lang === 'on'")
    # The page goes on before the extension has heard that its dialog is gone.
    until(lambda: stage.tabwire.call("snapshot"), lambda shown: not shown.is_error)
    assert stage.done() == 0
    stage.tabwire.ok(act.tool, selector="#b", **act.arguments)
    stage.site.wait_for_post("/post")


@by_act
def test_an_act_that_opens_a_dialog_has_happened(stage: Stage, act: Act) -> None:
    stage.show(act.markup("", "tell('/post', false); alert('yours')"), in_frame=False)
    with stage.answering() as answer:
        reply: Reply = act.start(stage.tabwire).result(ANSWER_S)
        answer()
    assert not reply.is_error, reply
    assert reply.data["effects"]["dialog"]
    assert stage.done() == 1


# ---- the end of the tab ---------------------------------------------------------------------------------------------------


@by_act
def test_an_act_whose_tab_is_closed_before_it_began_is_not_a_success(stage: Stage, act: Act) -> None:
    tab, target = stage.extra(act.markup("disabled", "tell('/post', false)"))
    running = stage.tabwire.start(act.tool, selector="#b", tabId=tab, **act.arguments)
    target.close()
    reply: Reply = running.result(ANSWER_S)
    assert reply.is_error, reply
    assert reply.code in {"no_such_tab", "outcome_unknown"}
    assert stage.done() == 0


@by_act
def test_an_act_the_page_was_told_of_before_its_tab_was_closed_is_never_called_undone(stage: Stage, act: Act) -> None:
    tab, target = stage.extra(act.markup("", "tell('/post', false); tell('/hang', false)"))
    running = stage.tabwire.start(act.tool, selector="#b", tabId=tab, **act.arguments)
    stage.site.wait_for(lambda site: site.hit_count("/hang"))
    target.close()
    reply: Reply = running.result(ANSWER_S)
    assert stage.done() == 1
    assert (reply.is_error, reply.code) in {(False, ""), (True, "outcome_unknown")}, reply


@pytest.mark.parametrize("tool", ["type", "dblclick"])
def test_an_act_that_may_be_half_done_is_not_a_success(stage: Stage, tool: str) -> None:
    """Its first event has arrived when the tab is closed."""
    arguments = {"text": "abc"} if tool == "type" else {}
    html = (
        f"<input id=b><script>{TELL}; b.onkeydown = b.onclick = () => {{ tell('/post', false); tell('/hang', false) }}</script>"
    )
    tab, target = stage.extra(html)
    running = stage.tabwire.start(tool, selector="#b", tabId=tab, **arguments)
    stage.site.wait_for(lambda site: site.hit_count("/hang"))
    target.close()
    reply: Reply = running.result(ANSWER_S)
    assert (stage.done(), reply.code) == (1, "outcome_unknown"), reply
