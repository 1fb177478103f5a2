/* Attributes by which frameworks know their elements again. */
/** Attributes that frameworks leave on what they have made: no word of an author. */
const MADE = /^(data-v-|_ng|ng-(reflect-|version$|tns-)|data-react|data-svelte-h$|data-astro-|data-hk$|data-emotion$)/;
/** @param {string} attribute */
export const isMadeByFramework = (attribute) => MADE.test(attribute);
