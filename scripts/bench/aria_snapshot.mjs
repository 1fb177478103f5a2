/*
 * Playwright's snapshot for models, timed. Reads one JSON line {url, rounds} at a time, answers with one JSON line
 * {first, times, bytes}. usage: node aria_snapshot.mjs <folder of playwright-core> <browser>
 */
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [, , library, executablePath] = process.argv;
const { chromium } = await import(pathToFileURL(`${library}/index.mjs`).href);
const browser = await chromium.launch({ executablePath, headless: true, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
const body = page.locator("body");
let shown = "";

async function once() {
  const started = performance.now();
  const text = await body.ariaSnapshot({ mode: "ai" });
  return [performance.now() - started, Buffer.byteLength(text)];
}

async function answer({ url, rounds }) {
  let first = null;
  if (url !== shown) {
    await page.goto(url, { waitUntil: "load" });
    await page.waitForTimeout(500);
    shown = url;
    [first] = await once();
  }
  const runs = [];
  for (let round = 0; round < rounds; round++) runs.push(await once());
  return { first, times: runs.map(([time]) => time), bytes: runs.at(-1)?.[1] };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`);
}
await browser.close();
