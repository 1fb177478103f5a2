"""Questions of the extension that the client's user answers in the newer protocol: the call is made again with the answers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from tabwire.engine.questions import Question, asker
from tabwire.server.elicitation import with_questions

pytestmark = pytest.mark.anyio
CONTEXT = SimpleNamespace(
    session=SimpleNamespace(client_capabilities=SimpleNamespace(elicitation={})), protocol_version=min(MODERN_PROTOCOL_VERSIONS)
)
DONE = types.CallToolResult(content=[types.TextContent(text="done")])


class Extension:
    """Lets a call go on when each of its questions was answered with yes, in this very try."""

    def __init__(self, *questions: str) -> None:
        self.questions = questions
        self.tries = 0
        self.answered: list[tuple[str, str]] = []

    async def run(self) -> types.CallToolResult:
        self.tries += 1
        for what in self.questions:
            self.said = anyio.Event()
            hears = asker()
            assert hears is not None
            hears(Question(f"{what} {self.tries}", "b", what, "a.example", True))
            await self.said.wait()
        return DONE

    async def answer(self, question: Question, answer: Any) -> None:
        self.answered.append((question.id, answer))
        self.said.set()

    async def call(self, state: str | None = None, **responses: str) -> Any:
        params = types.CallToolRequestParams(
            name="evaluate",
            request_state=state,
            input_responses={key: types.ElicitResult(action=action) for key, action in responses.items()},  # type: ignore[arg-type]
        )
        with anyio.fail_after(5):
            return await with_questions(CONTEXT, params, self.run, self.answer)


def asked(result: types.InputRequiredResult) -> str:
    assert isinstance(result, types.InputRequiredResult) and result.input_requests
    (key,) = result.input_requests
    return key


async def test_each_question_of_a_call_has_an_answer_of_its_own() -> None:
    extension = Extension("run a script", "read cookies")
    first = await extension.call()
    second = await extension.call(first.request_state, **{asked(first): "accept"})
    assert asked(second) != asked(first)
    assert extension.answered == [("run a script 2", "once")]
    assert await extension.call(second.request_state, **{asked(second): "accept"}) is DONE
    assert extension.answered[1:] == [("run a script 3", "once"), ("read cookies 3", "once")]


async def test_a_yes_to_one_question_is_none_to_another() -> None:
    """The page may have changed in between."""
    first = await Extension("run a script").call()
    other = Extension("read cookies")
    assert asked(await other.call(first.request_state, **{asked(first): "accept"})) != asked(first)
    assert other.answered == []


@pytest.mark.parametrize("state", ["", "no JSON", "{}", "[7, null]"])
async def test_a_state_that_is_none_of_ours_is_no_yes(state: str) -> None:
    extension = Extension("run a script")
    assert asked(await extension.call(state))
    assert extension.answered == []


async def test_a_no_ends_the_call_before_it_is_made() -> None:
    extension = Extension("run a script")
    first = await extension.call()
    refused = await extension.call(first.request_state, **{asked(first): "decline"})
    assert refused.is_error and "did not allow it" in refused.content[0].text
    assert extension.tries == 1


async def test_who_hears_the_answer_to_a_question_hears_a_no_although_its_call_has_ended() -> None:
    heard: list[str] = []

    async def hear(answer: Any) -> None:
        heard.append(answer)

    async def run() -> types.CallToolResult:
        hears = asker()
        assert hears is not None
        hears(Question("", "", "connect Chrome, code 1", "this computer", True, words="Press Allow", answered=hear))
        await anyio.sleep_forever()
        raise AssertionError

    extension = Extension()
    extension.run = run  # type: ignore[method-assign]
    first = await extension.call()
    assert (await extension.call(first.request_state, **{asked(first): "decline"})).is_error
    assert heard == ["later"]
