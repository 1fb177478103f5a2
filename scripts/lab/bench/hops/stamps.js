/*
 * Runs in the worker of an extension: stamps each call of Chrome's that it makes, each question to a page over its Port, and each
 * frame on its socket. Needs nothing of the extension but that it calls `chrome.x.y(…)` by name and reads `data` of its messages.
 */
(() => {
  const SPACES = {
    debugger: chrome.debugger, scripting: chrome.scripting, tabs: chrome.tabs, windows: chrome.windows,
    webNavigation: chrome.webNavigation, "storage.session": chrome.storage.session, "storage.local": chrome.storage.local,
    alarms: chrome.alarms,
  };
  const hops = globalThis.tabwireHops = { calls: [], frames: [] };

  const began = (name) => {
    const call = { name, start: performance.now(), end: null };
    hops.calls.push(call);
    return call;
  };

  const LABELS = {
    "debugger.sendCommand": ([, method, params]) => [method, params?.type].filter(Boolean).join(" "),
    "scripting.executeScript": ([{ args, files }]) =>
      `executeScript ${files ? `${files.length} files` : typeof args?.[0] === "string" ? args[0] : "a function"}`,
  };

  for (const [space, object] of Object.entries(SPACES)) {
    for (const [key, method] of Object.entries(object)) {
      if (typeof method !== "function") continue;
      const name = `${space}.${key}`;
      object[key] = (...args) => {
        const call = began(LABELS[name]?.(args) ?? name);
        const answer = method.apply(object, args);
        const ended = () => { call.end = performance.now(); };
        if (answer instanceof Promise) answer.then(ended, ended);
        else ended();
        return answer;
      };
    }
  }

  chrome.runtime.onConnect.addListener((port) => {
    const asked = new Map();
    const post = port.postMessage;
    port.postMessage = (message) => {
      const call = began(`Port ${message.run?.[0] ?? "a message"}`);
      if (message.ask !== undefined) asked.set(message.ask, call);
      post.call(port, message);
      if (message.ask === undefined) call.end = performance.now();
    };
    port.onMessage.addListener(({ ask }) => {
      const call = asked.get(ask);
      if (call) call.end = performance.now();
      asked.delete(ask);
    });
  });

  const data = Object.getOwnPropertyDescriptor(MessageEvent.prototype, "data");
  Object.defineProperty(MessageEvent.prototype, "data", {
    ...data,
    get() {
      const value = data.get.call(this);
      const method = typeof value === "string" && /"id":/.test(value) && /"method":"([\w.]+)"/.exec(value)?.[1];
      if (method) hops.frames.push({ method, at: performance.now() });
      return value;
    },
  });
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text) {
    const type = /"type":"(success|error)"/.exec(String(text).slice(0, 200))?.[1];
    send.call(this, text);
    if (type) hops.frames.push({ type, at: performance.now() });
  };
})();
