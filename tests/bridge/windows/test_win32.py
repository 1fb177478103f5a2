"""What is asked of Windows: processes, the clipboard, consoles, registered programs, the user of a connection."""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

if sys.platform != "win32":
    pytest.skip("only Windows can be asked; scripts/windows runs these", allow_module_level=True)

import winreg

from polling import until_async
from tabwire.browsers import chromium, process_end
from tabwire.windows import app_paths, clipboard, connections, console, processes

READS_THE_CLIPBOARD = """
import ctypes, sys
desktop, kernel = ctypes.windll.user32, ctypes.windll.kernel32
desktop.GetClipboardData.restype = kernel.GlobalLock.restype = ctypes.c_void_p
kernel.GlobalLock.argtypes = [ctypes.c_void_p]
assert desktop.OpenClipboard(None)
sys.stdout.buffer.write(ctypes.wstring_at(kernel.GlobalLock(desktop.GetClipboardData(13))).encode("utf-8"))
desktop.CloseClipboard()
"""


def test_a_process_lives_until_it_has_ended() -> None:
    program = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert processes.is_alive(program.pid)
    heard = threading.Event()
    assert processes.on_end(program.pid, heard.set)
    assert not heard.is_set()
    program.communicate(b"\n")
    assert heard.wait(60)
    assert not processes.is_alive(program.pid)


@pytest.fixture
def waiting() -> Iterator[subprocess.Popen[bytes]]:
    """A program that waits for a line."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as program:
        yield program
        program.kill()


@pytest.mark.anyio
async def test_the_end_of_a_process_is_waited_for(waiting: subprocess.Popen[bytes]) -> None:
    ended: list[bool] = []

    async def wait() -> None:
        ended.append(await process_end.end_of(waiting.pid))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(wait)
        await anyio.wait_all_tasks_blocked()
        assert ended == []
        waiting.kill()
        with anyio.fail_after(60):
            await until_async(lambda: ended == [True])
    assert not await process_end.end_of(0)


@pytest.mark.parametrize(
    ("variable", "place"),
    [
        ("LOCALAPPDATA", "Chromium/Application/chrome.exe"),
        ("ProgramFiles", "Chromium/Application/chrome.exe"),
        ("USERPROFILE", ".cache/puppeteer/chrome/win64-156.0.1/chrome-win64/chrome.exe"),
        ("USERPROFILE", ".cache/selenium/chrome/win64/156.0.1/chrome.exe"),
    ],
)
def test_a_chromium_is_found_in_the_usual_places(
    variable: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chromium, "NAMES", ())
    for name in ("LOCALAPPDATA", "ProgramFiles", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path / name))
    program = tmp_path / variable / place
    program.parent.mkdir(parents=True)
    program.touch()
    assert chromium.find(None) == program


@pytest.mark.parametrize("pid", [0, -1, 2**32, 2**64, 10**30])
def test_a_number_that_no_process_has_is_not_alive(pid: int) -> None:
    assert not processes.is_alive(pid)
    assert not processes.on_end(pid, lambda: None)


def test_text_is_pasted_as_it_was_copied() -> None:
    text = r"C:\Users\Zoë Ünal 日本\Tabwire-extension"
    assert clipboard.put(text)
    done = subprocess.run([sys.executable, "-c", READS_THE_CLIPBOARD], capture_output=True, check=True, timeout=60)
    assert done.stdout.decode("utf-8") == text


def test_the_null_device_is_no_console() -> None:
    with open(os.devnull, "rb") as null:
        assert null.isatty()
        assert not console.is_console(null.fileno())


def test_a_program_is_found_where_it_is_registered(tmp_path: Path) -> None:
    program = tmp_path / "Zoë 日本" / "chrome.exe"
    key = r"Software\Microsoft\Windows\CurrentVersion\App Paths\tabwire-test.exe"
    try:
        with winreg.CreateKey(winreg.HKEY_CURRENT_USER, key) as made:
            winreg.SetValueEx(made, "", 0, winreg.REG_SZ, f'"{program}"')
        assert app_paths.path_of("tabwire-test.exe") is None
        program.parent.mkdir()
        program.touch()
        assert app_paths.path_of("tabwire-test.exe") == program
    finally:
        winreg.DeleteKey(winreg.HKEY_CURRENT_USER, key)
    assert app_paths.path_of("tabwire-test.exe") is None


def test_the_user_of_a_connection_is_found() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, socket.create_connection(listener.getsockname()):
        accepted, peer = listener.accept()
        accepted.close()
        if not connections.owner(peer, listener.getsockname()):
            pytest.skip("this system names no owners of connections (wine)")
        assert connections.is_own(peer, listener.getsockname()) is True


def test_a_connection_that_is_not_there_has_no_known_user() -> None:
    assert connections.is_own(("127.0.0.1", 9), ("127.0.0.1", 10)) is None
