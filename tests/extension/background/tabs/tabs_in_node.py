"""Modules of the worker about tabs, run by node with a page that answers over a Port."""

import json
from typing import Any

from extension import in_node
from source_tree import ROOT

#: A chrome whose events are fired from here, and in which everything else does nothing.
CHROME = """
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";
const listeners = {};
const fire = (name, ...details) => { for (const listener of listeners[name]) listener(...details); };
const known = { "runtime.id": "us", "runtime.getManifest": () => ({ version: "1" }), "runtime.getURL": (path) => path };
const at = (path) => new Proxy(function () {}, {
  get: (_, name) => {
    const inner = path ? `${path}.${String(name)}` : String(name);
    if (name === "then" || typeof name === "symbol") return undefined;
    if (name === "addListener") return (listener) => { (listeners[path] ??= []).push(listener); };
    return inner in known ? known[inner] : at(inner);
  },
  apply: async () => ({}),
});
globalThis.chrome = at("");
"""
#: Two ends of a Port, and a page that holds one.
PAGE = """
const makeEvent = (own) => ({ addListener: (listener) => own.push(listener) });
const makeEnd = () => {
  const heard = [], ended = [];
  return { heard, ended, onMessage: makeEvent(heard), onDisconnect: makeEvent(ended), sent: [] };
};
/** A Port of a page; isSilent: the page never answers; broken: once the page has answered nothing can be sent into it any more, and its event has not come. */
const openPort = (tabId, { broken = false, isSilent = false } = {}) => {
  const [worker, page] = [makeEnd(), makeEnd()];
  Object.assign(worker, {
    name: "tabwire-lifeline", sender: { id: "us", frameId: 0, documentId: `D${tabId}`, tab: { id: tabId } },
    postMessage: (message) => {
      if (message.isThere) {
        // A script of ours that holds it answers itself.
        return void queueMicrotask(() => (page.heard.length
          ? page.heard.forEach((listener) => listener(message, page))
          : isSilent || page.postMessage(message)));
      }
      if (broken) throw new Error("Attempting to use a disconnected port object");
      worker.sent.push(message);
      queueMicrotask(() => page.heard.forEach((listener) => listener(message, page)));
    },
  });
  page.postMessage = (message) => queueMicrotask(() => worker.heard.forEach((listener) => listener(message, worker)));
  page.disconnect = () => {};
  fire("runtime.onConnect", worker);
  return { worker, page };
};
globalThis.length = 0;
globalThis.document = { title: "Page" };
globalThis.location = { href: "https://a.example/" };
globalThis.addEventListener = () => {};
/** The content script of a page, with what a script of the worker has left there. */
const openPage = (run) => {
  globalThis.__tabwireRun = run;
  known["runtime.connect"] = () => {
    const { worker, page } = openPort(1);
    globalThis.held = worker;
    return page;
  };
  runInThisContext(readFileSync(LIFELINE, "utf8"));
};
const soon = () => new Promise((done) => { setTimeout(done, 5); });
"""


def run(script: str, agent: str = "Chrome/150") -> Any:
    """The value that a script returns, with the modules loaded and their listeners there."""
    begun = f"Object.defineProperty(globalThis, 'navigator', {{ value: {{ userAgent: {json.dumps(agent)} }} }});\n"
    lifeline = f"const LIFELINE = {json.dumps(str(ROOT / 'extension/injected/lifeline.js'))};\n"
    modules = [f"background/tabs/{name}.js" for name in ("keep-alive", "page-scripts", "tab-facts")]
    return in_node.run(modules, f"listen({{ wake() {{}}, tick() {{}} }});\n{script}", before=f"{CHROME}{begun}{lifeline}{PAGE}")
