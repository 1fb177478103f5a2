"""A browser of the user's own with two named clients in it, and the person's page of the extension."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from e2e.cdp import Browser, Page
from e2e.client import Tabwire
from e2e.person import Person
from e2e.plain import PlainChromium


@dataclass
class TwoClients:
    """See the module docstring; a module's own class adds what its tests look at."""

    chromium: PlainChromium
    person: Person
    anna: Tabwire
    bert: Tabwire

    @classmethod
    @contextmanager
    def started(
        cls, work: Path, *bert: str, anna: str = "Anna", pairing: dict[str, Any] | None = None, flags: Sequence[str] = ()
    ) -> Iterator[Self]:
        """The browser and its clients, until the end of the block.

        Args:
            bert: Options of Bert's bridge.
            anna: The name of the other client.
            pairing: Changed fields of pairing.json.
            flags: Further switches of the browser.
        """
        chromium = PlainChromium(work, "about:blank", pairing=pairing, flags=flags)
        try:
            clients = chromium.serve(name=anna), chromium.serve(*bert, name="Bert")
            for client in clients:
                client.until_joined()
            yield cls(chromium, Person(chromium.browser), *clients)
        finally:
            chromium.close()

    @contextmanager
    def for_a_test(self) -> Iterator[Self]:
        """Closes the tabs that come meanwhile."""
        with self.chromium.for_a_test(self.anna, self.bert):
            yield self

    @property
    def browser(self) -> Browser:
        return self.chromium.browser

    def open(self, client: Tabwire, url: str, **more: Any) -> tuple[Page, int]:
        """A tab of the client's, and its id."""
        tab = client.ok("tab_new", url=url, **more).data["tabId"]
        return self.browser.at(url), tab
