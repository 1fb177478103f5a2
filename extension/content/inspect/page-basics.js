/* Basics of search engines and good practice: the head of a page, its pictures, and what it loads without encryption. */
import { tagged } from "./named-elements.js";

const MAX_TITLE = 70;
const MAX_NAMED = 5;
/** @typedef {{name: string, level: "ok"|"warning"|"error", detail: string}} Check */

/** @param {string} selector */
const attributeOf = (selector, name = "content") => document.head?.querySelector(selector)?.getAttribute(name)?.trim() ?? "";

/** @param {Element[]} elements */
function named(elements) {
  const first = elements.slice(0, MAX_NAMED).map(tagged);
  return `${first.join(", ")}${elements.length > MAX_NAMED ? " …" : ""}`;
}

const images = () => [...document.images];

/** Whether the box of an image is known before it is there. @param {HTMLImageElement} image */
function isSized(image) {
  if (image.hasAttribute("width") && image.hasAttribute("height")) return true;
  const style = image.computedStyleMap();
  const isSet = (/** @type {string} */ name) => String(style.get(name)) !== "auto";
  return (isSet("width") && isSet("height")) || isSet("aspect-ratio") || !image.checkVisibility();
}

/** Elements that load something without encryption into a page with it. */
function mixed() {
  if (location.protocol !== "https:") return [];
  const found = document.querySelectorAll("img, script, iframe, audio, video, source, link[rel~=stylesheet], form, object");
  const addressOf = (/** @type {any} */ one) => String(one.currentSrc || one.src || one.href || one.action || one.data || "");
  return [...found].filter((one) => addressOf(one).startsWith("http:"));
}

function titleProblem() {
  const { length } = document.title.trim();
  if (!length) return "the page has no title";
  return length > MAX_TITLE ? `the title has ${length} characters; search engines show some ${MAX_TITLE}` : "";
}

function canonicalProblem() {
  const { length } = document.head?.querySelectorAll("link[rel~=canonical i]") ?? [];
  if (length === 1) return attributeOf("link[rel~=canonical i]", "href") ? "" : "the canonical address is empty";
  return length ? `there are ${length} canonical addresses` : "there is no canonical address";
}

/** @param {Element[]} found @param {(number: number) => string} text */
const among = (found, text) => (found.length ? `${text(found.length)} (${named(found)})` : "");

/** Name → how bad it is, and what is wrong; "" for nothing. @type {Record<string, ["warning"|"error", () => string]>} */
const CHECKS = {
  doctype: ["error", () => (document.compatMode === "BackCompat" ? "there is no doctype: the page is in quirks mode" : "")],
  title: ["error", titleProblem],
  description: ["warning", () => (attributeOf("meta[name=description i]") ? "" : "there is no meta description")],
  lang: ["error", () => (document.documentElement.lang.trim() ? "" : "<html> has no lang")],
  viewport: ["error", () => (attributeOf("meta[name=viewport i]") ? "" : "there is no meta viewport, which phones need")],
  charset: ["warning", () => (document.characterSet === "UTF-8" ? "" : `the page is in ${document.characterSet}, not UTF-8`)],
  canonical: ["warning", canonicalProblem],
  robots: ["warning", () => (/noindex/i.test(attributeOf("meta[name=robots i]")) ? "meta robots says noindex" : "")],
  heading: ["warning", () => (document.querySelector("h1, [aria-level='1']") ? "" : "there is no heading of level 1")],
  alternative_texts: ["error", () => among(
    images().filter((image) => !image.hasAttribute("alt") && !image.closest("[aria-hidden=true]")),
    (number) => `images without alt: ${number} of ${images().length}`)],
  image_sizes: ["warning", () => among(images().filter((image) => !isSized(image)),
    (number) => `images without width and height, so that the layout may shift: ${number}`)],
  broken_images: ["error", () => among(
    images().filter(({ currentSrc, complete, naturalWidth }) => currentSrc && complete && naturalWidth === 0),
    (number) => `images that could not be shown: ${number}`)],
  mixed_content: ["error", () => among(mixed(), (number) => `elements that load without encryption: ${number}`)],
  encryption: ["warning", () => (window.isSecureContext ? "" : "the page came without encryption")],
};

/** @returns {{hasAxe: boolean, checks: Check[]}} the checks in the top document alone */
export const basics = () => {
  const hasAxe = Object.hasOwn(globalThis, "axe");
  if (window !== window.top) return { hasAxe, checks: [] };
  return { hasAxe, checks: Object.entries(CHECKS).map(([name, [grade, problem]]) => {
    const detail = problem();
    return { name, level: detail ? grade : "ok", detail };
  }) };
};
