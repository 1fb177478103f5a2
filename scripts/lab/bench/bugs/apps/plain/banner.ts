/** Shows the articles, and above them an offer that comes late. */
export function showBanner(root: HTMLElement): void {
  root.innerHTML = "<h1>News</h1><div id=articles>" + "<p>An article of some length about the news.</p>".repeat(12) + "</div>";
  setTimeout(() => {
    const offer = document.createElement("div");
    offer.id = "offer";
    offer.style.height = "180px";
    offer.textContent = "Half price today";
    root.prepend(offer);
  }, 700);
}
