"""A ``serve --toolset facade`` with a launched browser, and what a caller of document 000 does with its responses."""

from pathlib import Path
from typing import Any

from e2e.cdp import Browser
from e2e.client import Reply, Tabwire
from e2e.site import Site


class FacadeBridge:
    """See the module docstring. ``.tabwire`` is its MCP client, ``.browser`` the browser it launched."""

    def __init__(self, work: Path, *args: str, **env: str) -> None:
        profile = work / "profile"
        # As a configured one would be: fewer calls for large pages.
        limits = work / "limits.yaml"
        limits.write_text("mcp: {tool_limits: {chunks: {max_chunk_bytes: 450000}, global_max_bytes: 450000}}")
        self.home = work / "home"
        self.screenshots = work / "pictures"
        self.downloads = work / "downloads"
        environment = {
            "TABWIRE_HOME": str(self.home),
            "TABWIRE_FACADE_SCREENSHOTS": str(self.screenshots),
            "TABWIRE_FACADE_DOWNLOADS": str(self.downloads),
            **env,
        }
        launch = ["--launch", "--headless", "--browser-arg=--remote-debugging-port=0", "--profile", str(profile)]
        # The folders of all tests are beside it.
        launch += ["--files", str(work.parent)]
        self.tabwire = Tabwire(["--toolset", "facade", "--limits", str(limits), "--pool", "0", *launch, *args], environment, work)
        self.browser = Browser.of_profile(profile)

    def ok(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The response of a call that must succeed: all fields of the document's model."""
        reply = self.call(tool, **arguments)
        assert not reply.is_error, reply
        assert reply.structured["success"] is True and reply.structured["error"] is None
        return reply.structured

    def fails(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The response of a call that must fail."""
        reply = self.call(tool, **arguments)
        assert reply.is_error, reply
        assert reply.structured["success"] is False and reply.structured["error"]
        assert reply.text.startswith(f"{reply.structured['data']['code']}: ")
        return reply.structured

    def call(self, tool: str, /, **arguments: Any) -> Reply:
        return self.tabwire.start(tool, **arguments).result(60)

    def act(self, action: str, /, **arguments: Any) -> dict[str, Any]:
        """``browser_interact``."""
        return self.ok("browser_interact", action=action, **arguments)

    def goto(self, url: str, **arguments: Any) -> dict[str, Any]:
        return self.ok("browser_navigate", action="goto", url=url, **arguments)

    def show(self, site: Site, html: str) -> str:
        """Goes to a page made of ``html``; its address."""
        url = site.page(html)
        self.goto(url)
        return url

    def chunks(self, tool: str, **arguments: Any) -> list[dict[str, Any]]:
        """All chunks of a text, read as a caller would."""
        found = [self.ok(tool, use_chunking=True, **arguments)]
        while found[-1]["next_offset"] is not None:
            found.append(
                self.ok(
                    tool,
                    use_chunking=True,
                    **{**arguments, "offset": found[-1]["next_offset"], "snapshot_checksum": found[-1]["snapshot_checksum"]},
                )
            )
        return found

    def evaluate(self, expression: str) -> Any:
        """In the tab in front, seen without Tabwire."""
        return self.browser.shown().evaluate(expression)

    def close(self) -> None:
        self.browser.close()
        self.tabwire.close()
