"""Pages that record the events they get, and the record read back."""

from typing import Any

from e2e.conftest import ShownPage

RECORD = """<script>globalThis.seen = [];
function record(el, ...types) { for (const type of types) el.addEventListener(type, (e) => seen.push({
  type, button: e.button, buttons: e.buttons, detail: e.detail, key: e.key, code: e.code, keyCode: e.keyCode, trusted: e.isTrusted,
  shift: e.shiftKey, ctrl: e.ctrlKey, data: e.data, inputType: e.inputType })) }</script>"""


def types(page: ShownPage) -> list[str]:
    return list(page.evaluate("seen.map((e) => e.type)"))


def fields(page: ShownPage, *names: str) -> list[list[Any]]:
    listed = ", ".join(f"e.{name}" for name in names)
    return list(page.evaluate(f"seen.map((e) => [{listed}])"))
