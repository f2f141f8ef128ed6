// Tables and code that scroll sideways can be reached and scrolled from the keyboard.
document.addEventListener("DOMContentLoaded", () => {
  for (const box of document.querySelectorAll("div.pst-scrollable-table-container, div.highlight pre, div.output_area")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  }
});
