// The guides and the glossary at the end of a page.

// A link within them opens what it leads to, and leaves the address of the page as it is.
export function followLinks() {
  document.querySelector("footer").addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (!link) return;
    event.preventDefault();
    const target = document.querySelector(link.hash);
    for (let one = target.closest("details"); one; one = one.parentElement.closest("details")) one.open = true;
    target.scrollIntoView({ block: "start" });
    target.focus();
  });
}
