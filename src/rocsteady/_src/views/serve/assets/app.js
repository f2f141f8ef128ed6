/* The journey: file, columns, costs, answer. Where one is stands in the address, after the #, and nowhere else. */
import { alarm, ask, bdi, byId, card, code, count, el, field, pageFrame, say, select, showPage, stop, table, turned, upload } from "./parts.js";
import { laboratory } from "./laboratory.js";

const STEPS = { file: "File", columns: "Columns", costs: "Costs", answer: "Answer" };
const LISTS = ["scores", "lower", "by"], NUMBERS = ["cost_fp", "cost_fn", "prevalence", "level"];
const TEXTS = ["label", "pos", "weight", "cluster", "fold", "repeat", "missing", "baseline", "cutoffs", "title", "delimiter"];
const ROLES = [["", "not used"], ["label", "label"], ["score", "score: higher is more positive"],
  ["lower", "score: lower is more positive"], ["weight", "weight"], ["cluster", "subject"], ["by", "group"],
  ["fold", "fold"], ["repeat", "repeat of folds"]];
let start = {};
const seen = new Map(); // previews by file and delimiter
let changed = null; // what the address of an answer says since its costs were changed: the way back leads past it

const state = () => new URLSearchParams(location.hash.slice(1));

/* Go to a step, or change what the address says of this one. */
function go(changes, { replace = false } = {}) {
  const next = changes instanceof URLSearchParams ? changes : state();
  if (next !== changes) for (const [name, value] of Object.entries(changes)) {
    next.delete(name);
    for (const each of [value].flat()) if (each !== "" && each !== null && each !== undefined) next.append(name, each);
  }
  const address = "#" + next;
  if (replace) history.replaceState(null, "", address);
  else if (address !== location.hash) { history.pushState(null, "", address); render(); } // at once: address and screen are never of two steps
}

function asked(at) {
  const made = {};
  for (const name of TEXTS) if (at.get(name)) made[name] = at.get(name);
  for (const name of [...LISTS, "classes"]) if (at.has(name)) made[name] = at.getAll(name);
  for (const name of NUMBERS) if (at.get(name)) made[name] = Number(at.get(name));
  if (made.prevalence !== undefined) made.prevalence /= 100;
  if (made.level !== undefined) made.level /= 100;
  return made;
}

function links(at) {
  const step = at.get("step") || "file", order = Object.keys(STEPS), file = at.get("file");
  byId("steps").replaceChildren(...order.map((name, place) => {
    const there = name === "file" || (file && (name === "columns" || at.get("confirmed")));
    const link = name === "file" ? new URLSearchParams() : new URLSearchParams(at);
    link.set("step", name);
    const text = `${place + 1} ${STEPS[name]}`;
    return el("li", {}, there
      ? el("a", { href: "#" + link, "aria-current": name === step ? "step" : null }, text) : el("span", { class: "later" }, text));
  }));
  const link = new URLSearchParams(file ? at : "");
  link.set("step", "laboratory");
  byId("doors").replaceChildren(el("li", {}, el("a", { href: "#" + link, "aria-current": step === "laboratory" ? "page" : null }, "Laboratory")));
}

function frame(at, title, ...children) {
  links(at);
  document.title = `${title} - rocsteady`;
  byId("main").replaceChildren(el("h1", { tabindex: "-1" }, title), ...children.flat().filter(Boolean));
}

/* 1: a file, dropped, chosen or pasted. */
function picker(taken) {
  const told = el("div", {});
  const take = async (blob, name) => {
    told.replaceChildren();
    if (blob.size > start.most_bytes) {
      told.replaceChildren(alarm(`${count(blob.size)} bytes are more than a page takes (${count(start.most_bytes)}); name the file in the command instead: rocsteady serve FILE`));
      return;
    }
    try {
      taken(await upload(blob, name));
    } catch (error) {
      told.replaceChildren(alarm(error.message));
    }
  };
  const input = el("input", { type: "file", id: "choose", accept: ".csv,.tsv,.txt,.jsonl,.ndjson,.parquet,.pq,.xlsx,.gz",
    onchange: () => { if (input.files.length) take(input.files[0], input.files[0].name); } });
  const zone = el("label", { class: "drop", for: "choose" }, input, "Drop a file here, or choose one",
    el("small", {}, "CSV, TSV, Parquet, JSON lines or Excel: one row per case, a column of what truly happened (ill or not, paid or not), and a column of scores for each model or test"));
  zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    const [file] = event.dataTransfer.files;
    if (file) take(file, file.name);
  });
  return { zone, told, take };
}

function fileStep(at) {
  const { zone, told, take } = picker((held) => go(new URLSearchParams({ step: "columns", file: held.file, name: held.name })));
  const pasted = el("textarea", { id: "pasted", spellcheck: "false", placeholder: "outcome,old,new\n1,0.9,0.8\n0,0.2,0.4" });
  frame(at, "Which model is better, and at what threshold?",
    told, zone,
    el("details", { class: "card" }, el("summary", {}, "Or paste columns"),
      el("label", { for: "pasted" }, "Columns with their names in the first line, as a spreadsheet copies them"), pasted,
      el("p", {}, el("button", { type: "button", class: "primary", onclick: () => {
        if (pasted.value.trim()) take(new Blob([pasted.value.trimEnd() + "\n"]), pasted.value.includes("\t") ? "pasted.tsv" : "pasted.csv");
        else told.replaceChildren(alarm("Paste some columns first."));
      } }, "Use these"))),
    el("p", { class: "note" }, "Nothing leaves this machine: the page is made here, and what you drop is removed when the server ends."));
  if (start.file) byId("main").append(el("p", {}, el("a", { href: "#" + new URLSearchParams({ step: "columns", file: start.file, name: start.name }) }, "Go on with ", bdi(start.name))));
}

/* 2: what the columns are: proposed with the reason, confirmed by the reader. */
const KINDS = { "whole numbers": "whole numbers", numbers: "numbers", "truth values": "true or false", text: "text" };

function columnsStep(at) {
  const key = at.get("file") + " " + (at.get("delimiter") || "");
  if (seen.has(key)) return showColumns(at, seen.get(key));
  frame(at, at.get("name") || "Columns", el("p", { class: "note" }, "Looking at the columns..."));
  say("looking at the file");
  ask({ do: "look", file: at.get("file"), delimiter: at.get("delimiter") || "" }, (event) => {
    if (event.kind === "preview") {
      seen.set(key, event);
      const now = state();
      if (!now.get("label")) adopt(now, event);
      if (event.delimiter) now.set("delimiter", event.delimiter);
      seen.set(now.get("file") + " " + (now.get("delimiter") || ""), event);
      go(now, { replace: true });
      showColumns(now, event);
    } else if (event.kind === "done") say("");
    else if (event.text) wrong(at, event);
  });
  return null;
}

function adopt(at, told) {
  const { proposed } = told;
  for (const name of ["label", "pos", "weight", "cluster", "fold"]) if (proposed[name]) at.set(name, proposed[name]);
  at.delete("scores");
  proposed.scores.forEach((name) => at.append("scores", name));
  at.delete("classes");
  proposed.classes.forEach((name) => at.append("classes", name));
}

function wrong(at, event) {
  say("");
  frame(at, event.kind === "fault" ? "Something went wrong here" : "This file cannot be used as it is", alarm(event.text),
    el("p", {}, el("a", { href: "#step=file" }, "Take another file")));
  byId("main").querySelector("h1").focus();
}

function backTo(at, step) {
  const link = new URLSearchParams(at);
  link.set("step", step);
  return "#" + link;
}

function roleOf(at, name) {
  if (at.get("label") === name) return "label";
  if (at.getAll("lower").includes(name)) return "lower";
  if (at.getAll("scores").includes(name)) return "score";
  return ["weight", "cluster", "fold", "repeat"].find((role) => at.get(role) === name) || (at.getAll("by").includes(name) ? "by" : "");
}

function setRole(told, name, role) {
  const at = state();
  for (const each of ["label", "weight", "cluster", "fold", "repeat"]) if (at.get(each) === name) at.delete(each);
  for (const each of LISTS) {
    const left = at.getAll(each).filter((other) => other !== name);
    at.delete(each);
    left.forEach((other) => at.append(each, other));
  }
  if (role === "score" || role === "lower") at.append("scores", name);
  if (role === "lower") at.append("lower", name);
  if (role === "by") at.append("by", name);
  if (["label", "weight", "cluster", "fold", "repeat"].includes(role)) at.set(role, name);
  if (role === "label") {
    const column = told.columns.find((each) => each.name === name), values = Object.keys(column.counts);
    at.delete("classes");
    at.delete("pos");
    if (values.length > 2) values.forEach((value) => at.append("classes", value));
    else if (values.length === 2) at.set("pos", values.includes("1") ? "1" : values.includes("true") ? "true" : values.reduce((a, b) => (column.counts[a] <= column.counts[b] ? a : b)));
  }
  go(at, { replace: true });
  showColumns(at, told, "role-" + told.columns.findIndex((each) => each.name === name));
}

function showColumns(at, told, focused) {
  const rows = told.columns.map((column, place) => [
    bdi(column.name),
    el("span", {}, KINDS[column.kind]),
    el("span", {}, column.n_missing ? count(column.n_missing) : "none"),
    el("span", {}, (told.about && !Object.keys(column.counts).length ? "about " : "") + count(column.n_values), el("span", { class: "counts" }, countsOf(column))),
    el("span", {}, told.proposed.reasons[column.name], direction(at, told, column.name)),
    select(ROLES, roleOf(at, column.name), (role) => setRole(told, column.name, role),
      { id: "role-" + place, "aria-label": `What ${column.name} is` }),
  ]);
  const label = told.columns.find((each) => each.name === at.get("label"));
  const lacking = missing(at, told, label);
  frame(at, at.get("name") || "Columns",
    el("p", {}, `${count(told.n_rows)} rows and ${count(told.columns.length)} columns. What is proposed here goes by names and values: please check it.`),
    /^pasted\.[ct]sv$/.test(at.get("name")) ? el("p", { class: "note" }, "What you pasted is a file here. ", el("a", { href: "file/" + at.get("file"), download: at.get("name") }, "Save this file"), ": the command below the answer names it.") : null,
    told.left_out.map((line) => el("p", { class: "note" }, "Left out: " + line)),
    card("What is what?", table({ title: "Columns", header: ["column", "holds", "rows without", "values", "why", "what it is"], rows }, { class: "roles" })),
    label ? labelCard(at, label, told) : null,
    missingCard(at, told),
    told.delimiter || at.get("delimiter") ? el("p", { class: "note" }, `Columns are divided by ${(at.get("delimiter") || told.delimiter) === "\t" ? "tabs" : "\u201c" + (at.get("delimiter") || told.delimiter) + "\u201d"}.`) : null,
    el("details", { class: "card" }, el("summary", {}, "First rows"), table({ title: "First rows", header: told.columns.map((each) => each.name), rows: told.first }, { class: "matrix" })),
    lacking ? el("p", { class: "note", id: "lacking" }, lacking) : null,
    el("p", { class: "row" }, el("button", { type: "button", class: "primary", id: "confirm", disabled: Boolean(lacking), onclick: () => go({ step: "costs", confirmed: "yes" }) }, "These are right")));
  if (focused) byId(focused)?.focus();
}

/* In which direction a score points, where its means tell: never turned without the reader's word. */
function direction(at, told, name) {
  const means = told.means[at.get("label")], pos = at.get("pos");
  if (!means || !means[pos] || !["score", "lower"].includes(roleOf(at, name))) return null;
  const here = means[pos][name], there = Object.entries(means).find(([value]) => value !== pos)?.[1][name];
  if (here === undefined || there === undefined) return null;
  const short = (value) => String(Number(value.toPrecision(4))), odd = (here < there) !== (roleOf(at, name) === "lower") && here !== there;
  return el("small", { class: odd ? "odd" : "counts" }, ` mean ${short(here)} when ${pos}, ${short(there)} otherwise` + (odd ? `: is ${here < there ? "lower" : "higher"} more positive?` : ""));
}

function countsOf(column) {
  const listed = Object.entries(column.counts);
  if (!listed.length) return column.low === null ? "" : `: ${column.low} to ${column.high}`;
  const shown = listed.slice(0, 6).map(([value, rows]) => `${value} (${count(rows)})`).join(", ");
  return ": " + shown + (listed.length > 6 ? ", ..." : "");
}

/* What keeps the reader from going on. */
function missing(at, told, label) {
  if (!label) return "Choose the column that is the label: what truly happened.";
  const values = Object.keys(label.counts), scores = at.getAll("scores");
  if (values.length < 2) return `\u201c${label.name}\u201d has ${values.length ? "one value" : "many values"}: a label has two, or a few classes. Choose another column.`;
  const text = told.columns.find((each) => scores.includes(each.name) && each.kind === "text");
  if (text) return `\u201c${text.name}\u201d holds text: a score has numbers only. Choose another column.`;
  if (!scores.length) return "Choose at least one column of scores: what a model says of each row.";
  if (values.length > 2 && scores.length % values.length) return `${values.length} classes need a column of scores each, and ${scores.length} ${scores.length === 1 ? "is" : "are"} chosen. Choose one per class, or another label.`;
  if (withGaps(at, told).length && !at.get("missing")) return "Some rows have no value: say above whether to leave them out.";
  return "";
}

function labelCard(at, label, told) {
  const values = Object.entries(label.counts);
  const shown = values.map(([value, rows]) => [value, `${value}: ${count(rows)} rows`]);
  if (values.length === 2) {
    return card("Positive class", el("p", { class: "note" }, "The one that the scores are to find: ill, defaulted, fraud. Scores are higher there, unless you said lower."),
      field("Positive when " + label.name + " is", select(shown, at.get("pos") || "", (value) => { go({ pos: value }, { replace: true }); showColumns(state(), told, "pos"); }, { id: "pos" })));
  }
  if (values.length < 2) return null;
  const scores = at.getAll("scores"), classes = at.has("classes") ? at.getAll("classes") : values.map(([value]) => value);
  if (scores.length !== classes.length) return card("Classes", el("p", { class: "note" }, shown.map(([, text]) => text).join(", ")));
  return card("Classes", el("p", { class: "note" }, "Which column holds the scores of which class?"),
    el("div", { class: "row" }, scores.map((score, place) => field(score + " is of", select(shown, classes[place], (value) => {
      const next = [...classes], before = next.indexOf(value);
      if (before >= 0) next[before] = next[place];
      next[place] = value;
      go({ classes: next }, { replace: true });
      showColumns(state(), told);
    })))));
}

const withGaps = (at, told) => told.columns.filter((each) => roleOf(at, each.name) && each.n_missing);

function missingCard(at, told) {
  const used = withGaps(at, told);
  if (!used.length) return null;
  const pick = (value, text) => el("label", {}, el("input", { type: "radio", name: "missing", id: "missing-" + value, value, checked: at.get("missing") === value,
    onchange: () => { go({ missing: value }, { replace: true }); showColumns(state(), told, "missing-" + value); } }), " " + text);
  return card("Rows without a value", el("p", { class: "note" }, used.map((each) => `${each.name}: ${count(each.n_missing)}`).join(", ")),
    el("fieldset", { class: "plain" }, el("legend", { class: "away" }, "Rows without a value"), el("div", { class: "row" },
      pick("drop", "leave incomplete rows out, and count them"), pick("raise", "stop, and list them"))));
}

/* 3: what a mistake costs, and the question in words. */
const split = (at) => Boolean(at.has("classes") || at.get("fold") || at.has("by"));

/* Categories of risk are for scores that are risks, as far as the columns were seen. */
const byRisk = (at) => {
  const told = seen.get(at.get("file") + " " + (at.get("delimiter") || "")), scores = at.getAll("scores");
  const risks = !told || told.columns.every((each) => !scores.includes(each.name) || (each.low >= 0 && each.high <= 1));
  return scores.length > 1 && !split(at) && risks && !at.has("lower");
};

function questionOf(at) {
  const models = at.getAll("scores").map((name) => (at.getAll("lower").includes(name) ? "-" + name : name));
  if (at.has("classes")) return `How well do ${models.join(", ")} tell ${at.getAll("classes").map((name) => (name.includes(",") ? `\u201c${name}\u201d` : name)).join(", ")} apart?`;
  const who = models.length > 1 ? `Which of ${models.slice(0, -1).join(", ")} and ${models.at(-1)}` : models[0];
  const what = `${at.get("label")} = ${at.get("pos") || "1"}`;
  const fp = Number(at.get("cost_fp") || 1), fn = Number(at.get("cost_fn") || 1);
  const cost = fp === fn ? "a miss costs as much as a false alarm" : `a miss costs ${fn} and a false alarm ${fp}`;
  const where = at.get("prevalence") ? ` and ${at.get("prevalence")}% are positive where it is used` : "";
  return `${models.length > 1 ? who + " should decide about" : "At what threshold should " + who + " flag"} ${what}, if ${cost}${where}?`;
}

function costFields(changed) {
  const at = state(), made = (name, label, hint, more = {}) => field(label, el("input", { type: "number", id: name, min: "0", step: "any", value: at.get(name) || "", onchange: (event) => changed(name, event.target), ...more }), hint);
  const models = at.getAll("scores").map((name) => (at.getAll("lower").includes(name) ? "-" + name : name));
  return el("div", { class: "row" },
    at.has("classes") ? null : [
      made("cost_fp", "A false alarm costs", null, { placeholder: "1" }), made("cost_fn", "A miss costs", null, { placeholder: "1" }),
      made("prevalence", "Positive where it is used, in %", null, { max: "100", placeholder: "as in the rows" })],
    made("level", "Confidence, in %", null, { placeholder: "95", max: "99.9", min: "50" }),
    models.length > 1 && !at.has("classes") ? field("Compare with", select([["", "the runner-up"], ...models.map((each) => [each, each])], at.get("baseline") || "", (value) => changed("baseline", { value }), { id: "baseline" })) : null,
    byRisk(at) ? field("Risk categories", el("input", { type: "text", id: "cutoffs", value: at.get("cutoffs") || "", placeholder: "0.2,0.5", onchange: (event) => changed("cutoffs", event.target) })) : null);
}

function costsStep(at) {
  if (changed && changed.get("file") === at.get("file")) {
    const now = changed;
    [changed, at] = [null, state()];
    for (const name of [...NUMBERS, "baseline", "cutoffs"]) if (now.get(name)) at.set(name, now.get(name)); else at.delete(name);
    go(at, { replace: true });
  }
  const words = el("p", { class: "question", "aria-live": "polite" }, questionOf(at));
  const taken = (name, input) => { if (valid(input)) { go({ [name]: input.value }, { replace: true }); words.textContent = questionOf(state()); } };
  const fields = costFields(taken);
  fields.addEventListener("input", (event) => { if (event.target.type === "number" && event.target.checkValidity()) taken(event.target.id, event.target); });
  fields.addEventListener("keydown", (event) => { if (event.key === "Enter" && event.target.tagName === "INPUT") { taken(event.target.id, event.target); if (event.target.checkValidity()) byId("decide").click(); } });
  frame(at, "What is at stake?",
    card(null, fields,
      el("p", { class: "note" }, (at.has("classes") ? "" : "Money, harm or effort: only how the two costs compare matters. ") + "Leave a field empty for what is said in it." + (byRisk(at) ? " Risk categories, between commas, ask who moves between them (NRI)." : ""))),
    words,
    el("p", { class: "row" }, el("button", { type: "button", class: "primary", id: "decide", onclick: () => go({ step: "answer" }) }, "Get the decision")));
}

function valid(input) {
  const fine = !input.checkValidity || input.checkValidity();
  if (input.toggleAttribute) input.setAttribute("aria-invalid", String(!fine));
  if (!fine) say(input.validationMessage);
  return fine;
}

/* 4: the page in parts: verdict, intervals, the rest. */
function answerStep(at) {
  const words = el("p", { class: "question" }, questionOf(at));
  const verdict = el("div", { id: "verdict", "aria-live": "polite" }), intervals = el("div", { id: "intervals" });
  const lines = el("details", { class: "card", id: "lines", hidden: true }, el("summary", {}, "Make it again: the command, and the Python lines"));
  const alone = el("a", { id: "alone", target: "_blank", rel: "noopener" }, "Open it in a tab of its own");
  const exports = el("p", { class: "buttons", id: "exports", hidden: true }, el("span", {}, "Save: "), [["html", "Page (HTML)"], ["csv", "Tables (CSV)"]].map(([form, text]) =>
    el("button", { type: "button", id: "save-" + form, onclick: () => save(form) }, text)), " ", alone);
  const again = el("details", { class: "card", id: "change" }, el("summary", {}, "Other costs, prevalence or confidence"),
    costFields((name, input) => { if (valid(input)) { go({ [name]: input.value }, { replace: true }); changed = state(); links(changed); words.textContent = questionOf(changed); compute(); } }));
  const told = el("div", {});
  const compute = () => {
    if (byId("page")) showPage(null);
    verdict.hidden = intervals.hidden = false;
    told.replaceChildren();
    verdict.replaceChildren();
    intervals.replaceChildren();
    byId("main").dataset.done = "";
    lines.hidden = exports.hidden = true; // those of the answer before
    say("reading and ranking the rows");
    ask({ do: "answer", file: at.get("file"), asked: asked(state()) }, (event) => {
      if (event.kind === "verdict") { showVerdict(verdict, event); say("intervals follow"); }
      else if (event.kind === "table") { intervals.replaceChildren(card(event.title, event.text ? el("p", { class: "note" }, event.text) : null, table(event))); say("the page follows"); }
      else if (event.kind === "lines") { lines.hidden = false; lines.replaceChildren(lines.firstChild, code("In a shell", event.command), code("In Python", event.python)); }
      else if (event.kind === "page") { showPage(event.id); verdict.hidden = intervals.hidden = true; exports.hidden = false; alone.href = "page/" + event.id; }
      else if (event.kind === "done") { say("Done."); byId("main").dataset.done = "yes"; }
      else if (event.text) { say(""); lines.hidden = true; verdict.replaceChildren(); intervals.replaceChildren(); told.replaceChildren(alarm(event.text, " ", el("a", { href: backTo(state(), "columns") }, "Back to the columns"), ", or ", el("a", { href: backTo(state(), "costs") }, "to the costs"))); }
    });
  };
  const save = (form) => {
    say("writing");
    ask({ do: "export", file: at.get("file"), form, asked: asked(state()) }, (event) => {
      if (event.kind === "file") {
        const link = el("a", { href: "file/" + event.id, download: event.name });
        document.body.append(link);
        link.click();
        link.remove();
      } else if (event.kind === "done") say("Saved.");
      else if (event.text) { say(""); told.replaceChildren(alarm(event.text)); }
    });
  };
  const page = [verdict, intervals, pageFrame("The whole answer")], rest = [again, exports, lines];
  frame(at, at.get("name") || "Answer", words, turned(at), told, matchMedia("(max-width: 640px)").matches ? [page, rest].flat() : [rest, page].flat());
  compute();
}

const MARKS = { yes: "\u2713", no: "\u2717", partly: "~" };
function showVerdict(place, told) {
  const [first, ...rest] = told.lines;
  place.replaceChildren(...[
    ...told.alarms.map((line) => alarm(line)),
    el("p", { class: "verdict" }, first || ""),
    told.checks.length ? el("ul", { class: "checks" }, told.checks.map((check) => el("li", { class: "check " + check.answer },
      el("span", { class: "mark", "aria-hidden": "true" }, MARKS[check.answer] || "?"),
      el("span", {}, el("b", {}, check.question), " " + check.answer, el("br"), el("small", {}, check.text))))) : null,
    rest.length ? el("ul", { class: "why" }, rest.map((line) => el("li", {}, bdi(line)))) : null,
    told.table ? card(told.table.title, table(told.table)) : null,
  ].filter(Boolean));
}

const ROUTES = { file: fileStep, columns: columnsStep, costs: costsStep, answer: answerStep, laboratory: (at) => laboratory(at, { frame, go }) };

function render() {
  if (!location.hash.includes("=") && location.hash.length > 1) return; // a place within the page
  const at = state(), step = at.get("step") || "file";
  stop();
  say("");
  byId("main").dataset.done = "";
  if (ROUTES[step] && (["file", "laboratory"].includes(step) || at.get("file"))) ROUTES[step](at);
  else fileStep(new URLSearchParams());
  byId("main").querySelector("h1")?.focus();
}

addEventListener("hashchange", render);
addEventListener("dragover", (event) => event.preventDefault()); // a file that misses the field opens nothing
addEventListener("drop", (event) => event.preventDefault());
start = await (await fetch("start")).json();
if (!location.hash && start.file) go(new URLSearchParams({ step: "columns", file: start.file, name: start.name }), { replace: true });
render();
document.documentElement.dataset.ready = "yes";
