"""Write a DLL for Windows (x64) without code: each of its exports is another DLL's function.

    forwarder_dll.py bcryptprimitives.dll ProcessPrng=advapi32.SystemFunction036

Wine 8 has no bcryptprimitives.dll, from which everything in Rust takes its random numbers. advapi32 has the same function under
another name (RtlGenRandom). The layout is that of the PE format: https://learn.microsoft.com/windows/win32/debug/pe-format
"""

import struct
import sys
from pathlib import Path

FILE_ALIGNMENT, SECTION_RVA = 0x200, 0x1000
EXPORT_DIRECTORY = "<IIHHIIIIIII"
MACHINE_AMD64, DLL_LARGE_ADDRESSES, READABLE_DATA = 0x8664, 0x2022, 0x40000040


def export_section(name: str, forwards: dict[str, str]) -> bytes:
    """The export directory, its tables and the strings that they name.

    Args:
        forwards: export → "dll.function".
    """
    exports = sorted(forwards)
    count, head = len(exports), struct.calcsize(EXPORT_DIRECTORY)
    functions = SECTION_RVA + head
    strings_at = functions + count * (4 + 4 + 2)
    strings, place = b"", dict[str, int]()
    for text in (name, *exports, *(forwards[export] for export in exports)):
        place.setdefault(text, strings_at + len(strings))
        strings += text.encode("ascii") + b"\0"
    directory = struct.pack(
        EXPORT_DIRECTORY, 0, 0, 0, 0, place[name], 1, count, count, functions, functions + 4 * count, functions + 8 * count
    )
    # An address inside of the export directory is a forward, by name.
    addresses = [place[forwards[export]] for export in exports] + [place[export] for export in exports]
    return directory + struct.pack(f"<{2 * count}I{count}H", *addresses, *range(count)) + strings


def dll(name: str, forwards: dict[str, str]) -> bytes:
    """The whole file: headers and one section."""
    body = export_section(name, forwards)
    size = -(-len(body) // FILE_ALIGNMENT) * FILE_ALIGNMENT
    dos = b"MZ".ljust(60, b"\0") + struct.pack("<I", 64)
    coff = struct.pack("<4sHHIIIHH", b"PE\0\0", MACHINE_AMD64, 1, 0, 0, 0, 240, DLL_LARGE_ADDRESSES)
    sizes = struct.pack("<HBBIIIII", 0x20B, 14, 0, 0, size, 0, 0, SECTION_RVA)
    versions = (6, 0, 0, 0, 6, 0)
    image = struct.pack("<QII6HIIII", 0x180000000, SECTION_RVA, FILE_ALIGNMENT, *versions, 0, 0x3000, FILE_ALIGNMENT, 0)
    limits = struct.pack("<HHQQQQII", 3, 0x160, 0x100000, 0x1000, 0x100000, 0x1000, 0, 16)
    directories = struct.pack("<II", SECTION_RVA, len(body)) + bytes(8 * 15)
    section = struct.pack("<8sIIIIIIHHI", b".edata", len(body), SECTION_RVA, size, FILE_ALIGNMENT, 0, 0, 0, 0, READABLE_DATA)
    headers = dos + coff + sizes + image + limits + directories + section
    return headers.ljust(FILE_ALIGNMENT, b"\0") + body.ljust(size, b"\0")


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.write_bytes(dll(target.name, dict(word.split("=", 1) for word in sys.argv[2:])))
