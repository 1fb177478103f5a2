"""Origins of web sites, as browsers write them."""

from urllib.parse import urlsplit

_DEFAULT_PORTS = {"http": 80, "https": 443}


def origin_of(text: str) -> str:
    """`https://example.com` for an origin, an address of it, or a bare host.

    Raises:
        ValueError: it names no http or https origin.
    """
    written = text.strip()
    problem = f"{text[:100]!r} is no origin; give one such as https://example.com"
    try:
        parts = urlsplit(written if "://" in written else f"https://{written}")
        host, port = parts.hostname or "", parts.port
        name = f"[{host}]" if ":" in host else host.encode("idna").decode()
    except ValueError:
        raise ValueError(problem) from None
    if parts.scheme not in _DEFAULT_PORTS or not host or any(mark in name for mark in " *%/"):
        raise ValueError(problem)
    return f"{parts.scheme}://{name}" + ("" if port in (None, _DEFAULT_PORTS[parts.scheme]) else f":{port}")
