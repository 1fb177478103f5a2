"""The words of a command line: those that are for the session, and those of commands that record and replay."""

from tabwire.cli.session.places import DEFAULT

OWN = ("serve", "doctor", "log", "demo", "install", "uninstall", "pair", "extension")
"""Commands that need no session: those of `tabwire.cli`."""
ABOUT_SESSIONS = ("batch", "codegen", "replay", "shell", "sessions", "close", "completion")
"""Commands of `own_commands`."""
COMMANDS = (*OWN, *ABOUT_SESSIONS)
"""All commands that are no tools. The batch of lines stands for the tool of that name."""
FOLLOW = "--follow"
"""Option of commands that print what is new."""
LAUNCHES = ("--launch", "--headless")
_NAMES = ("-s", "--session")


class Asked:
    """A command line as the session gets it."""

    def __init__(self) -> None:
        self.session = DEFAULT
        self.is_named = False
        """Whether an option names the session."""
        self.options: list[str] = []
        """Options with which the session is started, if it has to be."""
        self.words: list[str] = []
        self.typed: list[str] = []
        """The words as they stand in a batch, where variables of the environment are put in for some of them."""
        self.wants_help = False
        self.problem = ""
        """Reason for which it cannot be understood."""


def is_for_session(words: list[str]) -> bool:
    """Whether a command line is for a session. Options alone are those of `serve`, which MCP clients have always started so."""
    if not words:
        return False
    asked = asked_in(words)
    if not asked.words or asked.words[0].startswith("-"):
        return words[0].partition("=")[0] in _NAMES
    return asked.words[0] not in OWN


def spelled_out(words: list[str]) -> list[str]:
    """A command line with `help` as the option for which it stands, and with no session where it asks for all commands."""
    asked = asked_in(words)
    if asked.words[:1] == ["help"] or (asked.is_named and asked.words[:1] in (["-h"], ["--help"])):
        return [*asked.words[1:2], "--help"]
    return words


def asked_in(words: list[str]) -> Asked:
    """The words apart. Behind `--`, all are the command's."""
    asked, left = Asked(), list(words)
    while left:
        word = left.pop(0)
        if word == "--":
            asked.words += [word, *left]
            break
        name, equals, value = word.partition("=")
        if name in _NAMES and (equals or left):
            asked.session, asked.is_named = value if equals else left.pop(0), True
        elif name in _NAMES:
            asked.problem = f"{word} needs the name of a session"
        elif word in LAUNCHES:
            asked.options.append(word)
        else:
            asked.wants_help = asked.wants_help or word in ("-h", "--help")
            asked.words.append(word)
    return asked


def given(words: list[str], *, switches: tuple[str, ...], valued: dict[str, str]) -> dict[str, str]:
    """The values of options by name, "" for a switch; the one word that belongs to no option has the name "".

    Args:
        words: the command line without the command.
        switches: options without a value.
        valued: option with a value → its name.

    Raises:
        ValueError: there is another option, a second word, or no value for an option.
    """
    found: dict[str, str] = {}
    left = list(words)
    while left:
        word = left.pop(0)
        flag, equals, value = word.partition("=")
        if word in switches:
            found[word] = ""
        elif flag in valued:
            if not equals and not left:
                raise ValueError(f"needs a value for {flag}")
            found[valued[flag]] = value if equals else left.pop(0)
        elif word.startswith("-") or "" in found:
            raise ValueError(f"does not take {word!r}")
        else:
            found[""] = word
    return found
