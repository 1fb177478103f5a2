"""Completion of commands and options for shells, as scripts that need nothing at run time."""

import shlex
from collections.abc import Sequence

from tabwire.cli.grammar.fields import commands
from tabwire.cli.grammar.help import SESSION_OPTIONS
from tabwire.commands.line_spelling import SAVED_TO, fields_of
from tabwire.surfaces.tool import Tool

_BASH = """\
_tabwire() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} command= named= word
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case $named$word in
      -s|--session) named=: ;;
      :=) ;;
      :*) named= ;;
      -*) ;;
      *) command=$word; break ;;
    esac
  done
  [ -z "$named" ] || return
  if [ -z "$command" ]; then
    COMPREPLY=($(compgen -W "{commands}" -- "$current"))
    return
  fi
  case $command in
{cases}
  esac
}}
complete -o default -F _tabwire tabwire
"""

_FISH = """\
# Whether the line has a command; with a name, whether it is that one.
function __tabwire_command
    set -l words (commandline -opc)
    set -l named
    set -q words[2]; or return 1
    for word in $words[2..-1]
        if set -q named[1]
            set -e named[1]
        else if contains -- $word -s --session
            set named value
        else if not string match -q -- '-*' $word
            not set -q argv[1]; or test $word = $argv[1]
            return
        end
    end
    return 1
end
"""


def script(shell: str, more_commands: Sequence[str]) -> str:
    """The script for a shell.

    Args:
        shell: one of `SHELLS`.
        more_commands: commands that are no tools.
    """
    return _SCRIPTS[shell](more_commands)


def _flags(tool: Tool) -> list[str]:
    flags = [each.usual_flag for each in fields_of(tool)]
    session = [flag.split(" ")[0].rstrip(",") for flag, _ in SESSION_OPTIONS]
    return [*flags, *(["-o"] if tool.name in SAVED_TO else []), *session]


def _bash(more_commands: Sequence[str]) -> str:
    known = commands()
    cases = "\n".join(
        f'    {name}) COMPREPLY=($(compgen -W "{" ".join(_flags(tool))}" -- "$current")) ;;' for name, tool in known.items()
    )
    return _BASH.format(commands=" ".join([*more_commands, *known]), cases=cases)


def _zsh(more_commands: Sequence[str]) -> str:
    return f"autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n{_bash(more_commands)}"


def _fish(more_commands: Sequence[str]) -> str:
    known = commands()
    first = "complete -c tabwire -f -n 'not __tabwire_command' -a"
    lines = ["complete -c tabwire -s s -l session -x", *(f"{first} {name}" for name in more_commands)]
    for name, tool in known.items():
        lines.append(f"{first} {name} -d {shlex.quote(tool.title)}")
        for flag in _flags(tool):
            spelled = f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
            lines.append(f"complete -c tabwire -n '__tabwire_command {name}' {spelled}")
    return _FISH + "\n".join(lines) + "\n"


_SCRIPTS = {"bash": _bash, "zsh": _zsh, "fish": _fish}
SHELLS = tuple(_SCRIPTS)
