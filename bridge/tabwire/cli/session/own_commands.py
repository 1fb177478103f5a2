"""Commands about sessions and command lines themselves: help, batch, shell, sessions, close, completion."""

import os
import sys
from collections.abc import Callable

from tabwire.cli.session import frames, places
from tabwire.cli.session.connection import dial, process_of, tell
from tabwire.cli.session.options import COMMANDS, Asked

CLOSE_LIMIT_S = 30.0
"""Time for a session to answer, and for its browser to end."""


def run(asked: Asked) -> int:
    """Run one of them; the exit code."""
    command = _COMMANDS.get(asked.words[0])
    if asked.wants_help or command is None:
        return _help(asked.words[0])
    return command(asked)


def _help(command: str) -> int:
    from tabwire.cli.grammar.fields import tool_of
    from tabwire.cli.grammar.help import help_of, help_of_session_command
    from tabwire.cli.grammar.parsing import unknown

    if about_it := help_of_session_command(command):
        sys.stdout.write(f"{about_it}\n")
        return frames.DONE
    tool = tool_of(command)
    if tool is None:
        tell(unknown(command, COMMANDS))
        return frames.USAGE
    sys.stdout.write(f"{help_of(tool, command)}\n")
    return frames.DONE


def _completion(asked: Asked) -> int:
    from tabwire.cli.grammar.completion import SHELLS, script

    if len(asked.words) != 2 or asked.words[1] not in SHELLS:
        tell(f"completion needs the name of a shell: {', '.join(SHELLS)}")
        return frames.USAGE
    sys.stdout.write(script(asked.words[1], COMMANDS))
    return frames.DONE


def _sessions(asked: Asked) -> int:
    if len(asked.words) > 1:
        tell(f"sessions does not take {asked.words[1]!r}; type: tabwire sessions")
        return frames.USAGE
    for name in places.sessions():
        sys.stdout.write(f"{name}: {about(name)}\n")
    return frames.DONE


def about(name: str) -> str:
    """A session in words, by what it says itself."""
    line = dial(name)
    if isinstance(line, PermissionError):
        return f"cannot be reached: {line.strerror} ({places.folder()})"
    if isinstance(line, OSError):
        return _ended(name)
    line.settimeout(CLOSE_LIMIT_S)
    try:
        line.sendall(frames.frame(frames.ABOUT))
        told = frames.Reader(line).read()
    except TimeoutError:
        return f"does not answer; end {process_of(line)} (its log is {places.log_name(name)} in {places.folder()})"
    except ConnectionError:
        told = None
    finally:
        line.close()
    # A process that is being killed still takes connections for a moment, and drops them.
    return told[1].decode() if told else _ended(name)


def _ended(name: str) -> str:
    return f"ended unexpectedly; `tabwire close -s {name}` forgets it"


def _close(asked: Asked) -> int:
    others = [word for word in asked.words[1:] if word != "--all"]
    if others:
        tell(f"close does not take {others[0]!r}; to end one session, type: tabwire close -s NAME")
        return frames.USAGE
    names = places.sessions() if "--all" in asked.words else [asked.session]
    return max([close(name) for name in names], default=frames.DONE)


def close(name: str) -> int:
    """End a session and wait for its end; the exit code."""
    line = dial(name)
    if isinstance(line, OSError):
        return _forget(name, line)
    line.settimeout(CLOSE_LIMIT_S)
    try:
        line.sendall(frames.frame(frames.CLOSE))
        # Its end of the line is open until its process has ended, and its browser with it.
        while line.recv(1):
            pass
    except TimeoutError:
        tell(f"session {name} has not ended within {CLOSE_LIMIT_S:g} s")
        return frames.FAILED
    except ConnectionError:
        pass
    finally:
        line.close()
    # One that was being killed left its socket behind. A session that was started meanwhile is not the one that was meant.
    if name in places.sessions():
        try:
            _unlink_dead(name)
        except ConnectionError:
            pass
        except OSError as error:
            tell(f"session {name} has ended; its socket is left: {error.strerror}")
    return frames.DONE


def _forget(name: str, reason: OSError) -> int:
    """Take away the socket of a session that cannot be reached, if it has ended; the exit code."""
    try:
        if isinstance(reason, ConnectionRefusedError):
            if _unlink_dead(name):
                tell(f"session {name} had ended unexpectedly; it is forgotten")
                return frames.DONE
        elif not isinstance(reason, FileNotFoundError):
            raise reason
    except OSError as error:
        tell(f"session {name} cannot be reached: {error.strerror} ({places.folder()})")
        return frames.FAILED
    tell(f"there is no session {name}")
    return frames.DONE


def _unlink_dead(name: str) -> bool:
    """Take a dead session's socket away; whether there was one."""
    from tabwire.cli.session.start_lock import StartBusy, alone

    try:
        with alone(name):
            # A command may have started it anew meanwhile.
            line = dial(name)
            if isinstance(line, ConnectionRefusedError):
                os.unlink(os.path.join(places.folder(), places.socket_name(name)))
                return True
            if isinstance(line, OSError):
                raise line
            line.close()
            raise ConnectionError(0, "another command has just started it")
    except FileNotFoundError:
        return False
    except StartBusy:
        raise ConnectionError(0, "another command is starting it") from None


def _batch(asked: Asked) -> int:
    from tabwire.cli.session import batch

    if len(asked.words) != 2:
        from tabwire.cli.grammar.help import help_of_session_command

        tell(f"batch needs a file, or - for standard input. {help_of_session_command('batch')}")
        return frames.USAGE
    return batch.run(asked, os.getcwd())


def _shell(asked: Asked) -> int:
    from tabwire.cli.session import interactive

    if len(asked.words) > 1:
        tell(f"shell does not take {asked.words[1]!r}; type: tabwire shell")
        return frames.USAGE
    return interactive.run(asked, os.getcwd(), run)


def _codegen(asked: Asked) -> int:
    from tabwire.cli.session import codegen

    return codegen.run(asked, os.getcwd())


def _replay(asked: Asked) -> int:
    from tabwire.cli.session import step_replay

    return step_replay.run(asked, os.getcwd())


_COMMANDS: dict[str, Callable[[Asked], int]] = {
    "batch": _batch,
    "codegen": _codegen,
    "replay": _replay,
    "shell": _shell,
    "sessions": _sessions,
    "close": _close,
    "completion": _completion,
}
