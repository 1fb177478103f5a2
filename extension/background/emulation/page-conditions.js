/*
 * Device and conditions as a page sees them. These functions run in the page; each is complete in itself.
 */

/** @returns {import("../base/protocol-types").SeenScreen & {isLoaded?: boolean}} isLoaded: a server has answered for this page */
export const readScreen = () => ({
  width: innerWidth,
  height: innerHeight,
  device_scale_factor: devicePixelRatio,
  screen: { width: screen.width, height: screen.height },
  orientation: screen.orientation?.type,
  touch: navigator.maxTouchPoints > 0,
  user_agent: navigator.userAgent,
  isLoaded: location.protocol.startsWith("http"),
});

export const readConditions = () => {
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
  const matches = (/** @type {string} */ query) => matchMedia(query).matches;
  return {
    color_scheme: matches("(prefers-color-scheme: dark)") ? "dark" : "light",
    reduced_motion: matches("(prefers-reduced-motion: reduce)") ? "reduce" : "no-preference",
    forced_colors: matches("(forced-colors: active)") ? "active" : "none",
    media: matches("print") ? "print" : "screen",
    timezone: timeZone,
    locale,
    languages: [...navigator.languages],
    online: navigator.onLine,
  };
};

/** @param {string[]} names */
export const readPermissions = async (names) => {
  const state = (/** @type {string} */ name) =>
    navigator.permissions.query({ name: /** @type {PermissionName} */ (name) }).then(
      ({ state }) => [name, state],
      () => [name, undefined],
    );
  const found = await Promise.all(names.map(state));
  return { origin: location.origin, isSecure: isSecureContext, states: Object.fromEntries(found.filter(([, value]) => value)) };
};

/** Null in a page that is not shown: it would be answered when it is. */
export const readPosition = () => new Promise((resolve) => {
  if (document.visibilityState !== "visible") return resolve(null);
  const options = { maximumAge: 0, timeout: 500 };
  navigator.geolocation.getCurrentPosition(
    ({ coords: { latitude, longitude, accuracy } }) => resolve({ latitude, longitude, accuracy }), () => resolve(null), options);
});
