/*
 * The devices that have names: their screens in CSS pixels, pixel ratios and user agents. What they show of a page without
 * the browser's own bars is the whole screen here, as in the developer tools.
 */

/**
 * @typedef {object} Device
 * @property {number} width
 * @property {number} height
 * @property {number} device_scale_factor
 * @property {boolean} is_mobile
 * @property {boolean} has_touch
 * @property {string} [user_agent]  absent: the browser's own
 */

/** The version of this browser's engine, so that a device's browser claims nothing this one cannot do. */
const CHROME = /Chrome\/(\d+)/.exec(navigator.userAgent)?.[1] ?? "140";

const safari = (/** @type {string} */ system, /** @type {string} */ version) =>
  `Mozilla/5.0 (${system} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${version} Mobile/15E148 Safari/604.1`;
const android = (/** @type {number} */ version, /** @type {string} */ model) =>
  `Mozilla/5.0 (Linux; Android ${version}; ${model}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${CHROME}.0.0.0 Mobile ` +
  `Safari/537.36`;

const IPHONE = safari("iPhone; CPU iPhone OS 16_6", "16.6");
const IPAD = safari("iPad; CPU OS 16_6", "16.6");

/** @type {(width: number, height: number, ratio: number, userAgent: string) => Device} */
const handheld = (width, height, ratio, userAgent) =>
  ({ width, height, device_scale_factor: ratio, is_mobile: true, has_touch: true, user_agent: userAgent });
const desktop = (/** @type {number} */ width, /** @type {number} */ height) =>
  ({ width, height, device_scale_factor: 1, is_mobile: false, has_touch: false });

/** @type {Record<string, Device>} */
export const DEVICES = {
  "iPhone 14": handheld(390, 844, 3, IPHONE),
  "iPhone 14 Pro Max": handheld(430, 932, 3, IPHONE),
  "iPhone SE": handheld(375, 667, 2, IPHONE),
  "iPad Pro": handheld(1024, 1366, 2, IPAD),
  "iPad Mini": handheld(768, 1024, 2, IPAD),
  "Pixel 7": handheld(412, 915, 2.625, android(13, "Pixel 7")),
  "Pixel 7 Pro": handheld(412, 892, 3.5, android(13, "Pixel 7 Pro")),
  "Samsung Galaxy S23": handheld(360, 780, 3, android(13, "SM-S911B")),
  "Desktop 1080p": desktop(1920, 1080),
  "Desktop 1440p": desktop(2560, 1440),
  "Desktop 4K": desktop(3840, 2160),
};
