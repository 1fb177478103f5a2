"""A terminal in which a person has typed a command of ``tabwire``, and what it prints as it comes."""

import queue
import signal
import subprocess
import threading

from bridge.command import User
from programs import command

OUTPUT_S = 40


class Terminal:
    """A command whose output is read as it comes."""

    def __init__(self, user: User, *words: str) -> None:
        environment = {**user.environment(), "PYTHONUNBUFFERED": "1"}
        self._process = subprocess.Popen(
            command(*words), env=environment, cwd=user.work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
        )
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._lines.put(line)

    def until(self, text: str) -> str:
        """All that was printed, up to a line with this."""
        printed = ""
        while text not in printed:
            printed += self._lines.get(timeout=OUTPUT_S)
        return printed

    def ended(self) -> tuple[int, str]:
        """The exit code and the rest of the output."""
        code = self._process.wait(OUTPUT_S)
        self._reader.join(OUTPUT_S)
        return code, "".join(self._lines.queue)

    def interrupt(self) -> None:
        """Ctrl-C."""
        self._process.send_signal(signal.SIGINT)

    def close(self) -> None:
        self._process.kill()
        self._process.wait(OUTPUT_S)
        self._reader.join(OUTPUT_S)
        assert self._process.stdout
        self._process.stdout.close()
