/* Frames that Chrome draws of a document, as a measure of time that a busy machine does not shorten. */
/** A document that is not shown may draw nothing: a frame is not waited for longer there. */
const HIDDEN_FRAME_MS = 100;

/**
 * Settles when the next frame of the document has been laid out. Its observers are called then, also where nothing has changed.
 * @returns {Promise<unknown>}
 */
export function nextFrame() {
  const { promise, resolve } = Promise.withResolvers();
  const observer = new IntersectionObserver(resolve);
  observer.observe(document.documentElement);
  const timer = document.hidden ? setTimeout(resolve, HIDDEN_FRAME_MS) : undefined;
  return promise.finally(() => {
    observer.disconnect();
    clearTimeout(timer);
  });
}
