"use strict";
/* The page looks numbers up; it computes none. Text enters the page as text, never as markup. */
const data = JSON.parse(document.getElementById("data").textContent);
const views = {};
const hidden = new Set(data.models.filter((model) => !model.shown).map((model) => model.name));
let selected = data.models.length ? data.models[0].name : "";
const byId = (id) => document.getElementById(id);

/* Figures by the rules of rocsteady/text.py; a test compares the two. */
const MISSING = "-";
const known = (value) => typeof value === "number";

function fixed(value, decimals) {
  const size = Math.abs(value), tie = (size * 2 ** (decimals + 1)) % 2 === 1;
  let text = size.toFixed(decimals);
  if (tie && Number(text.at(-1)) % 2) text = (Math.floor(size * 10 ** decimals) / 10 ** decimals).toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? "-" + text : text;
}

/* A value that is not 1 does not look like 1. */
function decimalsOf(value, decimals) {
  const size = Math.abs(value);
  if (Math.abs(size - 1) >= 1e-12) while (Number(fixed(size, decimals)) === 1) decimals += 1;
  return decimals;
}

function count(value) {
  if (!known(value)) return value === null || value === undefined ? MISSING : String(value);
  const [whole, rest] = String(Math.abs(value) < 1e15 ? Number(value.toFixed(Math.max(1, 6 - String(Math.trunc(Math.abs(value))).length))) : value).split(".");
  return whole.includes("e") ? whole : whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",") + (rest ? "." + rest : "");
}

function scientific(value) {
  const [digits, power] = value.toExponential(3).split("e");
  if (Number(power) >= -4 && Number(power) < 4) return String(Number(value.toPrecision(4)));
  return String(Number(digits)) + "e" + power[0] + power.slice(1).padStart(2, "0");
}

function number(value) {
  if (!known(value)) return value === null || value === undefined ? MISSING : String(value);
  const size = Math.abs(value);
  if (size && (size < 1e-3 || size >= 1e15)) return scientific(value);
  return size < 1e3 ? fixed(value, decimalsOf(value, 4)) : count(Number(fixed(value, size >= 1e4 ? 0 : 1)));
}

/* An estimate and its ends, in as many decimals as show a narrow interval. */
function together(value, low, high) {
  const all = [value, low, high], half = (high - low) / 2;
  if (!all.every(known) || Math.max(...all.map(Math.abs)) >= 1e3) return all.map(number);
  const wanted = half > 0 ? Math.max(4, 1 + Math.ceil(-Math.log10(half))) : 4;
  const digits = Math.max(...all.map((each) => decimalsOf(each, wanted)));
  return digits > 12 ? all.map(number) : all.map((each) => fixed(each, digits));
}

/* Columns, whose repeated texts are listed once, become records. */
function unpack(columns) {
  const names = Object.keys(columns);
  if (!names.length) return [];
  const value = (column, i) => Array.isArray(column) ? column[i] : column.values[column.codes[i]];
  const size = (columns[names[0]].codes || columns[names[0]]).length;
  return Array.from({ length: size }, (_, i) => Object.fromEntries(names.map((name) => [name, value(columns[name], i)])));
}

function element(name, text, more) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return Object.assign(made, more || {});
}

function table(header, rows) {
  const made = element("table"), head = element("thead"), line = element("tr"), body = element("tbody");
  const whole = (i) => rows.every((cells) => !known(cells[i]) || Number.isInteger(cells[i]));
  const forms = header.map((name, i) => name === "threshold" ? limit : whole(i) ? count : number);
  header.forEach((name) => line.append(element("th", name, { scope: "col" })));
  head.append(line);
  rows.forEach((cells) => {
    const row = element("tr");
    cells.forEach((cell, i) => row.append(i ? element("td", forms[i](cell)) : element("th", forms[i](cell), { scope: "row" })));
    body.append(row);
  });
  made.append(head, body);
  return made;
}

/* All digits of a threshold, which were chosen to call the same rows; an infinite one says what it does. */
function limit(value) {
  if (value === "inf") return "inf (above every score)";
  if (value === "-inf") return "-inf (every score)";
  return value === null || value === undefined ? MISSING : String(value);
}

/* Why a rate is undefined. */
const WHY = {
  tpr: "there are no positives", fpr: "there are no negatives",
  precision: "no row is called positive", npv: "no row is called negative",
  matthews_correlation: "all rows are called alike", f1: "there is no positive",
};

function position() { return Number(byId("threshold").value); }

function operatingRecord() {
  const columns = data.operating[selected], record = { model: selected };
  Object.keys(columns).forEach((name) => { if (name !== "start") record[name] = columns[name][position()]; });
  return record;
}

const ends = (record, name) => together(record[name], record[name + "_low"], record[name + "_high"]);

function update(id, change) {
  const view = views[id];
  if (view) { change(view); view.runAsync(); }
}

function moveThreshold() {
  const record = operatingRecord();
  const at = limit(record._threshold);
  byId("threshold-value").textContent = at;
  byId("threshold").setAttribute("aria-valuetext", "score at least " + at);
  document.querySelectorAll("[data-value]").forEach((node) => {
    const name = node.dataset.value, value = record[name];
    if (node.className === "count") node.textContent = count(value);
    else if (name + "_low" in record) node.textContent = known(value) ? ends(record, name)[0] : "undefined";
    else node.textContent = known(value) ? number(value) : "undefined: " + WHY[name];
  });
  document.querySelectorAll("[data-interval]").forEach((node) => {
    const name = node.dataset.interval, [, low, high] = ends(record, name);
    node.textContent = known(record[name]) ? "[" + low + ", " + high + "]" : WHY[name];
  });
  byId("operating-words").textContent = selected + ": positive when the score is at least " + at;
  byId("operating-intervals").textContent = record.chosen || byId("operating-intervals").dataset.given;
  ["roc", "pr", "dist"].forEach((id) => update(id, (view) => view.data("op", [record])));
}

function moveDelta() {
  const slider = byId("delta"), family = data.granular[selected] || [];
  if (!slider) return;
  slider.max = Math.max(family.length - 1, 0);
  const chosen = family[Math.min(Number(slider.value), family.length - 1)];
  const words = chosen ? chosen.delta + ", AUC from " + number(chosen.low) + " to " + number(chosen.up) : "not defined for these scores";
  byId("delta-value").textContent = words;
  slider.setAttribute("aria-valuetext", words);
  update("granular", (view) => view.data("granular", chosen ? unpack(chosen.records) : []));
}

function choose(name) {
  selected = name;
  const columns = data.operating[name], slider = byId("threshold");
  if (!slider) return;
  slider.max = columns.threshold.length - 1;
  slider.value = columns.start;
  Object.keys(views).forEach((id) => update(id, (view) => view.signal("selected", name)));
  moveThreshold();
  moveDelta();
}

function toggle() {
  const shown = data.models.map((model) => model.name).filter((name) => !hidden.has(name));
  Object.keys(views).forEach((id) => update(id, (view) => {
    view.signal("shown", shown);
    if (byId("extra")) view.signal("extra", byId("extra").checked);
  }));
}

function moves() {
  const target = byId("moves");
  if (!target) return;
  const old = data.models[Number(byId("old").value)].name, fresh = data.models[Number(byId("new").value)].name;
  const tables = data.reclassified[old + "\n" + fresh];
  target.replaceChildren();
  if (!tables) { target.append(element("p", "Choose two different models.")); return; }
  tables.forEach((one) => {
    const block = element("div"), scroll = element("div", undefined, { className: "scroll", tabIndex: 0 });
    scroll.append(table(one.header, one.rows));
    block.append(element("h3", one.title), scroll, element("p", one.text, { className: "note" }));
    target.append(block);
  });
}

function rowsOf(id) {
  const chart = data.charts.find((one) => one.id === id), view = views[id];
  const names = Object.keys(chart.data).filter((name) => !["chance", "op", "treat"].includes(name));
  const records = names.flatMap((name) => (name === "granular" && view ? view.data(name) : chart.data[name])
    .map((record) => ({ data: name, ...record })));
  const header = [...new Set(records.flatMap(Object.keys))].filter((name) => name !== "i" && !name.startsWith("_"));
  return { header, rows: records.map((record) => header.map((name) => record[name] === undefined ? "" : record[name])) };
}

function save(name, type, text) {
  const link = element("a", undefined, { download: name, href: URL.createObjectURL(new Blob([text], { type })) });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/* A spreadsheet would run text that starts like a formula; numbers stay numbers. */
function csvCell(value) {
  if (typeof value === "number") return String(value);
  const text = String(value === null ? "" : value);
  return '"' + (/^[\s"']*[=+\-@\t\r]/.test(text) ? "'" : "") + text.replaceAll('"', '""') + '"';
}

function listen() {
  if (byId("threshold")) {
    byId("threshold").addEventListener("input", moveThreshold);
    byId("selected").addEventListener("change", (event) => choose(data.models[Number(event.target.value)].name));
    byId("extra").addEventListener("change", toggle);
  }
  if (byId("delta")) byId("delta").addEventListener("input", moveDelta);
  document.querySelectorAll("[data-switch]").forEach((radio) => radio.addEventListener("change", () =>
    update(radio.dataset.switch, (view) => view.signal("switched", radio.value === "1"))));
  document.querySelectorAll("[data-model]").forEach((box) => box.addEventListener("change", () => {
    const name = data.models[Number(box.dataset.model)].name;
    if (box.checked) hidden.delete(name); else hidden.add(name);
    toggle();
  }));
  ["old", "new"].forEach((id) => { if (byId(id)) byId(id).addEventListener("change", moves); });
  if (byId("new") && data.models.length > 1) byId("new").value = "1";
  document.querySelectorAll("details.as-table").forEach((details) => details.addEventListener("toggle", () => {
    const found = rowsOf(details.dataset.chart), target = details.querySelector(".scroll");
    target.replaceChildren(details.open ? table(found.header, found.rows) : "");
  }));
  document.querySelectorAll("[data-csv]").forEach((button) => button.addEventListener("click", () => {
    const found = rowsOf(button.dataset.csv);
    save(button.dataset.csv + ".csv", "text/csv", [found.header, ...found.rows].map((row) => row.map(csvCell).join(",")).join("\n") + "\n");
  }));
  document.querySelectorAll("[data-svg]").forEach((button) => button.addEventListener("click", async () =>
    save(button.dataset.svg + ".svg", "image/svg+xml", await views[button.dataset.svg].toSVG())));
  document.querySelectorAll("button.sort").forEach((button) => button.addEventListener("click", () => sortBy(button)));
}

function sortBy(button) {
  const body = button.closest("table").tBodies[0], column = Number(button.dataset.column);
  const head = button.closest("th"), down = head.getAttribute("aria-sort") !== "descending";
  button.closest("tr").querySelectorAll("th").forEach((other) => other.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const key = (row) => row.cells[column].dataset.key, number = (text) => text === "" ? NaN : Number(text);
  const rows = [...body.rows].sort((a, b) => {
    const [x, y] = [key(a), key(b)], [p, q] = [number(x), number(y)];
    if (Number.isNaN(p) !== Number.isNaN(q)) return Number.isNaN(p) ? 1 : -1;
    return (down ? -1 : 1) * (Number.isNaN(p) ? x.localeCompare(y) : p - q);
  });
  body.append(...rows);
}

async function start() {
  listen();
  moves();
  if (byId("delta")) { byId("delta").max = 20; byId("delta").value = 2; }
  for (const chart of data.charts) {
    await new Promise(requestAnimationFrame); // let the page be read and used while charts are drawn
    Object.keys(chart.data).forEach((name) => { chart.data[name] = unpack(chart.data[name]); });
    const spec = { ...chart.spec, datasets: chart.data };
    const made = await vegaEmbed("#chart-" + chart.id, spec, { mode: "vega-lite", actions: false, ast: true, renderer: "svg", tooltip: { theme: "custom" } });
    views[chart.id] = made.view;
  }
  choose(selected);
  document.documentElement.dataset.ready = "yes";
}

start();
