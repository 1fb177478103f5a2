"""Builds of the apps as they are deployed: bundled and minified by esbuild, with source maps beside them."""

import shutil
import subprocess
from pathlib import Path

from pages.real_pages import FOLDER

from bugs.catalog import APPS

HOME = FOLDER / "bugs"
NPM = ("esbuild@0.28.2", "react@19.3.1", "react-dom@19.3.1", "vue@3.5.45")
ENTRIES = {"react": ["main.jsx"], "vue": ["main.js"], "plain": ["main.ts", "parse-worker.ts"]}
OPTIONS = (
    "--bundle", "--minify", "--sourcemap", "--splitting", "--format=esm", "--jsx=automatic", "--target=chrome125",
    "--chunk-names=[name]", "--define:process.env.NODE_ENV='production'", "--define:__VUE_OPTIONS_API__=true",
    "--define:__VUE_PROD_DEVTOOLS__=false", "--define:__VUE_PROD_HYDRATION_MISMATCH_DETAILS__=false", "--log-level=warning",
)  # fmt: skip
LIMIT_S = 300


def built() -> Path:
    """The folder of the builds, one folder for each app, built anew from copies of the sources beside the packages."""
    if not all((HOME / "node_modules" / package.partition("@")[0]).is_dir() for package in NPM):
        HOME.mkdir(parents=True, exist_ok=True)
        install = ["npm", "install", "--prefix", str(HOME), "--ignore-scripts", "--no-audit", "--no-fund", *NPM]
        subprocess.run(install, check=True, timeout=LIMIT_S, stdout=subprocess.DEVNULL)
    sources, target = HOME / "src", HOME / "built"
    for folder in (sources, target):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(APPS, sources)
    for app, entries in ENTRIES.items():
        paths = [str(sources / app / entry) for entry in entries]
        command = [str(HOME / "node_modules/.bin/esbuild"), *paths, *OPTIONS, f"--outdir={target / app}"]
        subprocess.run(command, check=True, timeout=LIMIT_S, cwd=HOME)
    return target
