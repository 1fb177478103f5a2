"""The server as an `.mcpb` bundle starts it.

Nobody has run `tabwire install` there: the extension is put in place first, so that a person only has to load it.
"""

import sys

from tabwire import config
from tabwire.cli import program
from tabwire.cli.extension_command import key_store
from tabwire.errors import TabwireError
from tabwire.install import installed_extension


def main() -> int:
    """Serve; an extension that cannot be put in place is told to the client's log and in the reply to each call."""
    try:
        settings = config.load({})
        if not settings.launch:
            _put_extension(settings)
    except TabwireError as error:
        sys.stderr.write(f"tabwire: {error}\n")
    return program.main(["serve"])


def _put_extension(settings: config.Config) -> None:
    """Copy or update the extension, unless it was set up in another way."""
    folder, keys = installed_extension.usual_folder(settings.home_dir()), key_store(settings)
    if not keys.all() or installed_extension.is_put(folder):
        installed_extension.install(folder, keys, settings.ports())
