"""Charsets of texts: labels as browsers understand them, and a guess where a text has none.

Libraries do both; they are imported when they are needed. The guess between encodings of Latin letters is made here: in these, a
library does not distinguish the letters of languages, and reads French as Czech.
"""

import codecs
import re

from tabwire.surfaces.reader.loading.requirements import required

WESTERN = "cp1252"
_NO_CHARSETS = frozenset({"utf-7", "idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "mbcs", "oem"})
"""Python's own, or dangerous."""
_SUPERSETS = {"gbk": "gb18030"}
"""Encodings that browsers read as larger ones."""
_META_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]{2,40})""", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]{2,40})["']""")
_META_SPACE = 2048

_MARKUP = re.compile(rb"<(script|style)\b.*?</\1|<[^>]*>|&\w+;", re.IGNORECASE | re.DOTALL)
_ASCII_LETTER = re.compile(rb"[A-Za-z]")
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
_JIS_ESCAPES = (b"\x1b$B", b"\x1b$@", b"\x1b(J")
_HIRAGANA_IN_EUC = re.compile(rb"\xa4[\xa1-\xf3]")
_KANA_SHARE = 0.2
"""Share of hiragana above which a text is Japanese. In other encodings of the same shape, few characters have these bytes."""
_SAMPLE = 100_000
"""Bytes that a guess looks at."""
_LATIN_SHARE = 0.35
"""Share of bytes beyond ASCII among letters below which a text is of Latin letters: their languages have few others."""
_FEWEST = 12
"""Bytes beyond ASCII with which another script can be recognised."""
_OTHER_SCRIPTS = (
    "cp1251 cp932 gb18030 big5hkscs cp949 euc_jp koi8_r koi8_u cp1253 cp1255 cp1256 cp874 cp866 iso8859_5 iso8859_6 iso8859_7 "
    "iso8859_8 mac_cyrillic"
).split()
_LATIN_LETTERS = {
    WESTERN: "äöüß àâæçéèêëîïôœùûüÿ áéíñóúü áâãàçéêíóôõú àèéìíòóùú åäöæøé áðéíóúýþæö ëïéèöü",
    "cp1250": "ąćęłńóśźż áčďéěíňóřšťúůýž áäčďéíĺľňóôŕšťúýž áéíóöőúüű ăâîşţ čćđšž",
    "iso8859_2": "ąćęłńóśźż áčďéěíňóřšťúůýž áäčďéíĺľňóôŕšťúýž áéíóöőúüű ăâîşţ čćđšž",
    "cp1254": "çğıöşüâî",
    "cp1257": "ąčęėįšųūž āčēģīķļņšūž äöõüšž",
}
"""Encoding → the letters of each of its languages. Those before win where two fit."""
_NEUTRAL = frozenset("“”„‘’‚–—…€£§©®™°·•«»¡¿\u00a0\u00ad")
"""Characters that text in any language has."""


def known_charset(label: str | None) -> str | None:
    """Python's name of the charset that a label means; None for what is none.

    Raises:
        UnsupportedOperation: the library for it is not installed.
    """
    label = (label or "").strip().strip("\"'")
    if not label:
        return None
    found = required("webencodings", "Reading a text in its charset").lookup(label)
    name = str(found.codec_info.name) if found is not None else label
    try:
        name = codecs.lookup(name).name
        b"".decode(name)
    except (LookupError, ValueError):
        # Browsers refuse to read some charsets that Python reads.
        return known_to_python(label) if found is not None else None
    return None if name.replace("_", "-") in _NO_CHARSETS else _SUPERSETS.get(name, name)


def known_to_python(label: str) -> str | None:
    """Python's name of a charset that browsers do not read."""
    try:
        return codecs.lookup(label).name
    except LookupError:
        return None


def declared_inside(body: bytes) -> str | None:
    """The charset that a document names itself; None where it does not."""
    head = body[:_META_SPACE]
    found = _XML_ENCODING.search(head) or _META_CHARSET.search(head)
    charset = known_charset(found[1].decode("ascii", "replace")) if found else None
    # A declaration that could be read as ASCII cannot be of UTF-16.
    return "utf-8" if charset and charset.startswith("utf-16") else charset


def is_escaped_japanese(body: bytes) -> bool:
    """Whether a text is in ISO-2022-JP, which looks like ASCII."""
    return b"\x1b" in body and any(escape in body for escape in _JIS_ESCAPES)


def guessed(body: bytes) -> str:
    """The charset in which a text is probably written that is no UTF-8.

    Raises:
        UnsupportedOperation: the library for it is not installed.
    """
    sample = _MARKUP.sub(b" ", body[: 4 * _SAMPLE])[:_SAMPLE]
    beyond = len(_BEYOND_ASCII.findall(sample))
    if beyond < _FEWEST or beyond < _LATIN_SHARE * (beyond + len(_ASCII_LETTER.findall(sample))):
        return _guessed_latin(sample)
    if len(_HIRAGANA_IN_EUC.findall(sample)) > _KANA_SHARE * beyond / 2:
        return "euc_jp"
    library = required("charset_normalizer", "Reading a text that does not name its charset")
    best = library.from_bytes(sample, cp_isolation=_OTHER_SCRIPTS).best()
    return str(best.encoding) if best is not None else WESTERN


def _guessed_latin(sample: bytes) -> str:
    shares = {charset: _share_of_letters(sample, charset) for charset in _LATIN_LETTERS}
    return max(shares, key=lambda charset: shares[charset])


def _share_of_letters(sample: bytes, charset: str) -> float:
    """Share of the characters beyond ASCII that are letters of one language."""
    text = sample.decode(charset, "replace").lower()
    written = [character for character in text if character > "\x7f" and character not in _NEUTRAL]
    if not written:
        return 1.0
    return max(sum(map(letters.__contains__, written)) for letters in _LATIN_LETTERS[charset].split()) / len(written)
