import { h, ref, watch } from "vue";

export const Filter = {
  setup() {
    const word = ref("");
    watch(word, async (now) => {
      await new Promise((done) => setTimeout(done, 20));
      if (now.length > 2) throw new RangeError(`no index for ${now}`);
    });
    return () => h("main", [h("h1", "Filter"), h("button", { onClick: () => (word.value = "plum") }, "Filter plums")]);
  },
};
