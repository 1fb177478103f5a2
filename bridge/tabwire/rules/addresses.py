"""Addresses that Tabwire knows by their scheme or host: which lead to a page, and which are never gone to, read or worked in."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Access = Literal["web", "local", "inherited", "shown", "barred"]
"""web: rules for its host decide. local: rules for files decide. inherited: those of the page that made it. shown: the user may
be shown it, and nobody looks into it. barred: nobody goes there."""


@dataclass(frozen=True, slots=True)
class Scheme:
    """The pages of a scheme."""

    access: Access
    what: str = ""
    """The pages in words, where extensions cannot work in them."""


SCHEMES: Mapping[str, Scheme] = {
    "http:": Scheme("web"),
    "https:": Scheme("web"),
    "file:": Scheme("local"),
    "about:": Scheme("inherited", "an empty page of the browser"),
    "blob:": Scheme("inherited"),
    "data:": Scheme("inherited", "a data: address"),
    "filesystem:": Scheme("inherited"),
    "brave:": Scheme("shown", "a page of the browser itself"),
    "chrome:": Scheme("shown", "a page of the browser itself"),
    "chrome-error:": Scheme("shown", "the browser's error page"),
    "edge:": Scheme("shown", "a page of the browser itself"),
    "chrome-extension:": Scheme("barred", "a page of an extension"),
    "chrome-search:": Scheme("barred", "a page of the browser itself"),
    "chrome-untrusted:": Scheme("barred", "a page of the browser itself"),
    "devtools:": Scheme("barred", "the developer tools"),
    "isolated-app:": Scheme("barred", "an installed application"),
    "view-source:": Scheme("barred", "a source view"),
}
"""Every scheme that can be opened. Addresses of others start another program, or code."""

STORES = ("chromewebstore.google.com", "microsoftedge.microsoft.com", "addons.opera.com")
"""Hosts of extension stores: Chrome keeps extensions out of them."""
OLD_STORE = ("chrome.google.com", "/webstore")
"""Host and path of the store before."""

CREDENTIAL_HOSTS = (
    "metadata",
    "metadata.google.internal",
    "metadata.goog",
    "metadata.azure.internal",
    "metadata.platformequinix.com",
    "metadata.tencentyun.com",
    "instance-data",
    "instance-data.ec2.internal",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "[fd00:ec2::254]",
    "[fd20:ce::254]",
)
"""Hosts where machines in clouds are told who they are: the answers hold credentials."""
LINK_LOCAL = r"^169\.254\.\d+\.\d+$|^\[fe[89ab][\da-f]:"
"""The link-local networks: the metadata services of nearly all clouds are there, and nothing a browser is used for."""
THIS_COMPUTER = "localhost"
"""The name by which rules compare the addresses of this computer: they lead to the same servers, so they are one site."""
OWN_ADDRESSES = r"^(localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$"
LOOPBACK = rf"{OWN_ADDRESSES}|.\.localhost$"
"""The same and the names below localhost, which browsers look for here. A rule may be for one of these names alone."""

LOOPBACK_HOST = re.compile(LOOPBACK)
_LINK_LOCAL = re.compile(LINK_LOCAL)


def gives_credentials(host: str) -> bool:
    """Whether machines in a cloud get their credentials from a host.

    Args:
        host: a name, or an address without brackets.
    """
    name = host.lower().rstrip(".")
    written = f"[{name}]" if ":" in name else name
    return written in CREDENTIAL_HOSTS or bool(_LINK_LOCAL.search(written))
