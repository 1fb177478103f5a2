import { parseNumbers } from "./parse-numbers";

onmessage = (event: MessageEvent<string>) => {
  postMessage(parseNumbers(event.data).join(" + "));
};
