/** Secrets in values of the page, by the name they are stored under and by their shape. */

export const REDACTED = "[redacted]";

/** Names that say their value is a secret; `token` as a whole word or ending, so that "tokenizer" stays. */
const SECRET_NAME = new RegExp(
  "^(pass(word|wd|phrase|code)|pwd|secret|cookies?|set-cookie|authorization|credentials?|jwt|bearer|api[-_]?key|private[-_]?key|" +
    "client[-_]?secret|session[-_]?(id|key)|sessid|phpsessid|jsessionid|connect\\.sid|sid)$|" +
    "(^|[-_. ])(password|passwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|session[-_]?id)$|" +
    "[a-z](Password|Secret|Token|ApiKey|AccessKey|PrivateKey|SessionId)$",
);
const isSecretName = (name) => SECRET_NAME.test(name) || SECRET_NAME.test(name.toLowerCase());

/** [shape, what remains]. */
const SHAPES = /** @type {[RegExp, string][]} */ ([
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, REDACTED],
  [/\b(Bearer|Basic)\s+[\w+/.~=-]{16,}/g, `$1 ${REDACTED}`],
  [/\b(sk|pk|rk)[-_](live|test|proj|ant)[-_][\w-]{10,}/g, REDACTED],
  [/\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}/g, REDACTED],
  [/\bxox[abprs]-[\w-]{10,}|\bAKIA[A-Z0-9]{16}\b|\bAIza[\w-]{30,}/g, REDACTED],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, REDACTED],
]);
/** name=value as in cookies, queries and forms; "name": "value" as in JSON text; name: "value" as in scripts and consoles. */
const PAIRS = [
  /(^|[;&?\s])([\w.-]+)=([^;&\s]+)/g,
  /(["'])([\w.-]+)\1(\s*:\s*)(["'])((?:(?!\4)[^\\]|\\.)*)\4/g,
  /(^|[{,(\s])([\w.-]+)(:\s*)(["'])((?:(?!\4)[^\\]|\\.)*)\4/g,
];

function redactText(text, count) {
  const hide = (what) => {
    count.redacted += 1;
    return what;
  };
  let clean = text;
  for (const [shape, rest] of SHAPES) clean = clean.replace(shape, (match, word) => hide(rest.replace("$1", word)));
  clean = clean.replace(PAIRS[0], (match, before, name) => (isSecretName(name) ? hide(`${before}${name}=${REDACTED}`) : match));
  clean = clean.replace(PAIRS[1], (match, quote, name, colon, mark) =>
    isSecretName(name) ? hide(`${quote}${name}${quote}${colon}${mark}${REDACTED}${mark}`) : match);
  return clean.replace(PAIRS[2], (match, before, name, colon, mark) =>
    isSecretName(name) ? hide(`${before}${name}${colon}${mark}${REDACTED}${mark}`) : match);
}

function clean(value, count) {
  if (typeof value === "string") return redactText(value, count);
  if (Array.isArray(value)) return value.map((item) => clean(item, count));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cleanMember(name, member, count)]));
}

function cleanMember(name, member, count) {
  if (typeof member !== "string" || member === "" || !isSecretName(name)) return clean(member, count);
  count.redacted += 1;
  return REDACTED;
}

/**
 * A copy of a JSON value without its secrets.
 * @param {any} value
 * @returns {{value: any, redacted: number}}
 */
export function redact(value) {
  const count = { redacted: 0 };
  return { value: clean(value, count), redacted: count.redacted };
}

/**
 * The text of document.cookie: names stay, every value goes.
 * @param {string} text
 */
export function redactCookies(text) {
  return text.replace(/=[^;]+/g, `=${REDACTED}`);
}
