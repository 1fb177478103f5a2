"""Selectors of this surface are CSS: what other surfaces read as `label:…` or `title:…` is CSS here. References work, too."""

import re

CSS = "css="
_REFERENCE = re.compile(r"@e\d+")


def css(selector: str) -> str:
    """Selector as the engine takes it."""
    return selector if _REFERENCE.fullmatch(selector) else CSS + selector
