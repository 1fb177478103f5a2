"""Arguments of the facade spec's tools: every schema is printed as there; a table says what each action needs or takes."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field

from tabwire.commands.actions import Takes, check_action
from tabwire.commands.declaration import Intent
from tabwire.commands.privacy import Fact, KeyName, Script, Typed
from tabwire.commands.types import MAX_TIMEOUT_MS, Parameters
from tabwire.surfaces.shared.strict_arguments import Whole, not_blank


class Actions(Parameters):
    """Base of the tools with an `action`."""

    action: str
    actions: ClassVar[Mapping[str, Takes]]

    def check(self) -> None:
        check_action(self, self.actions, are_defaults_ignored=True)

    def intends(self) -> Intent | None:
        """Intent of the action."""
        return self.actions[self.action].intent


def _one_of(*values: str) -> AfterValidator:
    """The document declares these as plain strings."""

    def check(value: str) -> str:
        if value not in values:
            raise ValueError(f"is one of {', '.join(values)}")
        return value

    return AfterValidator(check)


def _at_least(least: float) -> AfterValidator:
    def check(value: Any) -> Any:
        if value is not None and value < least:
            raise ValueError(f"is at least {least:g}")
        return value

    return AfterValidator(check)


def _in_seconds(value: float) -> float:
    if not 0 <= value * 1000 <= MAX_TIMEOUT_MS:
        raise ValueError(f"is between 0 and {MAX_TIMEOUT_MS // 1000} seconds")
    return value


Said = Annotated[Fact, not_blank()] | None
Selector = Said
Seconds = Annotated[float, AfterValidator(_in_seconds)]
Natural = Annotated[Whole, _at_least(0)]
Positive = Annotated[Whole, _at_least(1)]
_TEXT_LENGTH = Field(description="Characters of each text")
_CHUNK = frozenset({"use_chunking", "offset", "length", "snapshot_checksum"})


class Chunked(Actions):
    """Base of the tools that answer in chunks where they are asked to."""

    use_chunking: Annotated[bool, Field(description="Answer one part; go on at next_offset with the snapshot_checksum")] = False
    offset: Annotated[Natural, Field(description="Bytes")] = 0
    length: Annotated[Positive | None, Field(description="Bytes")] = None
    snapshot_checksum: str | None = None

    def check(self) -> None:
        super().check()
        given = [name for name in ("offset", "length", "snapshot_checksum") if getattr(self, name)]
        if given and not self.use_chunking:
            raise ValueError(f"{' and '.join(given)} {'goes' if len(given) == 1 else 'go'} with use_chunking: true")


class Session(Actions):
    """Browsers: launch one of its own, end it, list those that are there (the user's own is one), or say which one is in use."""

    actions: ClassVar = {
        "launch": Takes((), frozenset({"headless", "profile", "anti_detect", "use_pool"}), "arrange"),
        "terminate": Takes(("instance_id",), intent="arrange"),
        "list": Takes(intent="read"),
        "get_active": Takes(intent="read"),
    }
    action: Literal["launch", "terminate", "list", "get_active"]
    instance_id: Said = None
    headless: bool = True
    profile: Annotated[Said, Field(description="Name of a kept profile")] = None
    anti_detect: Annotated[bool, Field(description="Start it as an ordinary user would")] = False
    use_pool: Annotated[bool, Field(description="Take one that was started ahead")] = True


class Navigate(Actions):
    """Go to a URL, back or forward, reload, or read the URL."""

    actions: ClassVar = {
        "goto": Takes(("url",), frozenset({"wait_for", "timeout"}), "arrange"),
        **dict.fromkeys(("back", "forward", "refresh"), Takes((), frozenset({"wait_for", "timeout"}), "arrange")),
        "get_url": Takes(intent="read"),
    }
    action: Literal["goto", "back", "forward", "refresh", "get_url"]
    url: Said = None
    wait_for: Annotated[Selector, Field(description="Then wait for this element")] = None
    timeout: Annotated[Seconds, Field(description="Seconds")] = 30


class Interact(Actions):
    """Act on an element by its selector: CSS, or text:Save, role:button[name="Save"], label:Email. It must match one element."""

    actions: ClassVar = {
        "click": Takes(("selector",), frozenset({"button", "click_count"})),
        "type": Takes(("selector", "text"), frozenset({"clear", "delay"})),
        "select": Takes(("selector",), frozenset({"value", "index", "label"})),
        "hover": Takes(("selector",)),
        "scroll": Takes((), frozenset({"selector", "direction", "amount"})),
        "press": Takes(("key",), frozenset({"selector", "modifiers"})),
        "wait": Takes(("selector",), frozenset({"state", "timeout"}), "read"),
    }
    action: Literal["click", "type", "select", "hover", "scroll", "press", "wait"]
    selector: Selector = None
    text: Typed | None = None
    clear: Annotated[bool, Field(description="Empty the field first")] = False
    delay: Annotated[Annotated[float, _at_least(0)], Field(description="Seconds between keys")] = 0
    button: Annotated[Fact, _one_of("left", "right", "middle"), Field(description="left, right, middle")] = "left"
    click_count: Positive = 1
    value: Typed | None = None
    index: Natural | None = None
    label: Fact | None = None
    direction: Annotated[Fact, _one_of("up", "down", "left", "right"), Field(description="up, down, left, right")] = "down"
    amount: Annotated[Positive, Field(description="Pixels")] = 100
    key: Annotated[KeyName | None, Field(description="Enter, a, ArrowDown …")] = None
    modifiers: Annotated[
        list[Annotated[Fact, _one_of("ctrl", "alt", "shift", "meta")]] | None, Field(description="ctrl, alt, shift, meta")
    ] = None
    state: Annotated[Fact, _one_of("visible", "hidden", "present"), Field(description="visible, hidden, present")] = "visible"
    timeout: Annotated[Seconds, Field(description="Seconds, for wait")] = 30

    def check(self) -> None:
        super().check()
        if self.action == "select":
            self.need_one("value", "index", "label", what='action "select" needs')


class Inspect(Actions):
    """HTML of the page or of the first element that matches, whether there is one, or one of its attributes."""

    actions: ClassVar = {
        "get_html": Takes((), frozenset({"selector", "max_depth", "collapse_depth", "ellipsize_text_after"})),
        "exists": Takes(("selector",)),
        "get_attribute": Takes(("selector", "attribute")),
    }
    action: Literal["get_html", "exists", "get_attribute"]
    selector: Annotated[Selector, Field(description="For get_html, default: the page")] = None
    max_depth: Annotated[Natural | None, Field(description="Leave deeper elements out")] = None
    collapse_depth: Annotated[Natural | None, Field(description="Say in a comment what is in elements of this depth")] = None
    ellipsize_text_after: Annotated[Positive, _TEXT_LENGTH] = 128
    attribute: Said = None


class Extract(Chunked):
    """Text of the page or of the first element that matches, a line for each element; or the page's cookies."""

    actions: ClassVar = {
        "get_text": Takes((), _CHUNK | {"selector", "ellipsize_text_after", "include_tag_names", "skip_hidden", "max_depth"}),
        "get_cookies": Takes(),
    }
    action: Literal["get_text", "get_cookies"]
    selector: Annotated[Selector, Field(description="Default: the page's body")] = None
    ellipsize_text_after: Annotated[Positive, _TEXT_LENGTH] = 128
    include_tag_names: bool = True
    skip_hidden: bool = True
    max_depth: Natural | None = None


class Capture(Actions):
    """Picture of the viewport, the whole page or an element, saved to a file or returned."""

    actions: ClassVar = {
        "screenshot": Takes((), frozenset({"full_page", "save_to_disk"}), "read"),
        "element_screenshot": Takes(("selector",), frozenset({"save_to_disk"}), "read"),
    }
    action: Literal["screenshot", "element_screenshot"]
    selector: Selector = None
    full_page: bool = False
    save_to_disk: bool = True


class Execute(Chunked):
    """Run JavaScript: execute a script (it runs once, its result is kept for further chunks) or evaluate an expression."""

    actions: ClassVar = {
        "execute": Takes(("code",), _CHUNK | {"args"}),
        "evaluate": Takes(("code",), _CHUNK),
    }
    action: Literal["execute", "evaluate"]
    code: Annotated[Script, not_blank()]
    args: Annotated[list[Any] | None, Field(description="Of the script: args[0], or its parameters")] = None


class Storage(Actions):
    """Saved pictures and downloads: list, clear (only what was saved here), or wait for a download."""

    actions: ClassVar = {
        **dict.fromkeys(("list_downloads", "list_screenshots"), Takes(intent="read")),
        **dict.fromkeys(("clear_downloads", "clear_screenshots"), Takes()),
        "wait_for_download": Takes((), frozenset({"filename", "timeout"}), "read"),
        "set_download_behavior": Takes((), frozenset({"behavior", "download_path"})),
    }
    action: Literal[
        "list_downloads", "clear_downloads", "wait_for_download", "list_screenshots", "clear_screenshots", "set_download_behavior"
    ]
    filename: Said = None
    timeout: Annotated[Whole, AfterValidator(_in_seconds), Field(description="Seconds")] = 30
    behavior: Literal["allow", "deny", "allowAndName", "default"] = "allow"
    download_path: Annotated[str, not_blank()] | None = None


class Search(Parameters):
    """Search the web; the results are read from the engine's page."""

    query: Annotated[Fact, not_blank()]
    max_results: Positive = 10
    search_engine_url: Annotated[Said, Field(description="{query} stands for the words")] = None
    timeout: Annotated[Annotated[float, AfterValidator(_in_seconds)] | None, Field(description="Seconds")] = None
