import { h, ref } from "vue";
import { discounted } from "./discounts.js";

export const Basket = {
  setup() {
    const price = ref(10);
    const apply = () => {
      price.value = discounted(price.value, "SPRING");
    };
    return () => h("main", [h("h1", "Basket"), h("button", { onClick: apply }, "Apply code"), h("output", price.value)]);
  },
};
