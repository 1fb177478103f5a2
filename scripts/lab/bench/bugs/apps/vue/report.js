import { h, ref } from "vue";
import { sortRows } from "./sort-rows.js";

export const Report = {
  setup() {
    const rows = ref(0);
    const sort = () => {
      rows.value = sortRows(400);
    };
    return () => h("main", [h("h1", "Report"), h("button", { onClick: sort }, "Sort"), h("output", `${rows.value} rows`)]);
  },
};
