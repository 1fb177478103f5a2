"""The user behind the other end of a connection on this computer: the kernel's table names its process, the process its user.

https://learn.microsoft.com/windows/win32/api/iphlpapi/nf-iphlpapi-getextendedtcptable
"""

from __future__ import annotations

import ctypes
import socket
import sys
from ctypes import wintypes

from tabwire.windows import processes

assert sys.platform == "win32"

_ALL_WITH_OWNER = 5
_TOO_SMALL = 122
_TOKEN_QUERY, _TOKEN_USER = 0x8, 1
_MAX_SID = 68 + ctypes.sizeof(ctypes.c_void_p) * 2
_TRIES = 4

_kernel = ctypes.WinDLL("kernel32", use_last_error=True)
_security = ctypes.WinDLL("advapi32", use_last_error=True)
_network = ctypes.WinDLL("iphlpapi")
_kernel.GetCurrentProcess.restype = wintypes.HANDLE
_kernel.CloseHandle.argtypes = [wintypes.HANDLE]
_security.OpenProcessToken.argtypes = [wintypes.HANDLE, wintypes.DWORD, ctypes.POINTER(wintypes.HANDLE)]
_security.GetTokenInformation.argtypes = [
    wintypes.HANDLE, ctypes.c_int, ctypes.c_void_p, wintypes.DWORD, ctypes.POINTER(wintypes.DWORD),
]  # fmt: skip
_security.EqualSid.argtypes = [ctypes.c_void_p, ctypes.c_void_p]


class _Row(ctypes.Structure):
    """MIB_TCPROW_OWNER_PID; ports are in the order of the network, in the lower half."""

    _fields_ = (
        ("state", wintypes.DWORD),
        ("address", wintypes.DWORD),
        ("port", wintypes.DWORD),
        ("far_address", wintypes.DWORD),
        ("far_port", wintypes.DWORD),
        ("pid", wintypes.DWORD),
    )


def is_own(peer: tuple[str, int], here: tuple[str, int]) -> bool | None:
    """Whether the program at the other end is one of this user's.

    Args:
        peer: its IPv4 address and port.
        here: the ones it has dialled.

    Returns:
        None where the system does not say: for a connection from elsewhere, or a process that may not be looked at.
    """
    with processes.opened(owner(peer, here), processes.QUERY_LIMITED_INFORMATION) as process:
        theirs = _user_of(process) if process else None
    ours = _user_of(_kernel.GetCurrentProcess())
    if theirs is None or ours is None:
        return None
    return bool(_security.EqualSid(_sid(theirs), _sid(ours)))


def owner(peer: tuple[str, int], here: tuple[str, int]) -> int:
    """Return the id of the process that has dialled; 0 where the table does not have it."""
    wanted = (*_ends(peer), *_ends(here))
    rows = (row for row in _table() if (row.address, row.port & 0xFFFF, row.far_address, row.far_port & 0xFFFF) == wanted)
    return next((int(row.pid) for row in rows), 0)


def _ends(address: tuple[str, int]) -> tuple[int, int]:
    return int.from_bytes(socket.inet_aton(address[0]), sys.byteorder), socket.htons(address[1])


def _table() -> list[_Row]:
    size = wintypes.DWORD(0)
    content = ctypes.create_string_buffer(0)
    # It grows between two calls now and then.
    for _ in range(_TRIES):
        failure = _network.GetExtendedTcpTable(content, ctypes.byref(size), False, socket.AF_INET, _ALL_WITH_OWNER, 0)
        if not failure:
            count = wintypes.DWORD.from_buffer(content).value
            return list((_Row * count).from_buffer(content, ctypes.sizeof(wintypes.DWORD)))
        if failure != _TOO_SMALL:
            break
        content = ctypes.create_string_buffer(size.value)
    return []


def _user_of(process: int) -> ctypes.Array[ctypes.c_char] | None:
    """TOKEN_USER of a process, by its handle."""
    token = wintypes.HANDLE()
    if not _security.OpenProcessToken(process, _TOKEN_QUERY, ctypes.byref(token)):
        return None
    content = ctypes.create_string_buffer(_MAX_SID)
    size = wintypes.DWORD()
    known = _security.GetTokenInformation(token, _TOKEN_USER, content, len(content), ctypes.byref(size))
    _kernel.CloseHandle(token)
    return content if known else None


def _sid(user: ctypes.Array[ctypes.c_char]) -> int:
    """The address of the SID, which the structure begins with."""
    return ctypes.c_void_p.from_buffer(user).value or 0
