"""A display of this test process (Xvfb), and a window of another program on it that can take the focus."""

import atexit
import ctypes
import functools
import os
import subprocess
from ctypes import byref, c_char_p, c_int, c_uint, c_ulong, c_void_p

SCREEN = "1600x1000x24"
REVERT_TO_PARENT = 2


def _declared() -> ctypes.CDLL:
    """The X library that Chromium itself uses, with the types of the functions that are called here."""
    library = ctypes.CDLL("libX11.so.6")
    for name, result, arguments in (
        ("XOpenDisplay", c_void_p, [c_char_p]),
        ("XDefaultRootWindow", c_ulong, [c_void_p]),
        ("XCreateSimpleWindow", c_ulong, [c_void_p, c_ulong, c_int, c_int, c_uint, c_uint, c_uint, c_ulong, c_ulong]),
        ("XMapWindow", c_int, [c_void_p, c_ulong]),
        ("XSetInputFocus", c_int, [c_void_p, c_ulong, c_int, c_ulong]),
        ("XGetInputFocus", c_int, [c_void_p, c_void_p, c_void_p]),
        ("XSync", c_int, [c_void_p, c_int]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


class Display:
    """See the module docstring. There is no window manager: who asks for the focus gets it."""

    def __init__(self) -> None:
        reading, writing = os.pipe()
        command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", SCREEN, "-nolisten", "tcp"]
        self._server = subprocess.Popen(
            command, pass_fds=[writing], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        atexit.register(self._server.kill)
        os.close(writing)
        with os.fdopen(reading) as told:
            self.name = f":{told.readline().strip()}"
        assert self.name != ":", "Xvfb did not start"
        self._x = _declared()
        self._connection = self._x.XOpenDisplay(self.name.encode())
        assert self._connection, f"no connection to the display {self.name}"
        root = self._x.XDefaultRootWindow(self._connection)
        # Beside the browser's window: it covers nothing of it.
        self._window = self._x.XCreateSimpleWindow(self._connection, root, 1500, 900, 50, 50, 0, 0, 0)
        self._x.XMapWindow(self._connection, self._window)
        self._x.XSync(self._connection, 0)

    @classmethod
    @functools.cache
    def of_this_process(cls) -> "Display":
        return cls()

    def focus_another_program(self) -> None:
        self._x.XSetInputFocus(self._connection, self._window, REVERT_TO_PARENT, 0)
        self._x.XSync(self._connection, 0)

    def is_another_program_focused(self) -> bool:
        focused, revert = c_ulong(), c_int()
        self._x.XGetInputFocus(self._connection, byref(focused), byref(revert))
        return focused.value == self._window
