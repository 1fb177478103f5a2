"""The program `chromium.exe` of the tests, for CPython for Windows: it starts the Chromium of this system, and they end together.

Wine gives no handle of a Linux process, so that no job can hold it. What a job ends is this program; a connection between the two tells
the script beside it, which ends Chromium. The first word is that script.
"""

import ctypes
import socket
import subprocess
import sys


def main() -> int:
    script, *words = sys.argv[1:]
    with socket.create_server(("127.0.0.1", 0)) as listener:
        line = ctypes.create_unicode_buffer(subprocess.list2cmdline([script, str(listener.getsockname()[1])]))
        # STARTUPINFOW, of which the first field is its size, and PROCESS_INFORMATION.
        startup, process = (ctypes.c_uint32 * 26)(104), (ctypes.c_uint64 * 3)()
        if not ctypes.windll.kernel32.CreateProcessW(None, line, None, None, False, 0, None, None, startup, process):
            raise ctypes.WinError()
        connection, _ = listener.accept()
    with connection:
        connection.sendall("".join(f"{word}\0" for word in (*words, "")).encode())
        code = connection.recv(16)
    return int(code or b"1")


sys.exit(main())
