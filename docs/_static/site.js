// What the theme leaves unsaid to readers who do not see the page, and boxes that only a mouse could scroll.
document.addEventListener("DOMContentLoaded", () => {
  for (const box of document.querySelectorAll("div.pst-scrollable-table-container, div.highlight pre, div.output_area, .measured-box")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  }
  for (const button of document.querySelectorAll("button.search-button-field")) {
    button.setAttribute("aria-label", button.innerText.replace(/\s+/g, " ").trim() || "Search");
  }
  for (const link of document.querySelectorAll(".sphx-glr-thumbcontainer a")) {
    link.setAttribute("aria-label", link.textContent.trim());  // its text is there, but not shown
  }
  for (const corner of document.querySelectorAll("th")) {
    if (!corner.textContent.trim()) corner.replaceWith(document.createElement("td"));  // it heads nothing
  }
  for (const fold of document.querySelectorAll("nav summary, .bd-sidebar-primary summary")) {
    const link = fold.closest("li")?.querySelector("a");
    fold.setAttribute("aria-label", `Pages below ${link ? link.textContent.trim() : "this one"}`);
  }
});
