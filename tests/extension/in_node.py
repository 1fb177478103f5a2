"""Modules of the extension, run by node."""

import json
import shutil
import subprocess
from collections.abc import Sequence
from typing import Any

from source_tree import ROOT

#: Chrome has these; the oldest Node of the tests has not.
NEWER = """
Promise.withResolvers ??= () => {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
};
Map.groupBy ??= (list, keyOf) => {
  const groups = new Map();
  for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
};
"""
TIMEOUT_S = 60


def run(modules: Sequence[str], script: str, *, before: str = "", given: Any = None, options: Sequence[str] = ()) -> Any:
    """The value that a script returns.

    Args:
        modules: paths below `extension/`, loaded in this order; the script sees what they export by name.
        script: the body of an async function.
        before: statements of a module, run before the modules are loaded.
        given: the value that the script and `before` see as `given`; None: there is none.
        options: of node.
    """
    node = shutil.which("node")
    assert node, "node is needed, as for the type check"
    addresses = [(ROOT / "extension" / path).as_uri() for path in modules]
    program = "\n".join(
        [
            NEWER,
            "" if given is None else f"const given = {json.dumps(given)};",
            before,
            *(f"Object.assign(globalThis, await import({json.dumps(address)}));" for address in addresses),
            f"const answer = await (async () => {{ {script} }})();",
            # Not kept by a timer or a port that is left.
            "process.stdout.write(JSON.stringify(answer ?? null), () => process.exit());",
        ]
    )
    command = [node, *options, "--input-type=module", "-"]
    done = subprocess.run(command, input=program, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
