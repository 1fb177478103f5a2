import { h, ref } from "vue";

export const Save = {
  setup() {
    const state = ref("not saved");
    const save = async () => {
      await fetch("/api/save", { method: "POST", body: "{}" });
      state.value = "saved";
    };
    return () => h("main", [h("h1", "Save"), h("button", { onClick: save }, "Save"), h("output", state.value)]);
  },
};
