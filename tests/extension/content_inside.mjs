// The content scripts as one script that also shows the exports of their modules, as `__inside`, by the names of their files in camel
// case. With "page" as its argument, it is what pages get; without, only the modules.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ENTRIES, scriptOf } from "../../scripts/bundle_extension.mjs";

const CONTENT = join(dirname(fileURLToPath(import.meta.url)), "../../extension/content");
const modules = readdirSync(CONTENT, { recursive: true, encoding: "utf8" }).map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.includes("/") && path.endsWith(".js"));
const nameOf = (path) => path.split("/").at(-1).replace(".js", "").replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

const isPage = process.argv[2] === "page";
const contents = [
  ...(isPage ? ['import "./page.js";'] : []),
  ...modules.map((path) => `import * as ${nameOf(path)} from "./${path}";`),
  `globalThis.__inside = { ${modules.map(nameOf).join(", ")} };`,
].join("\n");
process.stdout.write(await scriptOf({ stdin: { contents, resolveDir: CONTENT } }, isPage ? ENTRIES.page.again : ""));
