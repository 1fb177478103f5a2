import { h, ref } from "vue";

const cache = new Map();

// A class of an object keeps its name in a minified build.
const models = {
  CardEntry: class {
    constructor(element, number) {
      this.element = element;
      this.number = number;
    }
  },
};

export const Cards = {
  setup() {
    const shown = ref(0);
    const remember = (element) => element && cache.set(shown.value, new models.CardEntry(element, shown.value));
    return () =>
      h("main", [
        h("h1", "Cards"),
        h("button", { onClick: () => (shown.value += 1) }, "Next card"),
        h("p", `card ${shown.value}`),
        h("section", { key: shown.value, ref: remember }, [h("b", `Card ${shown.value}`)]),
      ]);
  },
};
