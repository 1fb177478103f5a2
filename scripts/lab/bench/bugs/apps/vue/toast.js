import { h, onMounted, ref } from "vue";

export const Toast = {
  setup() {
    const text = ref("Saved");
    onMounted(() => {
      setTimeout(() => {
        document.querySelector("#toast").remove();
      }, 30);
    });
    return () => h("main", [h("h1", "Toast"), h("p", { class: "toast" }, text.value)]);
  },
};
