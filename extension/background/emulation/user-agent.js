/*
 * User agent of a browser. The header, navigator.userAgent, navigator.platform and the client hints must agree, so all of them
 * come from the one string that was asked for.
 */

/** @import { Protocol } from "../debugger/commands" */
/** @typedef {Protocol.Emulation.UserAgentBrandVersion} Brand */
/** @typedef {Protocol.Emulation.UserAgentMetadata} Hints */

/** The first that fits. `platform` is the client hint's word, `navigatorPlatform` the older one's. */
const SYSTEMS = [
  { sign: /iPhone|iPod/, platform: "iOS", navigatorPlatform: "iPhone", version: /OS (\d+(?:_\d+)*)/, model: () => "iPhone" },
  { sign: /iPad/, platform: "iOS", navigatorPlatform: "iPad", version: /OS (\d+(?:_\d+)*)/, model: () => "iPad" },
  {
    sign: /Android/, platform: "Android", navigatorPlatform: "Linux armv81", version: /Android (\d+(?:\.\d+)*)/,
    model: androidModel,
  },
  { sign: /Windows/, platform: "Windows", navigatorPlatform: "Win32", version: /Windows NT (\d+\.\d+)/ },
  { sign: /Macintosh|Mac OS X/, platform: "macOS", navigatorPlatform: "MacIntel", version: /Mac OS X (\d+(?:[_.]\d+)*)/ },
  { sign: /CrOS/, platform: "Chrome OS", navigatorPlatform: "Linux x86_64", version: /CrOS \S+ (\d+(?:\.\d+)*)/ },
  { sign: /Linux|X11/, platform: "Linux", navigatorPlatform: "Linux x86_64" },
];
const UNKNOWN_SYSTEM = { platform: "", navigatorPlatform: "", version: undefined, model: undefined };

/** Client hints a page has to ask for. */
const MORE_HINTS = [
  "architecture", "bitness", "formFactors", "fullVersionList", "model", "platformVersion", "uaFullVersion", "wow64",
];

/** @param {string} userAgent */
function androidModel(userAgent) {
  const model = /Android [\d.]+; ([^;)]+?)(?: Build\/[^;)]*)?[;)]/.exec(userAgent)?.[1] ?? "";
  return model === "K" ? "" : model;
}

/**
 * The brands of the engine a user agent names; browsers that are not Chromium have no client hints.
 * @param {Brand[]|undefined} field @param {(product: string) => string} versionOf @returns {Brand[]}
 */
function brandsOf(field, versionOf) {
  const chrome = versionOf("Chrome");
  if (!chrome) return [];
  const edge = versionOf("Edg");
  const filler = (field ?? []).filter(({ brand }) => /not/i.test(brand));
  const seller = edge ? { brand: "Microsoft Edge", version: edge } : { brand: "Google Chrome", version: chrome };
  return [...filler, { brand: "Chromium", version: chrome }, seller];
}

/** The client hints of this browser. */
async function ownHints() {
  const { userAgentData } = /** @type {{userAgentData?: {getHighEntropyValues(names: string[]): Promise<Partial<Hints>>}}} */ (
    navigator
  );
  return (await userAgentData?.getHighEntropyValues(MORE_HINTS)) ?? {};
}

/**
 * The client hints that go with a user agent.
 * @param {string} userAgent
 * @param {Partial<Hints>} own those of this browser
 */
function hintsOf(userAgent, own) {
  const system = SYSTEMS.find(({ sign }) => sign.test(userAgent)) ?? UNKNOWN_SYSTEM;
  const product = (/** @type {string} */ name) => new RegExp(`\\b${name}/(\\d[\\d.]*)`).exec(userAgent)?.[1] ?? "";
  const isMobile = /\bMobile\b/.test(userAgent);
  const isHandheld = isMobile || ["Android", "iOS"].includes(system.platform);
  return {
    brands: brandsOf(own.brands, (name) => product(name).split(".")[0]),
    fullVersionList: brandsOf(own.fullVersionList, product),
    platform: system.platform,
    platformVersion: (system.version?.exec(userAgent)?.[1] ?? "").replaceAll("_", "."),
    architecture: isHandheld ? "" : "x86",
    bitness: isHandheld ? "" : "64",
    model: system.model?.(userAgent) ?? "",
    mobile: isMobile,
    wow64: false,
    formFactors: [isMobile ? "Mobile" : isHandheld ? "Tablet" : "Desktop"],
  };
}

/** @param {Partial<Hints>} own @returns {Hints} */
function ownMetadata(own) {
  const {
    brands = [], fullVersionList = [], platform = "", platformVersion = "", architecture = "", bitness = "", model = "",
  } = own;
  const { mobile = false, wow64 = false, formFactors = [] } = own;
  return { brands, fullVersionList, platform, platformVersion, architecture, bitness, model, mobile, wow64, formFactors };
}

/**
 * Parameters of Emulation.setUserAgentOverride; null where nothing is to be overridden. The languages of a locale are
 * part of it because the browser takes them together.
 * @param {{userAgent?: string, locale?: string}} wanted
 */
export async function userAgentOverride({ userAgent, locale }) {
  if (!userAgent && !locale) return null;
  const own = await ownHints();
  const languages = locale && { acceptLanguage: [...new Set([locale, locale.split("-")[0]])].join(",") };
  if (!userAgent) return { userAgent: navigator.userAgent, userAgentMetadata: ownMetadata(own), ...languages };
  const { navigatorPlatform } = SYSTEMS.find(({ sign }) => sign.test(userAgent)) ?? UNKNOWN_SYSTEM;
  return { userAgent, platform: navigatorPlatform, userAgentMetadata: hintsOf(userAgent, own), ...languages };
}
