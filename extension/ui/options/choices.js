/**
 * Selects whose value the worker keeps. What it said before it heard of a person's choice does not undo that choice: with the
 * keyboard the next key would start from the old value.
 */

/** Select → choices of the person that the worker has not answered. @type {WeakMap<HTMLSelectElement, number>} */
const unanswered = new WeakMap();
/** Select → the value the worker has said last. @type {WeakMap<HTMLSelectElement, string>} */
const said = new WeakMap();

/** @param {HTMLSelectElement} select @param {string} value what the worker says it is */
export function showChoice(select, value) {
  said.set(select, value);
  // Setting the value that is there already would close an open list.
  if (!unanswered.get(select) && (document.activeElement !== select || select.value !== value)) select.value = value;
}

/**
 * Tells the worker what the person chooses. A choice that it refuses is taken back.
 * @param {HTMLSelectElement} select
 * @param {(value: string) => Promise<boolean>} change gives whether the worker took it
 */
export function onChoice(select, change) {
  select.addEventListener("change", async () => {
    unanswered.set(select, (unanswered.get(select) ?? 0) + 1);
    const isTaken = await change(select.value);
    unanswered.set(select, (unanswered.get(select) ?? 0) - 1);
    const before = said.get(select);
    if (!isTaken && before !== undefined) showChoice(select, before);
  });
}
