// What the theme leaves unsaid to readers who do not see the page, and boxes that only a mouse could scroll.
const BOXES = "div.pst-scrollable-table-container, div.output_area, .measured-box";
const NUMBER = /^[^a-z]{0,3}\d[^a-z]*$/i, PHONE = matchMedia("(max-width: 600px)"), LONG = 22;  // letters
const PARTS = { "thead, tbody": "rowgroup", tr: "row", th: "columnheader", td: "cell" };

// Tables of words can stand in rows below each other on a phone; in tables of numbers, columns have to stay.
function isOfWords(table) {
  const cells = [...table.querySelectorAll("tbody td:not(:first-child)")].filter((cell) => cell.textContent.trim());
  return cells.filter((cell) => NUMBER.test(cell.textContent.trim())).length < cells.length / 2;
}

function name(table) {
  const names = [...table.querySelectorAll("thead tr:last-child > *")].map((cell) => cell.textContent.trim());
  for (const row of table.tBodies[0]?.rows ?? []) {
    [...row.cells].forEach((cell, place) => {
      if (names[place] && cell.textContent.trim()) cell.dataset.label = names[place];
    });
  }
  table.setAttribute("role", "table");  // of which it is one, however it is laid out
  for (const [part, role] of Object.entries(PARTS)) {
    for (const each of table.querySelectorAll(part)) each.setAttribute("role", role);
  }
}

// Two dashes and their word are one: a line that is too long goes on before them, not behind the dashes.
function joinOptions() {
  for (const sign of document.querySelectorAll("pre span.o")) {
    if (sign.textContent !== "--" || sign.previousSibling?.nodeType === Node.ELEMENT_NODE) continue;
    const option = document.createElement("span");
    option.className = "option";
    sign.before(option);
    for (let next = sign, after; next?.nodeType === Node.ELEMENT_NODE && !/\s/.test(next.textContent); next = after) {
      after = next.nextSibling;
      option.append(next);
    }
  }
}

// Nor does a word of a call break, unless a phone has no room for it.
function keepWords() {
  for (const word of document.querySelectorAll("code .pre")) {
    if (word.textContent.length < LONG) word.classList.add("whole");
  }
}

function lay(box) {
  const table = box.matches(".pst-scrollable-table-container") && box.querySelector("table");
  if (table && table.dataset.words) {
    table.classList.remove("stacked", "tight");
    if (box.scrollWidth > box.clientWidth) table.classList.add(PHONE.matches ? "stacked" : "tight");
  }
  if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
  box.classList.toggle("goes-on", box.scrollLeft + box.clientWidth < box.scrollWidth - 2);
}

// One answer for each page and title: the page itself, its heading and its entries in the index are one to a reader.
function answersOnce(search) {
  const plain = search._performSearch;
  search._performSearch = (...asked) => {
    const seen = new Set(), kept = [];
    for (const found of plain(...asked).reverse()) {  // the best stands last
      const told = `${found[0]} ${found[1]}`;
      if (!seen.has(told)) kept.push(found);
      seen.add(told);
    }
    return kept.reverse();
  };
}

document.addEventListener("DOMContentLoaded", () => {
  for (const corner of document.querySelectorAll("th")) {
    if (!corner.textContent.trim()) corner.replaceWith(document.createElement("td"));  // it heads nothing
  }
  for (const table of document.querySelectorAll(".pst-scrollable-table-container > table")) {
    if (!isOfWords(table)) continue;
    table.dataset.words = "yes";
    name(table);
  }
  joinOptions();
  keepWords();
  const seen = new ResizeObserver((changed) => changed.forEach((each) => lay(each.target)));
  for (const box of document.querySelectorAll(BOXES)) {
    seen.observe(box);
    box.addEventListener("scroll", () => lay(box), { passive: true });
    lay(box);
  }
  for (const button of document.querySelectorAll("button.search-button-field")) {
    button.setAttribute("aria-label", button.innerText.replace(/\s+/g, " ").trim() || "Search");
  }
  for (const link of document.querySelectorAll(".sphx-glr-thumbcontainer a")) {
    link.setAttribute("aria-label", link.textContent.trim());  // its text is there, but not shown
  }
  for (const fold of document.querySelectorAll("nav summary, .bd-sidebar-primary summary")) {
    const link = fold.closest("li")?.querySelector("a");
    fold.setAttribute("aria-label", `Pages below ${link ? link.textContent.trim() : "this one"}`);
  }
  if (typeof Search !== "undefined") answersOnce(Search);
});
