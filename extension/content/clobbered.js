/*
 * Forms whose fields hide their own properties: `<input name="firstChild">` makes `form.firstChild` the field, and there is
 * no way to turn that off. Such a form is passed through as if it were not there; its fields are reached.
 * https://html.spec.whatwg.org/multipage/forms.html#the-form-element:legacy-override-built-ins
 */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.clobbered) return;

  /** What the content scripts read of an element. */
  const READ = (
    "localName tagName nodeName nodeType namespaceURI firstChild lastChild nextSibling previousSibling parentNode parentElement children " +
    "childNodes childElementCount firstElementChild nextElementSibling previousElementSibling attributes hasAttributes hasAttribute getAttribute " +
    "getAttributeNames matches closest contains querySelector querySelectorAll getRootNode isConnected ownerDocument shadowRoot assignedSlot " +
    "checkVisibility getBoundingClientRect getClientRects getAnimations addEventListener tabIndex isContentEditable style dataset"
  ).split(" ");

  const natives = new Map(READ.map((name) => {
    let prototype = HTMLFormElement.prototype;
    while (prototype && !Object.hasOwn(prototype, name)) prototype = Object.getPrototypeOf(prototype);
    return [name, prototype && Object.getOwnPropertyDescriptor(prototype, name)];
  }));

  /** A property or method of a form, whatever its fields are called. */
  function read(form, name, ...args) {
    const { get, value } = natives.get(name);
    return get ? get.call(form) : value.apply(form, args);
  }

  function isHidden(form, name) {
    const found = form[name];
    return found instanceof Node && found !== natives.get(name)?.get?.call(form);
  }

  const looksClobbered = (form) => READ.some((name) => isHidden(form, name));

  /** Every child asks for its parent, and to look takes long where a form has many fields. @type {Map<any, boolean> | null} */
  let looks = null;

  function lookOnce(form) {
    let found = looks.get(form);
    if (found === undefined) looks.set(form, (found = looksClobbered(form)));
    return found;
  }

  /** @param {any} node whether fields hide what the content scripts read of it */
  const isClobbered = (node) => node instanceof HTMLFormElement && (looks === null ? looksClobbered(node) : lookOnce(node));

  /** The DOM does not change until the answers are forgotten. @param {boolean} isOn */
  function remember(isOn) {
    looks = isOn ? new Map() : null;
  }

  tw.clobbered = { isClobbered, read, remember };
})();
