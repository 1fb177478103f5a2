"""Resident memory of the bridge and the process beside its browser, after work: tools listed, large snapshots, a screenshot."""

import tempfile
from pathlib import Path

from pages.big_page import big_page
from row import Row

from e2e.client import Tabwire
from e2e.site import Site

LIMIT_MB = 80


def resident_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


def beside(pid: int) -> list[int]:
    """The processes of ours that wait beside its browsers."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
    return [int(child) for child in children if b"reaper.py" in Path(f"/proc/{child}/cmdline").read_bytes()]


def measure() -> list[Row]:
    site = Site()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        tabwire = Tabwire(["--launch", "--headless"], {"TABWIRE_HOME": str(work / "home")}, work)
        try:
            tabwire.tools()
            tabwire.open(site.page(big_page(9_000)))
            for _ in range(5):
                tabwire.call("snapshot")
                tabwire.ok("title")
            tabwire.ok("screenshot")
            used = resident_mb(tabwire.pid) + sum(map(resident_mb, beside(tabwire.pid)))
        finally:
            tabwire.close()
            site.close()
    return [Row(f"bridge RSS / {LIMIT_MB} MB", used, LIMIT_MB, "MB", 1.0)]
