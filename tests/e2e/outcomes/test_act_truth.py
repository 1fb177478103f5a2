"""An act says what happened to it, whatever else happens to its page meanwhile: a dialog of the page's own, another page, the end of the tab."""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace

import pytest

from e2e.cdp import Page
from e2e.client import Reply, Tabwire
from e2e.conftest import Launched, Launcher
from e2e.site import Site
from e2e.tabs.windows import open_windows
from polling import until

ANSWER_S = 20
"""Less than an act has: an answer is not the deadline's."""

TELL = "const tell = (path, async) => { const x = new XMLHttpRequest(); x.open('POST', path, async); x.send('1') }"
"""Synchronous: the page stands still until the site has been told."""


@dataclass(frozen=True, eq=False)
class Act:
    """A control, the tool that acts on it, and the handler by which the page hears of it."""

    tool: str
    control: str
    event: str
    arguments: dict[str, str]
    last_step: tuple[str, ...] = ()
    """The functions of the page that come right before it, or are it: of trusted input and of DOM events."""
    in_frame: bool = False
    """Its page is in a frame of another site, which has a process to itself."""

    @property
    def name(self) -> str:
        return f"{self.tool}-frame" if self.in_frame else self.tool

    def markup(self, attributes: str, handler: str) -> str:
        control = self.control.replace(" ", f" id=b {attributes} ", 1)
        return f"{control}<script>{TELL}; b.addEventListener('{self.event}', () => {{ {handler} }})</script>"

    @property
    def path(self) -> str:
        """The site hears of the act there."""
        return f"/post/{self.name}"

    @property
    def tells(self) -> str:
        return f"tell('{self.path}', false)"

    @property
    def hangs(self) -> str:
        """The page stands still until it is left."""
        return f"tell('/hang/{self.name}', false)"


ACTS = {
    "click": Act("click", "<button >Go</button>", "click", {}, ("input.arrived", "input.perform")),
    "check": Act("check", "<input type=checkbox>", "change", {}, ("input.arrived", "input.perform")),
    "select": Act("select", "<select ><option>a<option>b</select>", "change", {"value": "b"}, ("forms.select",)),
    "fill": Act("fill", "<input value=old>", "input", {"value": "new"}, ("forms.startFill", "forms.fill")),
    "press": Act("press", "<input value=old>", "keydown", {"key": "a"}, ("keyboard.focus",)),
}
FRAMED = tuple(replace(ACTS[tool], in_frame=True) for tool in ("click", "fill"))
LEFT_OUT = {"trusted": "select", "events": "check"}
"""Kind of input → the act that is done with the other one alone: a choice is made by DOM events in either, a check is a click and a look."""
LONG_ACTS = (Act("type", "<input >", "keydown", {"text": "abc"}), Act("dblclick", "<input >", "click", {}))


@dataclass(frozen=True, eq=False)
class Scene:
    """A window of its own with the page of one act, or with a page that has it in a frame of another site."""

    act: Act
    stage: "Stage"
    tab: int
    page: Page

    @property
    def document(self) -> Page:
        """The document with the control."""
        return self.page.frame(self.stage.origin_of(self.act)) if self.act.in_frame else self.page

    def start(self) -> "Future[Reply]":
        return self.stage.tabwire.start(self.act.tool, selector="#b", tabId=self.tab, **self.act.arguments)

    def before(self, script: str) -> None:
        """Runs ``script`` in the page, once, when what leads to the act has been done and the act itself is about to begin."""
        # The frame has our scripts from the snapshot on, if its document is there by then.
        self.document.wait_for("document.querySelector('#b') !== null")
        self.stage.tabwire.ok("snapshot", tabId=self.tab)
        self.document.evaluate_in_extension(f"""(() => {{
            const given = __tabwire, {{ call }} = given;
            const place = (value) => Object.defineProperty(globalThis, "__tabwire", {{ value, configurable: true }});
            const run = () => {{
                if (__tabwire === given) return;
                place(given);
                {script};
            }};
            const noted = (name, args) => {{
                // The page tells by itself that the pointer has come; asked ahead, it answers when that has been seen. Where it
                // takes too long, it is asked whether the pointer has.
                if (name === "input.arriving" && {list(self.act.last_step)}.includes("input.arrived"))
                    return call(name, args).then((answer) => {{ run(); return answer; }});
                if ({list(self.act.last_step)}.includes(name)) run();
                return call(name, args);
            }};
            place(Object.create(given, {{ call: {{ value: noted }} }}));
        }})()""")

    @contextlib.contextmanager
    def answering(self) -> Iterator[Callable[[], None]]:
        """Gives what closes a dialog that opens meanwhile, as a person would, whoever else knows of it."""
        browser = self.stage.launched.browser
        session = browser.call("Target.attachToTarget", {"targetId": self.page.target_id, "flatten": True})["sessionId"]
        browser.call("Page.enable", session=session)
        try:
            yield lambda: browser.call("Page.handleJavaScriptDialog", {"accept": True}, session)
        finally:
            browser.call("Target.detachFromTarget", {"sessionId": session})

    def done(self) -> int:
        """How often the site was told that the act happened."""
        return self.stage.site.hit_count(self.act.path)


@dataclass(frozen=True)
class Stage:
    """A browser and its kind of input; each act has a window of its own, in which it takes its time beside the others."""

    tabwire: Tabwire
    launched: Launched
    site: Site
    acts: tuple[Act, ...]

    @property
    def placed(self) -> tuple[Act, ...]:
        """The acts in pages, and some of them in frames too."""
        return (*self.acts, *FRAMED)

    def show(self, acts: Iterable[Act], html: Callable[[Act], str]) -> list[Scene]:
        urls = {act: self._url(act, html(act)) for act in acts}
        windows = open_windows(self.tabwire, self.launched.browser, urls)
        return [Scene(act, self, window.tab, window.page) for act, window in windows.items()]

    def origin_of(self, act: Act) -> str:
        """Where the frame of an act is from. Frames of one site share a process, and would stand still together."""
        return self.site.cross_origin.replace("localhost", f"{act.tool}.localhost")

    def _url(self, act: Act, html: str) -> str:
        if act in LONG_ACTS:
            # Chrome has six connections to a site at a time, and pages that stand still keep theirs.
            return self.site.cross_page(html)
        url = self.site.page(html)
        if not act.in_frame:
            return url
        framed = url.replace(self.site.origin, self.origin_of(act))
        return self.site.page(f"<iframe src='{framed}' style='width:700px;height:400px'></iframe>")

    def until_they_hang(self, scenes: list[Scene]) -> None:
        paths = {f"/hang/{scene.act.name}" for scene in scenes}
        self.site.wait_for(lambda site: paths <= {hit.path for hit in site.hits})

    def replaced(self, scenes: list[Scene]) -> dict[Scene, Reply]:
        """The replies to acts whose pages stand still until other ones have taken their places."""
        running = {scene: scene.start() for scene in scenes}
        self.until_they_hang(scenes)
        for scene in scenes:
            scene.page.call("Page.navigate", {"url": self.site.cross_url("/blank.html")})
        return {scene: reply.result(ANSWER_S) for scene, reply in running.items()}

    def closed(self, scenes: list[Scene], when_they_hang: bool = True) -> dict[Scene, Reply]:
        """The replies to acts whose tabs are closed."""
        running = {scene: scene.start() for scene in scenes}
        if when_they_hang:
            self.until_they_hang(scenes)
        for scene in scenes:
            # None is waited for: Chrome gives a page that stands still half a second.
            self.launched.browser.call("Target.closeTarget", {"targetId": scene.page.target_id})
        return {scene: reply.result(ANSWER_S) for scene, reply in running.items()}


@pytest.fixture(params=["trusted", "events"])
def stage(request: pytest.FixtureRequest, launcher: Launcher, joiner: Launcher, site: Site) -> Iterator[Stage]:
    launched = (launcher if request.param == "trusted" else joiner).fresh(site)
    acts = tuple(act for tool, act in ACTS.items() if tool != LEFT_OUT[request.param])
    (first,) = launched.browser.pages()
    yield Stage(launched.tabwire, launched, site, acts)
    for page in launched.browser.pages():
        if page.target_id != first.target_id:
            # They close beside each other, where the next test would wait for one after the other.
            launched.browser.call("Target.closeTarget", {"targetId": page.target_id})


def unlike(replies: dict[Scene, Reply], is_right: Callable[[Scene, Reply], object]) -> dict[str, Reply]:
    """The replies that are not right, by the acts that got them."""
    return {scene.act.name: reply for scene, reply in replies.items() if not is_right(scene, reply)}


def happened(scenes: Iterable[Scene]) -> dict[str, int]:
    return {scene.act.name: scene.done() for scene in scenes}


def is_success_or_unknown(scene: Scene, reply: Reply) -> bool:
    return (reply.is_error, reply.code) in {(False, ""), (True, "outcome_unknown")}


# ---- another page ---------------------------------------------------------------------------------------------------------


def test_an_act_the_page_was_told_of_is_never_called_undone(stage: Stage) -> None:
    """The page stands still inside its handler until another one has taken its place."""
    replies = stage.replaced(stage.show(stage.placed, lambda act: act.markup("", f"{act.tells}; {act.hangs}")))
    assert happened(replies) == {act.name: 1 for act in stage.placed}
    assert unlike(replies, is_success_or_unknown) == {}
    # A page that stands still for long is told as one that may have a dialog open.
    assert unlike(replies, lambda _, reply: reply.is_error or reply.data["effects"].keys() & {"navigated", "dialog"}) == {}


def test_an_act_whose_page_is_replaced_before_it_began_is_not_a_success(stage: Stage) -> None:
    """Its script has reached the page, which stands still before it begins."""
    scenes = stage.show(stage.placed, lambda act: act.markup("", act.tells))
    for scene in scenes:
        scene.before(f"{TELL}; {scene.act.hangs}")
    replies = stage.replaced(scenes)
    # The frame of a page that is left may go on for a moment.
    assert unlike(replies, lambda scene, reply: reply.code == "outcome_unknown" or (reply.is_error and scene.done() == 0)) == {}


def test_an_act_that_leads_to_another_page_is_a_success_that_says_so(stage: Stage) -> None:
    target = stage.site.page("<h1>There</h1>", title="There")
    scenes = stage.show(stage.placed, lambda act: act.markup("", f"top.location.href = '{target}'"))
    running = {scene: scene.start() for scene in scenes}
    replies = {scene: reply.result(ANSWER_S) for scene, reply in running.items()}
    assert unlike(replies, lambda _, reply: not reply.is_error) == {}
    effects = {scene.act.name: reply.data["effects"] for scene, reply in replies.items()}
    assert {name: (told["navigated"], told["title"]["to"]) for name, told in effects.items()} == {
        act.name: (True, "There") for act in stage.placed
    }


# ---- a dialog of the page's own -------------------------------------------------------------------------------------------


def answered(scenes: list[Scene]) -> dict[Scene, Reply]:
    """The replies to acts in pages that open a dialog, which is closed once all of them have replied."""
    with contextlib.ExitStack() as stack:
        answers = [stack.enter_context(scene.answering()) for scene in scenes]
        running = {scene: scene.start() for scene in scenes}
        replies = {scene: reply.result(ANSWER_S) for scene, reply in running.items()}
        for answer in answers:
            answer()
    return replies


def is_undone_for_a_dialog(scene: Scene, reply: Reply) -> bool:
    if scene.act.in_frame and reply.code == "timeout" and scene.stage.launched.is_own:
        # Where the debugger is not attached, nothing tells of the dialog of a frame in a process of its own.
        return True
    return (reply.is_error, reply.code) == (True, "dialog_pending") and "nothing was done" in reply.text


def test_an_act_that_a_dialog_came_before_is_not_done_and_not_done_later(stage: Stage) -> None:
    scenes = stage.show(stage.placed, lambda act: act.markup("", act.tells))
    for scene in scenes:
        scene.before("alert('mine'); document.documentElement.lang = 'on'")
    assert unlike(answered(scenes), is_undone_for_a_dialog) == {}
    for scene in scenes:
        scene.document.wait_for("document.documentElement.lang === 'on'")
        # The page goes on before the extension has heard that its dialog is gone.
        until(lambda tab=scene.tab: stage.tabwire.call("snapshot", tabId=tab), lambda shown: not shown.is_error)
    assert happened(scenes) == {act.name: 0 for act in stage.placed}
    for scene in scenes:
        again = scene.start().result(ANSWER_S)
        assert not again.is_error, (scene.act.name, again)
        stage.site.wait_for_post(scene.act.path)


def test_an_act_that_opens_a_dialog_has_happened(stage: Stage) -> None:
    replies = answered(stage.show(stage.acts, lambda act: act.markup("", f"{act.tells}; alert('yours')")))
    assert unlike(replies, lambda _, reply: not reply.is_error and reply.data["effects"]["dialog"]) == {}
    assert happened(replies) == {act.tool: 1 for act in stage.acts}


# ---- the end of the tab ---------------------------------------------------------------------------------------------------


def test_an_act_whose_tab_is_closed_before_it_began_is_not_a_success(stage: Stage) -> None:
    scenes = stage.show(stage.acts, lambda act: act.markup("disabled", act.tells))
    replies = stage.closed(scenes, when_they_hang=False)
    assert unlike(replies, lambda _, reply: reply.is_error and reply.code in {"no_such_tab", "outcome_unknown"}) == {}
    assert happened(replies) == {act.tool: 0 for act in stage.acts}


def test_an_act_the_page_was_told_of_before_its_tab_was_closed_is_never_called_undone(stage: Stage) -> None:
    """Of an act of several events the first one has arrived: it may be half done, and is no success."""
    acts = (*stage.acts, *LONG_ACTS)
    replies = stage.closed(stage.show(acts, lambda act: act.markup("", f"{act.tells}; {act.hangs}")))
    assert happened(replies) == {act.name: 1 for act in acts}
    assert unlike(replies, is_success_or_unknown) == {}
    assert unlike(replies, lambda scene, reply: scene.act not in LONG_ACTS or reply.code == "outcome_unknown") == {}
