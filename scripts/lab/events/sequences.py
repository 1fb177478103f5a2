"""Pages and acts whose events are compared: what a page hears of clicks, keys, texts, lists, boxes and drags."""

from dataclasses import dataclass
from itertools import product

TYPES = (
    "pointerdown mousedown pointerup mouseup click auxclick dblclick contextmenu focusin focusout keydown keypress keyup "
    "beforeinput input change select submit reset search dragstart drop dragend invalid"
).split()
"""Types of events that are compared. The order of `toggle` among them is left to chance by Chrome."""
OPTIONS = "".join(f"<option>{name}</option>" for name in ("Apple", "Banana", "Blueberry", "Cherry", "Date"))

CONTROLS = {
    "button": "<button id=t>Go</button>",
    "submit button": "<form onsubmit='event.preventDefault()'><input><button id=t>Send</button></form>",
    "reset button": "<form><input value=x><button id=t type=reset>Undo</button></form>",
    "link": "<a id=t href='#there'>Link</a>",
    "check box": "<input id=t type=checkbox>",
    "radio button": "<input id=t type=radio name=r>",
    "label": "<label id=t>Yes <input type=checkbox></label>",
    "text field": "<input id=t value=abc>",
    "text area": "<textarea id=t>abc</textarea>",
    "editor": "<div id=t contenteditable>abc</div>",
    "search field": "<input id=t type=search value=abc>",
    "password": "<input id=t type=password value=abc>",
    "read-only field": "<input id=t value=abc readonly>",
    "box with tabindex": "<div id=t tabindex=0>Box</div>",
    "plain box": "<div id=t>Box</div>",
    "summary": "<details><summary id=t>More</summary>Text</details>",
    "disabled button's neighbour": "<button disabled>Off</button><button id=t>On</button>",
    "required form": "<form onsubmit='event.preventDefault()'><input required><button id=t>Send</button></form>",
}
KEYS = {
    "text field": ("Enter", "Tab", "Escape", "Backspace", "Delete", "Home", "End", "ArrowLeft", "x", "Space", "Control+a"),
    "text area": ("Enter", "Tab", "Backspace", "ArrowUp", "End", "Control+Backspace"),
    "editor": ("Enter", "Shift+Enter", "Backspace", "ArrowLeft", "Tab"),
    "search field": ("Enter", "Escape"),
    "number": ("ArrowUp", "ArrowDown", "5"),
    "range": ("ArrowRight", "ArrowDown", "Home", "End", "PageUp", "PageDown"),
    "list": ("ArrowDown", "ArrowUp", "Home", "End", "b", "PageDown"),
    "list of several": ("ArrowDown", "Shift+ArrowDown", "Home", "End", "c"),
    "check box": ("Space", "Enter", "x"),
    "radio button": ("Space", "ArrowDown"),
    "button": ("Enter", "Space", "Tab", "x"),
    "link": ("Enter", "Space"),
    "summary": ("Enter", "Space"),
}
KEYED = CONTROLS | {
    "number": "<input id=t type=number value=5>",
    "range": "<input id=t type=range value=50>",
    "list": f"<select id=t>{OPTIONS}</select>",
    "list of several": f"<select id=t multiple size=4>{OPTIONS}</select>",
    "radio button": "<input id=t type=radio name=r><input type=radio name=r>",
}


@dataclass(frozen=True)
class Sequence:
    """Act on the element `#t` of a page: `click`, `double`, `right`, `press` with a key, `type` with a text."""

    name: str
    html: str
    act: str
    value: str = ""


def sequences() -> list[Sequence]:
    """All acts, each in a page of one control."""
    clicks = [Sequence(f"{act} {name}", CONTROLS[name], act) for name, act in product(CONTROLS, ("click", "double", "right"))]
    keys = [Sequence(f"{key} in {name}", KEYED[name], "press", key) for name, all_keys in KEYS.items() for key in all_keys]
    fields = ("text field", "text area", "editor", "search field", "password", "number")
    texts = [Sequence(f"text in {name}", KEYED[name], "type", "12" if name == "number" else "aB ") for name in fields]
    return clicks + keys + texts
