/* Descriptions that snapshots make of elements, for the parts of the script beneath them: `page.js` sets them as it starts. */

/** @typedef {(element: Element, role: string) => string} Describe */

export const descriptions = {
  /** The text beside a field without a label. @type {Describe} */
  textBeside: () => "",
  /** Marks of an element without a name, by its tag. @type {Describe} */
  hintOf: () => "",
};
