/*
 * Clock of one call. It stops while the user is asked something and begins again with their answer: the time a user takes says
 * nothing about the time the act may take.
 */
export class CallClock {
  #limit;
  #expire;
  #answered;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #deadline = 0;
  #askingLeft;
  #askedAt = 0;
  /** Questions that the call waits for now. */
  #open = 0;

  /**
   * @param {number} limit ms of the call
   * @param {number} askingLimit ms for which the person may be asked, all questions of the call together
   * @param {() => void} expire called when the time of the call is over
   * @param {() => void} answered called when the time begins again
   */
  constructor(limit, askingLimit, expire, answered) {
    this.#limit = limit;
    this.#askingLeft = askingLimit;
    this.#expire = expire;
    this.#answered = answered;
    this.#start();
  }

  #start() {
    this.#deadline = Date.now() + this.#limit;
    this.#timer = setTimeout(this.#expire, this.#limit);
  }

  /** Milliseconds left of the call; all of them while the person is asked. */
  remaining = () => (this.#open ? this.#limit : Math.max(0, this.#deadline - Date.now()));

  /** Milliseconds for which the person may still be asked. */
  askingLeft = () => Math.max(0, this.#askingLeft - (this.#open ? Date.now() - this.#askedAt : 0));

  /**
   * Settles like a question to the person. The clock of the call stops meanwhile.
   * @template T
   * @param {() => Promise<T>} ask
   * @returns {Promise<T>}
   */
  whileAsking = async (ask) => {
    if (this.#open === 0) this.#askedAt = Date.now();
    this.#open += 1;
    clearTimeout(this.#timer);
    try {
      return await ask();
    } finally {
      const left = this.askingLeft();
      this.#open -= 1;
      if (this.#open === 0) {
        this.#askingLeft = left;
        this.#start();
        this.#answered();
      }
    }
  };

  /** Ends the watch: the call is over. */
  end() {
    clearTimeout(this.#timer);
    this.#expire = () => {};
  }
}
