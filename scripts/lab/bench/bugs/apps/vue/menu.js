import { h, onMounted, ref } from "vue";

export const Menu = {
  setup() {
    const picked = ref("nothing");
    const bar = ref();
    onMounted(() => {
      bar.value.addEventListener("click", (event) => event.stopPropagation(), true);
    });
    return () =>
      h("main", [
        h("h1", "Menu"),
        h("nav", { ref: bar }, [h("button", { onClick: () => (picked.value = "soup") }, "Soup")]),
        h("output", picked.value),
      ]);
  },
};
