"""An answer as it came, before anything is read from it."""

import codecs
from contextlib import suppress
from dataclasses import dataclass
from email.message import Message

from tabwire.surfaces.reader.loading.charsets import WESTERN, declared_inside, guessed, is_escaped_japanese, known_charset

_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


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
        declared = known_charset(self.charset) or declared_inside(self.body)
        if declared is None and is_escaped_japanese(self.body):
            declared = "iso2022_jp"
        # Text that is valid UTF-8 beyond ASCII is nothing else, whatever a label of Western Europe says.
        order = ("utf-8", declared) if declared in (None, WESTERN) else (declared, "utf-8")
        for charset in order:
            with suppress(UnicodeDecodeError):
                return self.body.decode(charset or guessed(self.body))
        return _forced(self.body, declared or WESTERN)


def _forced(body: bytes, charset: str) -> str:
    """A body that is not quite what it says."""
    text = body.decode(charset, "replace")
    wrong = text.count("\ufffd")
    right = sum(character > "\x7f" for character in text) - wrong
    return text if right >= wrong or charset == WESTERN else body.decode(WESTERN, "replace")


def content_type(header: str) -> tuple[str, str | None]:
    """The MIME type and the charset of a Content-Type header."""
    message = Message()
    message["Content-Type"] = header
    mime_type = header.partition(";")[0].strip().lower()
    charset = message.get_param("charset")
    return (mime_type if mime_type.count("/") == 1 else ""), charset if isinstance(charset, str) else None
