/** Fetches JSON. */
export async function readJson(path) {
  const response = await fetch(path);
  if (!response.headers.get("content-type").includes("json")) {
    throw new TypeError(`no JSON at ${path}`);
  }
  return response.json();
}
