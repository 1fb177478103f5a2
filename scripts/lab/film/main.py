"""Makes docs/tabwire.gif: the tool `record` films the tools that place an order."""

import sys
import tempfile
from pathlib import Path

sys.path.insert(1, str(Path(__file__).resolve().parents[3] / "tests"))
sys.path.insert(1, str(Path(__file__).resolve().parents[3] / "bridge"))

from e2e.client import Tabwire
from tabwire.demo.app import DemoApp

FILM = Path(__file__).resolve().parents[3] / "docs" / "tabwire.gif"
MAX_BYTES = 1_500_000
SIZE = {"width": 640, "height": 480}
ORDER = (
    ("click", "link", "Order", {}),
    ("fill", "textbox", "Your name", {"value": "Ada Lovelace"}),
    ("fill", "textbox", "E-mail", {"value": "ada@example.org"}),
    ("click", "radio", "Large", {}),
    ("check", "checkbox", "Gift wrapping", {}),
    ("fill", "textbox", "Note", {"value": "Ring twice, please"}),
    ("click", "button", "Place order", {}),
)


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="tabwire-film-") as folder, DemoApp() as app:
        work = Path(folder)
        options = ["--launch", "--headless", "--files", str(FILM.parent)]
        tabwire = Tabwire(options, {"TABWIRE_HOME": str(work / "home")}, work / "server")
        try:
            tabwire.ok("navigate", url=app.url)
            tabwire.ok("viewport", **SIZE)
            tabwire.ok("record", action="start", mode="auto_capture", **SIZE)
            for tool, role, name, arguments in ORDER:
                tabwire.ok(tool, selector=tabwire.ref(role, name), **arguments)
            stopped = tabwire.ok("record", action="stop", save_path=str(FILM), overwrite=True)
        finally:
            tabwire.close()
    print(stopped.text)
    return 0 if FILM.stat().st_size <= MAX_BYTES else 1


if __name__ == "__main__":
    sys.exit(main())
