/* Other questions behind the same door: two files, a promise, a plan, the laboratory. */
import { alarm, ask, bdi, byId, card, code, count, el, field, pageFrame, say, select, showPage, turned } from "./parts.js";

function lines(event) {
  return el("details", { class: "card" }, el("summary", {}, "Make it again"),
    event.command ? code("In a shell", event.command) : null, event.python ? code("In Python", event.python) : null);
}

/* Two files, joined by id: who moves between risk categories. */
function join(at, { frame, go, picker }) {
  const taken = (name, held) => { // what was said of the columns was about the file before
    const kept = ["step", "other", "other_name", "id", "unmatched", ...(name === "file" ? [] : [...at.keys()])], next = new URLSearchParams([...at].filter(([each]) => kept.includes(each)));
    for (const [each, value] of [[name, held?.file], [name === "file" ? "name" : "other_name", held?.name]]) if (value) next.set(each, value); else next.delete(each);
    go(next);
  };
  const told = el("div", {}), files = ["file", "other"].map((name, place) => {
    const title = place ? "The new model's file" : "The old model's file";
    if (at.get(name)) {
      return card(title, el("p", {}, bdi(at.get(name === "file" ? "name" : "other_name")), " ", el("button", { type: "button", onclick: () => taken(name) }, "Another file")));
    }
    const pick = picker((held) => taken(name, held), "choose-" + name);
    return card(title, pick.told, pick.zone);
  });
  const id = el("input", { type: "text", id: "id", value: at.get("id") || "id", onchange: (event) => go({ id: event.target.value }, { replace: true }) });
  const both = at.get("file") && at.get("other");
  const run = () => {
    say("joining");
    const now = new URLSearchParams(location.hash.slice(1));
    ask({ do: "join", file: at.get("file"), delimiter: at.get("delimiter") || "", other: at.get("other"), asked: { id: id.value.trim(), unmatched: now.get("unmatched") || "raise" } }, (event) => {
      if (event.kind === "joined") {
        const next = new URLSearchParams({ step: "columns", file: event.file, name: event.name });
        told.replaceChildren(card("Joined", el("p", {}, `${count(event.rows)} rows.`), el("ul", {}, event.notes.map((note) => el("li", {}, bdi(note)))),
          el("p", { class: "row" }, el("a", { href: "#" + next, class: "go-on", id: "go-on" }, "Go on to its columns"), el("a", { href: "file/" + event.file, download: event.name }, "Save the joined file"))));
        byId("go-on").focus();
      } else if (event.kind === "done") say("");
      else if (event.text) { say(""); told.replaceChildren(alarm(event.text)); }
    });
  };
  frame(at, "Two files about the same rows", el("p", {}, "Each file has one row per subject, a column that names the subject, and its model's scores; one of them, or both, the label. Name risk categories in the third step, and the answer says who moves between them (NRI, IDI)."),
    el("div", { class: "grid" }, files), both ? card(null, el("div", { class: "row" }, field("Column that names the subject", id),
      field("Subjects of one file only", select([["", "refuse, and say which"], ["drop", "leave them out"]], at.get("unmatched") || "", (value) => go({ unmatched: value }, { replace: true }))),
      el("button", { type: "button", class: "primary", id: "join", onclick: run }, "Join"))) : null, told);
}

/* A threshold that keeps a promise. */
const RATES = [["fpr", "false alarms among negatives (false positive rate), at most"], ["recall", "positives that are found (recall, sensitivity), at least"], ["precision", "positives among those flagged (precision), at least"], ["fdr", "false alarms among those flagged (false discovery rate), at most"]];
const SUGGESTED = { fpr: "5", recall: "90", precision: "50", fdr: "50" };

function promise(at, { frame, go, asked }) {
  if (!at.get("file") || !at.get("label") || !at.has("scores")) {
    frame(at, "A threshold that keeps a promise", el("p", {}, "For example: at most 5% false alarms. First say what the columns of a file are; then come back here."), el("p", {}, el("a", { href: at.get("file") ? "#" + new URLSearchParams({ step: "columns", file: at.get("file"), name: at.get("name") || "" }) : "#step=file" }, at.get("file") ? "To its columns" : "Take a file")));
    return;
  }
  if (at.has("classes")) {
    frame(at, "A threshold that keeps a promise", el("p", {}, "A promise is about two classes, and this label has more. Choose a label of two values in step 2."));
    return;
  }
  const told = el("div", { "aria-live": "polite" });
  const rate = select(RATES, at.get("rate") || "fpr", (value) => { bound.value = SUGGESTED[value]; go({ rate: value, bound: bound.value }, { replace: true }); }, { id: "rate" });
  const bound = el("input", { type: "number", id: "bound", min: "0", max: "100", step: "any", value: at.get("bound") || SUGGESTED[rate.value], onchange: (event) => go({ bound: event.target.value }, { replace: true }) });
  const run = () => {
    say("working");
    told.replaceChildren();
    const said = { ...asked(new URLSearchParams(location.hash.slice(1))), rate: rate.value, bound: Number((Number(bound.value) / 100).toPrecision(12)) };
    ask({ do: "promise", file: at.get("file"), asked: said }, (event) => {
      if (event.kind === "promise") told.append(card(event.model, el("p", { class: "said" }, event.text)));
      else if (event.kind === "lines") told.append(lines(event));
      else if (event.kind === "done") say("Done.");
      else if (event.text) { say(""); told.replaceChildren(alarm(event.text)); }
    });
  };
  frame(at, "A threshold that keeps a promise", el("p", {}, "On new rows like these the true rate stays within the bound, in all but 5 of 100 samples that could have been drawn (or what you set as confidence)."),
    card(null, el("div", { class: "row" }, field("Keep the", rate), field("bound, in %", bound), el("button", { type: "button", class: "primary", id: "promise", onclick: run }, "Find the threshold"))), turned(at), told);
}

/* How many rows a study needs. */
const MEASURES = [["auc", "AUC"], ["sensitivity", "sensitivity"], ["specificity", "specificity"], ["accuracy", "accuracy"]];
const PLANS = {
  width: ["An interval that is short enough", [["measure", "Of the", MEASURES], ["value", "expected to be", "0.8"], ["width", "as wide as", "0.1"], ["prevalence", "share of positives", "20%"]]],
  difference: ["To tell two models apart by AUC", [["auc", "AUC of the first", "0.85"], ["second_auc", "of the second", "0.8"], ["power", "power (chance to find it)", "80%"], ["ratio", "negatives per positive", "1"], ["corr_pos", "correlation of the two scores in positives", "0.5"], ["corr_neg", "in negatives", "0.5"]]],
  goal: ["To show that a goal is met", [["measure", "Of the", MEASURES.slice(0, 3)], ["value", "truly", "0.87"], ["above", "goal: above", "0.8"], ["power", "power (chance to find it)", "80%"]]],
  validation: ["To validate a model of risks", [["prevalence", "share of positives", "10%"], ["auc", "AUC expected", "0.8"]]],
  calls: ["To tell two yes-or-no tests apart", [["difference", "difference in being right", "5%"], ["discordant", "share of rows where they differ", "20%"], ["power", "power (chance to find it)", "80%"]]],
};

function plan(at, { frame, go }) {
  const chosen = PLANS[at.get("plan")] ? at.get("plan") : "width", told = el("div", { "aria-live": "polite" });
  const fields = PLANS[chosen][1].map(([name, label, given]) => Array.isArray(given)
    ? field(label, select(given, at.get("p_" + name) || given[0][0], (value) => go({ ["p_" + name]: value }, { replace: true }), { id: "p_" + name }))
    : field(label, el("input", { type: "text", inputmode: "decimal", id: "p_" + name, value: at.has("p_" + name) ? at.get("p_" + name) : given, onchange: (event) => go({ ["p_" + name]: event.target.value }, { replace: true }) })));
  const run = () => {
    say("working");
    const said = { plan: chosen };
    for (const [name] of PLANS[chosen][1]) said[name] = byId("p_" + name).value;
    ask({ do: "plan", asked: said }, (event) => {
      if (event.kind === "text") told.replaceChildren(card("Answer", el("p", { class: "said", id: "planned" }, event.text)));
      else if (event.kind === "lines") told.append(lines(event));
      else if (event.kind === "done") say("Done.");
      else if (event.text) { say(""); told.replaceChildren(alarm(event.text)); }
    });
  };
  frame(at, "How many rows do I need?", card(null, el("p", { class: "note" }, "Shares may be written as 20% or as 0.2."),
    el("p", {}, field("I want", select(Object.entries(PLANS).map(([name, [title]]) => [name, title.toLowerCase()]), chosen, (value) => {
      const next = new URLSearchParams([...at].filter(([name]) => !name.startsWith("p_")));
      next.set("plan", value);
      go(next);
    }, { id: "plan" }))),
    el("div", { class: "row" }, fields), el("p", {}, el("button", { type: "button", class: "primary", id: "work-out", onclick: run }, "Work it out"))), told);
}

/* The laboratory: score sets as papers write them. */
function laboratory(at, { frame, go }) {
  const keep = (name) => (event) => go({ [name]: event.target.type === "checkbox" ? (event.target.checked ? "1" : "") : event.target.value }, { replace: true });
  const sets = el("textarea", { id: "sets", spellcheck: "false", onchange: keep("sets") }, at.get("sets") || "1.0p 0.9p 0.8p 0.2n 0.1n 0.0n\n0.9p 0.8n 0.7p 0.4p 0.3n 0.1n");
  const text = (name, placeholder) => el("input", { type: "text", id: name, value: at.get(name) || "", placeholder, onchange: keep(name) });
  const told = el("div", {});
  const measures = text("measures", "all"), sweep = text("sweep", "n=0.01,0.05,0.1"), range = text("range_steps", "none");
  const all = el("input", { type: "checkbox", id: "distribution", checked: Boolean(at.get("distribution")), onchange: keep("distribution") });
  const run = () => {
    say("working");
    told.replaceChildren();
    showPage(null);
    const said = { sets: sets.value, measures: measures.value.trim(), sweep: sweep.value.trim(), range_steps: range.value.trim(), distribution: all.checked };
    ask({ do: "laboratory", asked: said }, (event) => {
      if (event.kind === "page") { showPage(event.id); told.append(el("p", {}, el("a", { href: "file/" + event.id, download: event.name }, "Save the page"))); }
      else if (event.kind === "lines") told.append(lines(event));
      else if (event.kind === "done") { say("Done."); byId("main").dataset.done = "yes"; }
      else if (event.text) { say(""); told.replaceChildren(alarm(event.text)); }
    });
  };
  frame(at, "The laboratory: what do measures make of score sets?", card(null,
    el("label", { for: "sets" }, "Score sets, one per line: scores with p for positive, n for negative"), sets,
    el("div", { class: "row" }, field("Measures", measures), field("Sweep", sweep), field("Narrow ranges in steps", range),
      el("span", { class: "field" }, all, el("label", { for: "distribution" }, "all labellings of every set"))),
    el("p", {}, el("button", { type: "button", class: "primary", id: "measure", onclick: run }, "Measure"))), told, pageFrame("The laboratory's page"));
}

export const DOORS = {
  join: { title: "Two files", show: join, keeps: true },
  promise: { title: "At most 5% false alarms?", show: promise, keeps: true },
  plan: { title: "Sample size", show: plan, keeps: true },
  laboratory: { title: "Laboratory", show: laboratory, keeps: true },
};
