"""Every engine operation, declared once. The order is the order tools are listed in: what is used most comes first."""

from collections.abc import Mapping

from tabwire.commands import (
    debug,
    dialog,
    emulation,
    forms,
    handover,
    history,
    input,
    markup,
    media,
    navigation,
    network,
    observation,
    outline,
    page_tools,
    performance,
    script,
    session,
    snapshot,
    steps,
    storage,
    tabs,
    wait,
)
from tabwire.commands.declaration import Command

COMMANDS: tuple[type[Command], ...] = (
    *snapshot.COMMANDS,
    *navigation.COMMANDS,
    *input.COMMANDS,
    *forms.COMMANDS,
    *wait.COMMANDS,
    *tabs.COMMANDS,
    *script.COMMANDS,
    *page_tools.COMMANDS,
    *media.COMMANDS,
    *dialog.COMMANDS,
    *network.COMMANDS,
    *debug.COMMANDS,
    *performance.COMMANDS,
    *storage.COMMANDS,
    *emulation.COMMANDS,
    *history.COMMANDS,
    *handover.COMMANDS,
    *steps.COMMANDS,
    *session.COMMANDS,
)

WIRE: tuple[type[Command], ...] = (
    *COMMANDS,
    *snapshot.WIRE_ONLY,
    *session.WIRE_ONLY,
    *storage.WIRE_ONLY,
    *media.WIRE_ONLY,
    *outline.WIRE_ONLY,
    *markup.WIRE_ONLY,
    *observation.WIRE_ONLY,
    *tabs.WIRE_ONLY,
)
"""Commands that the extension answers: the tools' commands and those about the connection."""

GROUPS: Mapping[str, str] = {
    module.__name__.rsplit(".", 1)[1]: module.PURPOSE
    for module in (
        snapshot, navigation, input, forms, wait, tabs, script, media, dialog,
        network, debug, performance, storage, emulation, history, handover, steps, page_tools, session,
    )
}  # fmt: skip
"""Group of tools → its purpose."""

ON_REQUEST = frozenset({"debug", "performance", "steps"})
"""Groups for special work: a list of all tools does without them."""
