/** The numbers of a text. */
export function parseNumbers(text: string): number[] {
  return text.split(";").map((part) => {
    if (Number.isNaN(Number(part))) throw new SyntaxError(`not a number: ${part}`);
    return Number(part);
  });
}
