"""The test of a recording that a person has made in the side panel of their browser."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError

from tabwire.commands.results import Closed
from tabwire.commands.steps import Language, RecordedStep
from tabwire.recordings.languages import STEPS, STEPS_SUFFIX, written
from tabwire.recordings.recorded_steps import as_act

_NAME_LENGTH = 40
_ENDS = {"pytest": ".py", "selenium": "_selenium.py", "batch": ".batch", STEPS: STEPS_SUFFIX}


class _Wish(Closed):
    id: str
    language: Literal[Language, "batch"]
    steps: list[RecordedStep]


_WISH = TypeAdapter(_Wish)


def panel_test(params: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a wish of the extension: the text and a name for its file, or the problem."""
    try:
        wish = _WISH.validate_python(params)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, problem["loc"]))
        return {"id": str(params.get("id", "")), "problem": f"the bridge cannot read the steps ({where}: {problem['msg']})"}
    language = wish["language"]
    acts = [as_act(step, has_fingerprint=language == STEPS) for step in wish["steps"]]
    file = f"test_{_subject(acts)}{_ENDS[language]}"
    return {"id": wish["id"], "file": file, "text": written(acts, language, file)}


def _subject(acts: Sequence[Mapping[str, Any]]) -> str:
    """Host and page of the first address, as a part of a file's name."""
    urls = (urlsplit(str(act["params"]["url"])) for act in acts if act["method"] == "navigation.navigate")
    words = next((f"{url.hostname or ''}_{url.path.rpartition('/')[2].partition('.')[0]}" for url in urls), "")
    return re.sub(r"\W+", "_", words, flags=re.ASCII).strip("_").lower()[:_NAME_LENGTH].rstrip("_") or "recorded"
