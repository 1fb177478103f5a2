"""Kinds of sensitive acts: the owner of a browser is asked about each once per site, unless it was said ahead."""

from collections.abc import Mapping
from typing import Literal

Kind = Literal[
    "auth_state",
    "bookmarks",
    "clipboard",
    "cookies",
    "downloads",
    "evaluate",
    "history",
    "one_time_code",
    "password",
    "payment",
    "site_permissions",
    "steps",
    "uploads",
]

KINDS: Mapping[Kind, str] = {
    "auth_state": "save or restore the login",
    "bookmarks": "read or change bookmarks",
    "clipboard": "paste what is in the clipboard",
    "cookies": "read or change cookies",
    "downloads": "take a file that is downloaded",
    "evaluate": "run a script of its own in the page",
    "history": "search the browsing history",
    "one_time_code": "fill in a one-time code",
    "password": "fill in a password",
    "payment": "fill in payment details",
    "site_permissions": "give this site the camera, microphone, location, clipboard or notifications",
    "steps": "record what you do in a tab, and what you type there",
    "uploads": "give files of this computer to the page",
}
"""Kinds in words for people, as a client wants to do them."""

FIELD_KINDS: tuple[Kind, ...] = ("password", "payment", "one_time_code")
"""Kinds that show at the field they are done in; the others belong to a method, or to keys."""
