/*
 * What a person sees of an act in the tab where it happens: a light frame, a marker at the place of the act, its title. It
 * lies in one element beside the body, in a closed shadow root, takes no events and no room, and is nothing that any read of
 * ours sees. It goes away by itself soon after the act, and for good with its page.
 */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.signs) return;

  /** How long it stays after the end of an act. */
  const QUIET_MS = 2_500;
  /** An act of which no end is heard, because its page or the worker was held up. */
  const LIMIT_MS = 45_000;
  const POINT_MS = 1_500;
  const SHEET = `
    :host { all: initial !important; position: fixed !important; inset: 0 !important; display: block !important; contain: strict !important;
      z-index: 2147483647 !important; pointer-events: none !important; user-select: none !important; color-scheme: light dark !important; }
    .frame { position: absolute; inset: 0; box-shadow: inset 0 0 0 2px #c2560a, inset 0 0 10px 1px rgb(242 120 40 / .45); }
    .title { position: absolute; right: 10px; bottom: 10px; max-width: min(60%, 420px); padding: 3px 9px; border-radius: 6px; overflow: hidden;
      white-space: nowrap; text-overflow: ellipsis; font: 500 12px/1.5 system-ui, sans-serif; color: #fff; background: #7a3302; }
    .point { position: absolute; width: 20px; height: 20px; margin: -10px 0 0 -10px; box-sizing: border-box; border-radius: 50%;
      border: 3px solid #c2560a; box-shadow: 0 0 0 1px #fff, inset 0 0 0 1px #fff; }
    [hidden] { display: none; }
    @media print { :host { display: none !important; } }`;

  /** @type {{host: HTMLElement, title: HTMLElement, point: HTMLElement, timer?: ReturnType<typeof setTimeout>, pointTimer?: ReturnType<typeof setTimeout>} | null} */
  let shown = null;

  const layer = (/** @type {string} */ name) => Object.assign(document.createElement("div"), { className: name });

  /** Frames, XML, and pages that are not shown yet are left as they are. */
  function hasPlace() {
    const root = document.documentElement;
    return window === top && root instanceof HTMLHtmlElement && document.body instanceof HTMLBodyElement && !(/** @type {any} */ (document).prerendering);
  }

  function build() {
    const host = document.createElement("tabwire-signs");
    host.setAttribute("aria-hidden", "true");
    const shadow = host.attachShadow({ mode: "closed" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(SHEET);
    shadow.adoptedStyleSheets = [sheet];
    const [title, point] = [layer("title"), layer("point")];
    point.hidden = true;
    shadow.append(layer("frame"), point, title);
    return { host, title, point };
  }

  /** @param {number} ms */
  function leaveAfter(ms) {
    if (!shown) return;
    clearTimeout(shown.timer);
    shown.timer = setTimeout(hide, ms);
  }

  /**
   * An act begins. A page that has removed the signs of the act before gets them again, and not before.
   * @param {{title: string}} act
   */
  function show({ title }) {
    if (!hasPlace()) return;
    shown ??= build();
    shown.title.textContent = title;
    shown.point.hidden = true;
    if (!shown.host.isConnected) {
      tw.dom.setOwn(shown.host);
      document.documentElement.append(shown.host);
    }
    leaveAfter(LIMIT_MS);
  }

  /**
   * Marks the place of the act.
   * @param {{x: number, y: number}} at in CSS px of the viewport
   */
  function point({ x, y }) {
    if (!shown) return;
    const mark = shown.point;
    mark.style.left = `${x}px`;
    mark.style.top = `${y}px`;
    mark.hidden = false;
    clearTimeout(shown.pointTimer);
    shown.pointTimer = setTimeout(() => { mark.hidden = true; }, POINT_MS);
  }

  /** Marks an element that an act is about. @param {Element} element */
  function pointTo(element) {
    if (!shown) return;
    const { x, y, width, height } = element.getBoundingClientRect();
    point({ x: x + width / 2, y: y + height / 2 });
  }

  /** The act has ended. */
  const rest = () => leaveAfter(QUIET_MS);

  /** @returns {boolean} whether there was something to see */
  function hide() {
    if (!shown) return false;
    clearTimeout(shown.timer);
    clearTimeout(shown.pointTimer);
    shown.host.remove();
    tw.dom.setOwn(null);
    shown = null;
    return true;
  }

  // A page that is kept for going back comes back without them.
  addEventListener("pagehide", hide);

  tw.signs = { show, point, pointTo, rest, hide };
})();
