/* Outcomes of scripts of the caller that run in the page's own world and last longer than their injection. */
/** @param {{name: string}} args name: of the event that tells it @returns {Promise<string>} its JSON, by the page's word */
export const outcome = ({ name }) => new Promise((resolve) => {
  window.addEventListener(name, (event) => {
    event.stopImmediatePropagation();
    resolve(/** @type {CustomEvent} */ (event).detail);
  }, { capture: true, once: true });
  window.dispatchEvent(new CustomEvent(`${name}?`));
});
