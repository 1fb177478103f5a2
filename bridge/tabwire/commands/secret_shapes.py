"""Patterns of secrets: names that say their value is one, shapes of keys and tokens, numbers of payment cards.

Declared here for both sides: scripts/generate_protocol.py writes them to extension/background/rules/secret-shapes.js as well. The
patterns are of the syntax that Python and JavaScript share.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

MASK = "[redacted]"

NAME = (
    r"^(pass(word|wd|phrase|code)|pwd|secret|cookies?|set-cookie|(proxy-)?authorization|credentials?|jwt|bearer|otp|totp|cvc|cvv|csc|"
    r"api[-_]?key|private[-_]?key|client[-_]?secret|session[-_]?(id|key)|sessid|phpsessid|jsessionid|connect\.sid|sid)$|"
    r"(^|[-_. ])(password|passwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|session[-_]?id)$|"
    r"[a-z](Password|Secret|Token|ApiKey|AccessKey|PrivateKey|SessionId)$"
)
"""Names whose value is a secret, as they stand or in small letters. `token` only at the end: "tokenizer" stays."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of secret in a text."""

    pattern: str
    hints: tuple[str, ...]
    """Parts, one of which is in each text that holds such a secret: cheaper to look for than the pattern."""
    kept: str = ""
    """Text that stays before the mask; $1 is the first group."""


_FIELD = (
    r"(?:(?:[\w.-]|%5[BbDd]|[\[\]]){0,80}(?:[-_.\[]|%5[Bb]))?"
    r"(?:[Pp]ass(?:word|wd|phrase|code|wort)?|[Pp]wd?|pswd|[Pp]in|t?otp|cv[cv]|secret|(?:otp|verification|security|one-time)[-_]?code)"
    r"\d{0,2}(?:%5[Dd]|\])?"
)
"""Names under which forms send secrets in an address: shorter ones than elsewhere, and with the brackets of PHP and Rails."""

SHAPES: tuple[Shape, ...] = (
    Shape(
        rf"([?&]{_FIELD}=)(?!\[)[^&#\s\"'<>)\]]+",
        ("ass", "pw", "Pw", "pswd", "pin", "Pin", "otp", "cvc", "cvv", "secret", "code"),
        "$1",
    ),
    Shape(r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*", ("eyJ",)),
    Shape(
        r"\b([Aa]uthorization:\s*(?:Bearer|Basic|Digest|Token|Negotiate|AWS4-HMAC-SHA256)\s+)(?!\[)[^\n\r\"']+",
        ("uthorization:",),
        "$1",
    ),
    Shape(r"\b(Bearer|Basic(?=\s+\w*[\d=+]))\s+[\w+/.~=-]{16,}", ("Bearer", "Basic"), "$1 "),
    Shape(r"\b(sk|pk|rk)[-_](live|test|proj|ant)[-_][\w-]{10,}", ("sk-", "sk_", "pk-", "pk_", "rk-", "rk_")),
    Shape(r"\bsk-[A-Za-z0-9]{32,}", ("sk-",)),
    Shape(
        r"\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-"),
    ),
    Shape(r"\bxox[abeoprs]-[\w-]{10,}", ("xox",)),
    Shape(r"\b(AKIA|ASIA)[A-Z0-9]{16}\b", ("AKIA", "ASIA")),
    Shape(r"\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}", ("AIza", "ya29.")),
    Shape(r"\bnpm_[A-Za-z0-9]{36}\b|\bpypi-[\w-]{50,}|\bhf_[A-Za-z0-9]{30,}\b", ("npm_", "pypi-", "hf_")),
    Shape(
        r"\bSG\.[\w-]{16,}\.[\w-]{16,}|\bshp(at|ca|pa|ss)_[0-9a-fA-F]{32}\b|\bdop_v1_[0-9a-f]{64}\b", ("SG.", "shp", "dop_v1_")
    ),
    Shape(r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)", ("PRIVATE KEY",)),
    Shape(r"(\botpauth://\w{1,9}/[^\s\"'?]{0,300}\?)[^\s\"']+", ("otpauth:",), "$1"),
    Shape(r"(\b[a-z][a-z0-9+.-]{0,20}://[^\s/@:\"']{1,200}:)(?!\[)[^\s/@\"']{1,200}(?=@)", ("://",), "$1"),
)

CARD_NUMBER = r"(?<![\w.-])(?:[2-6]\d{3}([ -])\d{4}\1\d{4}\1\d{4}|3\d{3}([ -])\d{6}\2\d{4,5}|[2-6]\d{12,18})(?![\w-]|\.\d)"
"""Digits in the groups that cards print them in, or in one. What stands in a longer chain (an id, a date) is none."""

CARDS: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("4", (13, 16, 19)),
    ("5[1-5]|2(2(2[1-9]|[3-9])|[3-6]|7([01]|20))", (16,)),
    ("3[47]", (15,)),
    ("6(011|5|4[4-9])", (16, 19)),
    ("3(0[0-5]|[689])", (14,)),
    ("35(2[89]|[3-8])", (16,)),
    ("62", (16, 17, 18, 19)),
)
"""Issuers by the first digits, and how many digits their cards have."""

PAIRS: tuple[str, ...] = (
    r"(?<![^;&?#\s])([\w.-]+)(=)()([^;&\s\"'<>)\]]+)",
    r"(?<=[\"'])([\w.-]+)(\\{0,3}[\"']\s*:\s*)(\\{0,3}[\"'])((?:(?!\3)(?:[^\\]|\\.))*)(?=\3)",
    r"(?<![^{,(\s])([\w.-]+)(:\s*)(\\{0,3}[\"'])((?:(?!\3)(?:[^\\]|\\.))*)(?=\3)",
)
"""Name, what is between, a quotation mark or nothing, value: as in cookies, queries and forms; in JSON text; in scripts."""

PAIR_HINT = r"pass|pwd|secret|cookie|authorization|credential|jwt|bearer|otp|cvc|cvv|csc|key|token|sess|sid"
"""Words in small letters, one of which is in each text with a name of a secret."""

_name = re.compile(NAME)
_shapes = tuple((re.compile(shape.pattern), shape) for shape in SHAPES)
_card = re.compile(CARD_NUMBER)
_issuers = tuple((re.compile(prefix), lengths) for prefix, lengths in CARDS)
_pairs = tuple(re.compile(pair) for pair in PAIRS)
_pair_hint = re.compile(PAIR_HINT, re.IGNORECASE)


def is_secret_name(name: str) -> bool:
    """Whether what is stored under this name is a secret."""
    return bool(_name.search(name) or _name.search(name.lower()))


def mask_text(text: str) -> str:
    """The text without what looks like a secret."""
    for pattern, shape in _shapes:
        if any(hint in text for hint in shape.hints):
            text = pattern.sub(_masking(shape), text)
    text = _card.sub(_masked_card, text)
    if _pair_hint.search(text):
        for pair in _pairs:
            text = pair.sub(_masked_pair, text)
    return text


def mask_value(value: Any) -> Any:
    """A copy of a JSON value without its secrets; strings are handled as by `mask_text`."""
    if isinstance(value, str):
        return mask_text(value)
    if isinstance(value, list | tuple):
        return [mask_value(item) for item in value]
    if not isinstance(value, dict):
        return value
    called = value.get("name", value.get("key"))
    is_entry = isinstance(called, str) and is_secret_name(called)
    return {name: MASK if _is_held_back(name, member, is_entry) else mask_value(member) for name, member in value.items()}


def _is_held_back(name: str, member: Any, is_entry: bool) -> bool:
    if not isinstance(member, str) or not member:
        return False
    return (is_entry and name == "value") or is_secret_name(name)


def _masking(shape: Shape) -> Callable[[re.Match[str]], str]:
    return lambda found: shape.kept.replace("$1", found[1] or "" if found.re.groups else "") + MASK


def _masked_card(found: re.Match[str]) -> str:
    digits = [int(character) for character in found[0] if character.isdigit()]
    return MASK if _is_card(digits) else found[0]


def _is_card(digits: list[int]) -> bool:
    """Luhn's check, for numbers that an issuer could have given."""
    text = "".join(map(str, digits))
    if not any(prefix.match(text) and len(text) in lengths for prefix, lengths in _issuers):
        return False
    doubled = [digit * 2 - 9 * (digit > 4) if index % 2 else digit for index, digit in enumerate(reversed(digits))]
    return sum(doubled) % 10 == 0 and len(set(digits)) > 1


def _masked_pair(found: re.Match[str]) -> str:
    """A value may hold pairs of its own."""
    name, between, quote, value = found.groups()
    if not value or value.startswith(MASK[:-1]):
        return found[0]
    if is_secret_name(name):
        return f"{name}{between}{quote}{MASK}"
    return f"{name}{between}{quote}{found.re.sub(_masked_pair, value)}" if _pair_hint.search(value) else found[0]
