/* Long work of ours in turns with the tasks of the page, which it would hold up otherwise. */
globalThis.__tabwire.add("dom/turns", (tw) => {
  /** Lets other tasks of the page run, in hidden tabs too, where timers are slowed down. */
  const hop = () => new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

  tw.turns = { hop };
});
