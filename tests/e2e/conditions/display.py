"""Displays of this test process (Xvfb), and a window of another program on them that has the focus."""

import atexit
import ctypes
import functools
import os
import subprocess
from collections.abc import Sequence
from ctypes import byref, c_char_p, c_int, c_long, c_uint, c_ulong, c_void_p

SCREEN = "1600x1000x24"
REVERT_TO_PARENT, REPLACE = 2, 0
ATOM, WINDOW = 4, 33
"""Types of a property, by the numbers that the X protocol gives their names."""


def _declared() -> ctypes.CDLL:
    """The X library that Chromium itself uses, with the types of the functions that are called here."""
    library = ctypes.CDLL("libX11.so.6")
    for name, result, arguments in (
        ("XOpenDisplay", c_void_p, [c_char_p]),
        ("XDefaultRootWindow", c_ulong, [c_void_p]),
        ("XCreateSimpleWindow", c_ulong, [c_void_p, c_ulong, c_int, c_int, c_uint, c_uint, c_uint, c_ulong, c_ulong]),
        ("XMapWindow", c_int, [c_void_p, c_ulong]),
        ("XInternAtom", c_ulong, [c_void_p, c_char_p, c_int]),
        ("XChangeProperty", c_int, [c_void_p, c_ulong, c_ulong, c_ulong, c_int, c_int, c_void_p, c_int]),
        ("XSetInputFocus", c_int, [c_void_p, c_ulong, c_int, c_ulong]),
        ("XGetInputFocus", c_int, [c_void_p, c_void_p, c_void_p]),
        ("XSync", c_int, [c_void_p, c_int]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


class Display:
    """A display without a window manager, on which a program that activates its window gives it the focus.

    Args:
        keeps_focus: There seems to be a window manager, which programs have to ask for the focus, and it never gives it:
            as desktops do when a program asks that the user has not just used.
    """

    def __init__(self, *, keeps_focus: bool) -> None:
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
        self._root = self._x.XDefaultRootWindow(self._connection)
        # Beside the browser's window: it covers nothing of it.
        self._window = self._x.XCreateSimpleWindow(self._connection, self._root, 1500, 900, 50, 50, 0, 0, 0)
        self._x.XMapWindow(self._connection, self._window)
        if keeps_focus:
            # As the specification of window managers (EWMH) has it.
            for owner in (self._root, self._window):
                self._set(owner, "_NET_SUPPORTING_WM_CHECK", WINDOW, [self._window])
            self._set(self._root, "_NET_SUPPORTED", ATOM, [self._atom("_NET_ACTIVE_WINDOW")])
        self._x.XSync(self._connection, 0)

    @classmethod
    @functools.cache
    def of_this_process(cls, *, keeps_focus: bool) -> "Display":
        return cls(keeps_focus=keeps_focus)

    def focus_another_program(self) -> None:
        self._x.XSetInputFocus(self._connection, self._window, REVERT_TO_PARENT, 0)
        self._x.XSync(self._connection, 0)

    def is_another_program_focused(self) -> bool:
        focused, revert = c_ulong(), c_int()
        self._x.XGetInputFocus(self._connection, byref(focused), byref(revert))
        return focused.value == self._window

    def _atom(self, name: str) -> int:
        return int(self._x.XInternAtom(self._connection, name.encode(), 0))

    def _set(self, window: int, name: str, kind: int, values: Sequence[int]) -> None:
        data = (c_long * len(values))(*values)
        self._x.XChangeProperty(self._connection, window, self._atom(name), kind, 32, REPLACE, data, len(values))
