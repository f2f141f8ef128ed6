/* The laboratory: score sets as papers write them. */
import { alarm, ask, byId, card, code, el, field, pageFrame, say, showPage } from "./parts.js";

function lines(event) {
  return el("details", { class: "card" }, el("summary", {}, "Make it again"),
    event.command ? code("In a shell", event.command) : null, event.python ? code("In Python", event.python) : null);
}

export function laboratory(at, { frame, go }) {
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
