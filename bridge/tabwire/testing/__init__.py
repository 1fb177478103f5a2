"""Tabwire for test authors: browsers with the extension in them, driven by plain function calls, and a pytest plugin.

    from tabwire.testing import launch

    with launch(headless=False) as tabwire:
        tabwire.navigate("https://example.com")
        tabwire.click("role:link[name=More information]")
        assert "IANA" in tabwire.snapshot()

Under pytest, ask for the fixture `tabwire` (and `tabwire_driver` for Selenium on the same tab); see `tabwire.testing.plugin`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tabwire.browsers.running import LaunchOptions
    from tabwire.errors import TabwireError
    from tabwire.testing.bridge import Bridge, launch
    from tabwire.testing.calls import Call
    from tabwire.testing.client import Tabwire
    from tabwire.testing.reply import Picture, Reply

__all__ = ["Bridge", "Call", "LaunchOptions", "Picture", "Reply", "Tabwire", "TabwireError", "launch"]

_HOMES = {
    "Bridge": "tabwire.testing.bridge",
    "Call": "tabwire.testing.calls",
    "LaunchOptions": "tabwire.browsers.running",
    "Picture": "tabwire.testing.reply",
    "Reply": "tabwire.testing.reply",
    "Tabwire": "tabwire.testing.client",
    "TabwireError": "tabwire.errors",
    "launch": "tabwire.testing.bridge",
}


def __getattr__(name: str) -> Any:
    # Every pytest run of whoever has Tabwire installed imports this package with the plugin: it must cost nothing.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
