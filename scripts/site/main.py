"""The documentation site: `scripts/docs` calls this with the Python of its own environment."""

from __future__ import annotations

import argparse
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import built
import pages

BUILD = pages.ROOT / "build"
PAGES = BUILD / "pages"
OUT = BUILD / "site"
LOOK_AGAIN_S = 1.0
ZENSICAL = str(Path(sys.executable).with_name("zensical"))


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the documentation site into build/site.")
    parser.add_argument("--serve", action="store_true", help="show the site at an address of this computer; changes show at once")
    parser.add_argument(
        "--at", default="127.0.0.1:8000", metavar="HOST:PORT", help="where --serve listens (default: %(default)s)"
    )
    options = parser.parse_args()
    try:
        pages.write(PAGES)
        shutil.copy(pages.SITE, BUILD)
    except pages.BadLink as error:
        raise SystemExit(f"scripts/docs: {error}") from None
    raise SystemExit(serve(options.at) if options.serve else build())


def build() -> int:
    """Build the site; exit code 1 when Zensical warns or the result is damaged."""
    shutil.rmtree(OUT, ignore_errors=True)
    run = subprocess.run([ZENSICAL, "build", "--clean", "--strict"], cwd=BUILD, capture_output=True, text=True, check=False)
    told = run.stdout + run.stderr
    # A warning counts in every version of the generator, whatever its exit code.
    if run.returncode or "warning" in told.lower():
        print(
            f"{told}\nscripts/docs: the site has warnings; the lines above name the page: correct it and run again",
            file=sys.stderr,
        )
        return 1
    problems = built.damage(OUT)
    if problems:
        print("\n".join(problems), file=sys.stderr)
        print("scripts/docs: the built pages are damaged as said above; correct their Markdown and run again", file=sys.stderr)
        return 1
    count = len([page for page in OUT.rglob("*.html") if page.name != "404.html"])
    print(f"build/site: {count} pages without a warning; open build/site/index.html")
    return 0


def serve(address: str) -> int:
    """Show the site until the command is interrupted; a page is written anew when its source changes."""
    # What ends this command ends the server, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    server = subprocess.Popen([ZENSICAL, "serve", "--dev-addr", address], cwd=BUILD)
    try:
        while True:
            try:
                return server.wait(LOOK_AGAIN_S)
            except subprocess.TimeoutExpired:
                _write_again()
    except KeyboardInterrupt:
        return 0
    finally:
        server.terminate()
        server.wait()


def _write_again() -> None:
    try:
        pages.write(PAGES)
    except pages.BadLink as error:
        print(f"scripts/docs: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
