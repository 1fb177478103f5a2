/*
 * Playwright's snapshot for models, timed. Reads one JSON line at a time, {open: url, atRest: expression} or
 * {change: expression | null}, and answers with {ms, bytes}: of the first snapshot once the page is at rest, or of
 * another one after the change. usage: node aria_snapshot.mjs <folder of playwright-core> <browser>
 */
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [, , library, executablePath] = process.argv;
const { chromium } = await import(pathToFileURL(`${library}/index.mjs`).href);
const browser = await chromium.launch({ executablePath, headless: true, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
const body = page.locator("body");

async function timed() {
  const started = performance.now();
  const text = await body.ariaSnapshot({ mode: "ai" });
  return { ms: performance.now() - started, bytes: Buffer.byteLength(text) };
}

async function answer({ open, atRest, change }) {
  if (open) {
    await page.goto(open, { waitUntil: "load" });
    await page.waitForLoadState("networkidle", { timeout: 10_000 }).catch(() => {});
    await page.evaluate(atRest);
  }
  if (change) await page.evaluate(change);
  return timed();
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`);
}
await browser.close();
