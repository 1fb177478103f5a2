"""The site that serves the builds and the answers behind them, with the faults that lie in its answers."""

import json
import mimetypes
from pathlib import Path

from bugs.catalog import Bug
from e2e.site import Site

MISSING = ("plain/yearly.js",)
SLOW_STYLES_MS = 1_200
PAGE = """<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width"><title>{title}</title>
{head}<body data-page={page} data-partner={partner}><main id=root></main><script type=module src=/{app}/main.js></script>"""


class BugSite:
    """See the module docstring."""

    def __init__(self, builds: Path, bugs: list[Bug]) -> None:
        self.site = Site()
        for file in (path for path in builds.rglob("*") if path.is_file()):
            name = file.relative_to(builds).as_posix()
            if name not in MISSING:
                kind = "application/json" if file.suffix == ".map" else mimetypes.guess_type(file.name)[0] or "text/plain"
                self.site.serve(f"/{name}", file.read_bytes(), kind)
        self._serve_answers()
        for bug in bugs:
            self._serve_page(bug)

    def url(self, bug: Bug) -> str:
        return self.site.url(f"/{bug.app}/{bug.page}.html")

    def close(self) -> None:
        self.site.close()

    def _serve_page(self, bug: Bug) -> None:
        sheets = ["/plain/main.css"] if bug.app == "plain" else []
        sheets += ["/slow-fonts.css"] if bug.page == "font" else []
        head = "".join(f"<link rel=stylesheet href={sheet}>" for sheet in sheets)
        page = PAGE.format(title=bug.page.title(), head=head, page=bug.page, partner=self.site.cross_origin, app=bug.app)
        self.site.serve(f"/{bug.app}/{bug.page}.html", page)

    def _serve_answers(self) -> None:
        def serve(path: str, value: object, **more: int) -> None:
            self.site.serve(path, json.dumps(value), "application/json", **more)

        self.site.serve("/api/orders", "<!doctype html><p>Please log in")
        serve("/api/search/pl", {"found": "plate"}, delay_ms=400)
        serve("/api/search/plum", {"found": "plum"})
        serve("/api/stock", {"count": 4}, delay_ms=30)
        serve("/api/save", {"error": "disk full"}, status=500)
        serve("/api/rates", {"EUR": 1})
        serve("/api/weather/now", {"sun": True}, delay_ms=40)
        serve("/api/weather/week", {"sun": False}, delay_ms=1_500)
        serve("/api/weather/map", {"sun": True}, delay_ms=90)
        self.site.serve("/slow-fonts.css", "p { letter-spacing: 0.01em; }", "text/css", delay_ms=SLOW_STYLES_MS)
