"""The rule for an extension of another version."""

from dataclasses import replace

import anyio
import pytest

from bridge.fake_engine import WORK, FakeEngine, Surface
from tabwire.errors import NoSuchElement, UnknownCommand
from tabwire.install import extension_files
from tabwire.wire.messages import Browser
from tabwire.wire.versions import version_gap

CLICKED = {"input.click": {"tabId": 1, "effects": {"none": True}}}
OLDER = "run `tabwire install`, then press the reload button on Tabwire's card in chrome://extensions"


class Engine(FakeEngine):
    """A browser whose extension says its version."""

    def __init__(self, version: str, answers: dict[str, object]) -> None:
        super().__init__(answers)
        self.browsers = (replace(WORK, extension_version=version),)

    async def find(self, wanted: str | None = None) -> Browser:
        return self.browsers[0]


def texts(engine: Engine, calls: int = 2) -> list[str]:
    surface = Surface("agent", engine)
    return [anyio.run(surface.chain, surface.asked("click", selector="@e1")).text for _ in range(calls)]


@pytest.mark.parametrize(
    ("extension", "bridge", "step"),
    [
        ("0.2.0", "0.10.0", OLDER),
        ("", "0.2.0", OLDER),
        ("0.10.0", "0.2.0", "update Tabwire on this computer if it is not of that version yet, then restart the MCP client"),
    ],
)
def test_the_step_is_for_the_side_that_is_older(extension: str, bridge: str, step: str) -> None:
    gap = version_gap(extension, bridge)
    assert gap is not None and gap.step == step
    assert gap.fact == f"Chrome runs version {extension or 'unknown'} of Tabwire's extension, this is Tabwire {bridge}"
    assert version_gap(bridge, bridge) is None


def test_a_reply_says_it_once_and_again_of_another_version() -> None:
    engine = Engine("0.0.9", CLICKED)
    surface = Surface("agent", engine)
    said = []
    for version in ("0.0.9", "0.0.9", extension_files.version(), "0.0.8"):
        engine.browsers = (replace(WORK, extension_version=version),)
        reply = anyio.run(surface.chain, surface.asked("click", selector="@e1"))
        said.append(f"Chrome runs version {version}" in reply.text and f"Tell the user: {OLDER}" in reply.text)
    assert said == [True, False, False, True]


@pytest.mark.parametrize(("error", "is_explained"), [(UnknownCommand, True), (NoSuchElement, False)])
def test_failures_that_it_may_explain_say_it_each_time(error: type[UnknownCommand | NoSuchElement], is_explained: bool) -> None:
    def failing(version: str) -> list[bool]:
        engine = Engine(version, {"input.click": [error("it failed"), error("it failed")]})
        return [f"Chrome runs version {version}" in text and OLDER in text for text in texts(engine)]

    assert failing("0.0.9") == [is_explained] * 2
    assert failing(extension_files.version()) == [False] * 2
