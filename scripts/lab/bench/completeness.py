"""Gaps of a snapshot for a reader or an actor: visible words, and the controls that Playwright lists."""

import collections
import json
import re
from dataclasses import dataclass

CONTROLS = set(
    "button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox slider "
    "spinbutton switch tab textbox treeitem".split()
)
# The text on their lines is what they hold.
VALUED = {"combobox", "listbox", "searchbox", "slider", "spinbutton", "textbox"}
SYNONYMS = {
    "summary": "button",
    "image": "img",
    "doc-backlink": "link",
    "doc-biblioref": "link",
    "doc-glossref": "link",
    "doc-noteref": "link",
}
NODE = re.compile(r"""^\s*- '?(?P<role>[a-z-]+)(?: "(?P<name>(?:[^"\\]|\\.)*)")?(?P<rest>.*)$""")
WORD = re.compile(r"\w+", re.UNICODE)

GLYPHS = re.compile("[\ue000-\uf8ff\u200b-\u200d\ufeff\u00ad]")

MIN_JOINED = 5

Control = tuple[str, str]


@dataclass(frozen=True)
class Missing:
    """``words`` and ``controls`` that the page shows more often than the snapshot, with how often."""

    words: dict[str, int]
    controls: dict[str, int]
    # a line of ours carries the name under another role
    other_role: dict[str, int]

    @property
    def is_nothing(self) -> bool:
        return not self.words and not self.controls


def _unquoted(text: str) -> str:
    """JSON escapes of names in a snapshot resolved."""
    return re.sub(r'\\(["\\])', r"\1", text)


def _plain(name: str) -> str:
    """Comparable: without the glyphs of icon fonts, which say nothing, spacing, punctuation and capitals."""
    return re.sub(r"[\W_]+", "", name).casefold() or GLYPHS.sub("", name).strip()


def controls_of(snapshot: str) -> collections.Counter[Control]:
    """Count each role and name of a control in a snapshot (Playwright's or ours)."""
    return collections.Counter(one for one in named(snapshot) if one[0] in CONTROLS)


def named(snapshot: str) -> list[Control]:
    """Role and name of every line; where a line has no name, the text on it."""
    lines = snapshot.splitlines()
    return [one for index in range(len(lines)) if (one := _named(lines, index))]


def _named(lines: list[str], index: int) -> Control | None:
    node = NODE.match(_unwrapped(lines[index]))
    if not node:
        return None
    name = _text(node["name"])
    if not name and node["role"] not in VALUED:
        # Playwright leaves out a name that the text after it or the lines inside say.
        name = " ".join(node["rest"].split("]: ", 1)[1:]) or " ".join(_inside(lines, index))
    return SYNONYMS.get(node["role"], node["role"]), _plain(name)


def _inside(lines: list[str], index: int) -> list[str]:
    """Names and texts of the lines below one."""
    depth = _depth(lines[index])
    found = []
    for line in lines[index + 1 :]:
        if _depth(line) <= depth:
            break
        node = NODE.match(_unwrapped(line))
        if node:
            found += [_text(node["name"]), *node["rest"].split(": ", 1)[1:]]
    return [text for text in found if text]


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _unwrapped(line: str) -> str:
    """Playwright quotes a key with special characters as YAML does: - 'link "it''s"':"""
    body = line.lstrip()
    return line.replace("''", "'") if body.startswith("- '") else line


def _text(name: str | None) -> str:
    try:
        return str(json.loads(f'"{name}"')) if name else ""
    except ValueError:
        return _unquoted(name or "")


def words_of(text: str) -> collections.Counter[str]:
    return collections.Counter(word.casefold() for word in WORD.findall(text))


def _is_joined(word: str, text: str) -> bool:
    """innerText writes neighbours without a space between them: "UpHome"."""
    if len(word) < MIN_JOINED:
        return False
    known = words_of(text).keys()
    return (
        any(word[:at] in known and word[at:] in known for at in range(1, len(word)))
        or word in re.sub(r"\W+", "", text).casefold()
    )


Count = collections.Counter[Control]


def _without_unnamed(lacking: Count, peer: Count, ours: Count) -> Count:
    """A control that only the peer leaves without a name is there under its name: the numbers of its role tell."""

    def total(count: Count, role: str) -> int:
        return sum(number for one, number in count.items() if one[0] == role)

    kept = {one: number for one, number in lacking.items() if one[1] or total(ours, one[0]) < total(peer, one[0])}
    return collections.Counter(kept)


def missing(ours: str, inner_text: str, peer: str) -> Missing:
    """Compares our snapshot with the text the browser draws and with the controls of Playwright's snapshot."""
    text = _unquoted(ours)
    words = words_of(GLYPHS.sub("", inner_text)) - words_of(text)
    words = collections.Counter({word: count for word, count in words.items() if not _is_joined(word, text)})
    lacking = _without_unnamed(controls_of(peer) - controls_of(ours), controls_of(peer), controls_of(ours))
    names = collections.Counter(name for _, name in named(ours))
    other = {one: count for one, count in lacking.items() if one[1] and names[one[1]] >= count}
    return Missing(
        dict(words.most_common()),
        {f"{role} {name[:80]!r}": count for (role, name), count in lacking.items() if (role, name) not in other},
        {f"{role} {name[:80]!r}": count for (role, name), count in other.items()},
    )
