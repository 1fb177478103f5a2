"""Writes the extension as a zip for the Chrome Web Store: the same bytes for the same sources.

python scripts/package_extension.py [--out FILE] [--keep-key]
"""

import argparse
import json
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DEVELOPMENT_ONLY = (".d.ts", "jsconfig.json")
EPOCH = (1980, 1, 1, 0, 0, 0)


def contents(keep_key: bool) -> dict[str, bytes]:
    """The files of the package by name; the store gives the extension its own key, so ours stays out by default."""
    manifest = json.loads((ROOT / "manifest.json").read_text())
    if not keep_key:
        manifest.pop("key", None)
    files = (path for path in (ROOT / "extension").rglob("*") if path.is_file() and not path.name.endswith(DEVELOPMENT_ONLY))
    return {
        "manifest.json": json.dumps(manifest, indent=2).encode(),
        **{path.relative_to(ROOT).as_posix(): path.read_bytes() for path in files},
    }


def write(target: Path, files: dict[str, bytes]) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as package:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = 0o644 << 16
            package.writestr(entry, files[name], zipfile.ZIP_DEFLATED)


def main() -> None:
    version = json.loads((ROOT / "manifest.json").read_text())["version"]
    parser = argparse.ArgumentParser(description="Package the extension as a zip.")
    parser.add_argument("--out", type=Path, default=ROOT / f"dist/tabwire-extension-{version}.zip")
    parser.add_argument("--keep-key", action="store_true", help="leave the key, and with it the extension id, in the manifest")
    options = parser.parse_args()
    files = contents(options.keep_key)
    write(options.out, files)
    print(f"{options.out}: {len(files)} files")


if __name__ == "__main__":
    main()
