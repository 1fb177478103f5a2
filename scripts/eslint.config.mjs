// The linter of the extension. Types are tsc's business; imports, exports and listeners are those of tests/test_architecture.py.
import js from "@eslint/js";
import stylistic from "@stylistic/eslint-plugin";
import globals from "globals";

export default [
  { ignores: ["extension/background/base/protocol.js", "extension/background/rules/secret-shapes.js", "extension/vendor/**", "extension/injected/**", "extension/launched/**"] },
  js.configs.recommended,
  {
    files: ["extension/**/*.js"],
    plugins: { "@stylistic": stylistic },
    languageOptions: { ecmaVersion: "latest", sourceType: "module", globals: { ...globals.browser, ...globals.webextensions } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "@stylistic/max-len": ["error", { code: 130, ignoreUrls: true, ignoreRegExpLiterals: true }],
      "max-lines-per-function": ["error", { max: 60, IIFEs: false }],
      "no-unused-vars": ["error", { args: "none", ignoreRestSiblings: true }],
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      "no-promise-executor-return": "off",
      // The text of pages has control characters in it, and they are looked for.
      "no-control-regex": "off",
    },
  },
  // These functions cannot be split: they run in the page's own world, where nothing outside them exists.
  { files: ["extension/background/page/listener-watch.js", "extension/background/profiles/heap-walk.js"], rules: { "max-lines-per-function": "off" } },
];
