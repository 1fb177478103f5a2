"""Rule that says, from what was observed, how surely an act had the effect that was meant. No I/O."""

from dataclasses import dataclass
from typing import Literal

Confidence = Literal["high", "medium", "low"]


@dataclass(frozen=True, slots=True)
class Seen:
    """Observations between the moment before an act and the moment after it."""

    was_meant: bool = False
    """Whether the purpose of the act was itself seen: the text is in the field, the page (or a new tab) is at the link's
    address, the box, switch or section that was clicked is in another state, the field that was clicked has the focus, the script
    gave a value."""
    url_changed: bool = False
    dom_mutations: int = 0
    network_requests: int = 0
    console_messages: int = 0
    console_errors: int = 0
    """Number of the messages that are errors."""
    other: int = 0
    """Dialogs, new tabs, downloads, and the end of the tab."""
    has_thrown: bool = False
    """The script itself threw, or had to be stopped."""

    @property
    def has_changes(self) -> bool:
        """Whether something happened that is more than an error message."""
        said = self.console_messages - self.console_errors
        return self.url_changed or any(count > 0 for count in (self.dom_mutations, self.network_requests, said, self.other))


def confidence_of(seen: Seen) -> Confidence:
    """The rule.

    - `high`: what the act is for was itself observed (`was_meant`), and no script of ours threw.
    - `medium`: something changed: the URL, the DOM, a request was sent, the page wrote to its console, a dialog or a tab opened,
      a download began. Whether it was meant, or came of the act at all (pages change by themselves), cannot be known.
    - `low`: nothing was observed, or nothing but errors.

    An exception alone decides nothing: a script that threw after it had changed something is `medium`, as any change is; one of
    the page's own that threw in a handler is an error on the console.
    """
    if seen.was_meant and not seen.has_thrown:
        return "high"
    return "medium" if seen.has_changes else "low"
