"""An answer as it came, before anything is read from it."""

import codecs
import re
from dataclasses import dataclass
from email.message import Message

_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_META_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]{2,40})""", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]{2,40})["']""")
_META_SPACE = 2048

# Browsers read these labels as their supersets.
_READ_AS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}
_WESTERN = "cp1252"
_NO_CHARSETS = frozenset({"utf-7", "idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "mbcs", "oem"})
"""Python's own, or dangerous."""


@dataclass(frozen=True, slots=True)
class Document:
    """A body with what its server said about it."""

    url: str
    """Address after redirects."""
    mime_type: str
    """Lower case, without parameters; empty when the server named none."""
    body: bytes
    charset: str | None = None
    """Charset that the server named."""
    etag: str | None = None
    last_modified: str | None = None
    fresh_s: float = 0.0
    """Seconds for which it need not be asked for again."""
    is_indexable: bool = True
    """False where a header says noindex."""
    is_private: bool = False
    """Whether the user's cookies or login may have gone along."""

    def text(self) -> str:
        """The body as text, read as browsers would where the server's label is wrong or missing."""
        for mark, name in _BOMS:
            if self.body.startswith(mark):
                return self.body.decode(name, "replace")
        declared = known_charset(self.charset) or _declared_inside(self.body)
        # Text that is valid UTF-8 beyond ASCII is nothing else, whatever a label of Western Europe says.
        order = ("utf-8", declared) if declared in (None, _WESTERN) else (declared, "utf-8")
        for charset in order:
            try:
                return self.body.decode(charset or _WESTERN)
            except UnicodeDecodeError:
                continue
        return _forced(self.body, declared or _WESTERN)


def _forced(body: bytes, charset: str) -> str:
    """A body that is not quite what it says."""
    text = body.decode(charset, "replace")
    wrong = text.count("\ufffd")
    right = sum(character > "\x7f" for character in text) - wrong
    return text if right >= wrong or charset == _WESTERN else body.decode(_WESTERN, "replace")


def content_type(header: str) -> tuple[str, str | None]:
    """The MIME type and the charset of a Content-Type header."""
    message = Message()
    message["Content-Type"] = header
    mime_type = header.partition(";")[0].strip().lower()
    charset = message.get_param("charset")
    return (mime_type if mime_type.count("/") == 1 else ""), charset if isinstance(charset, str) else None


def known_charset(label: str | None) -> str | None:
    """Python's name of a charset; None for what is none."""
    if not label:
        return None
    try:
        name = codecs.lookup(label.strip().strip("\"'")).name
        b"".decode(name)
    except (LookupError, ValueError):
        return None
    return None if name.replace("_", "-") in _NO_CHARSETS else _READ_AS.get(name, name)


def _declared_inside(body: bytes) -> str | None:
    head = body[:_META_SPACE]
    found = _XML_ENCODING.search(head) or _META_CHARSET.search(head)
    charset = known_charset(found[1].decode("ascii", "replace")) if found else None
    # A declaration that could be read as ASCII cannot be of UTF-16.
    return "utf-8" if charset and charset.startswith("utf-16") else charset
