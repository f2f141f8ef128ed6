/* Small parts of a page. Text becomes text nodes, never markup. */
export const token = location.pathname;

export function el(name, given = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "value") made.value = value;
    else made.setAttribute(key === "class" ? "class" : key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export const count = (number) => String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
export const bdi = (text) => el("bdi", {}, String(text));
export const byId = (id) => document.getElementById(id);

export function card(title, ...children) {
  return el("section", { class: "card" }, title ? el("h2", {}, title) : null, ...children);
}

/* A table as the report has it: roles are said, since a narrow screen lays cells out one below the other. */
export function table(told, given = {}) {
  const head = told.header.map((name) => el("th", { scope: "col", role: "columnheader" }, bdi(name)));
  const body = told.rows.map((row) => el("tr", { role: "row" }, row.map((cell, place) => {
    if (!place) return el("th", { scope: "row", role: "rowheader" }, cell instanceof Node ? cell : bdi(cell));
    if (cell instanceof Node) return el("td", { role: "cell", "data-label": told.header[place] }, cell);
    const [value, ...ends] = String(cell).split(" [");
    const small = ends.length ? el("small", {}, " [" + ends.join(" [")) : null;
    return el("td", { role: "cell", "data-label": told.header[place] }, value, small);
  })));
  const made = el("table", { role: "table", ...given },
    el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, head)), el("tbody", { role: "rowgroup" }, body));
  return el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": told.title || told.header.join(", ") }, made);
}

let made = 0;
/* A field with its label; `hint` stands below it. */
export function field(label, input, hint) {
  made += 1;
  input.id ||= "field" + made;
  return el("span", { class: "field" }, el("label", { for: input.id }, label), input, hint ? el("small", {}, hint) : null);
}

export function select(options, chosen, onchange, given = {}) {
  const boxes = options.map(([value, text]) => el("option", { value, selected: value === chosen }, text));
  return el("select", { onchange: (event) => onchange(event.target.value), ...given }, boxes);
}

/* What thresholds of negated scores are in the reader's own numbers. */
export function turned(at) {
  return at.getAll("lower").map((name) => el("p", { class: "note turned" }, bdi(name), ": lower is more positive, so its sign is turned, and it is called ", bdi("-" + name),
    ". A threshold of at least -5 would be ", bdi(name), " of 5 or less; above -5, below 5."));
}

let ticking = null;
/* What is being done: with how far it is, or else for how long already. What ends with a full stop is done. */
export function say(text, share) {
  clearInterval(ticking);
  const bar = share === undefined ? null : el("progress", { max: "1", value: share, "aria-label": text });
  const waited = el("span", { class: "waited", "aria-hidden": "true" }), since = Date.now();
  byId("status").replaceChildren(...[text, bar, text && !bar ? waited : null].filter((each) => each !== null && each !== ""));
  if (text && !bar && !text.endsWith(".")) ticking = setInterval(() => { waited.textContent = ` ${Math.round((Date.now() - since) / 1000)} s`; }, 1000);
}

export function alarm(text, ...more) {
  return el("p", { class: "alarm", role: "alert" }, text, ...more);
}

/* A question to the server: events one by one; leaving, or asking again, ends the work. */
let current = null;
export function stop() {
  if (current) current.abort();
  current = null;
}

export async function ask(question, heard) {
  stop();
  const mine = current = new AbortController();
  const quiet = (event) => { if (current === mine) heard(event); };
  try {
    const answer = await fetch("ask", { method: "POST", body: JSON.stringify(question), signal: mine.signal });
    if (!answer.ok) return quiet(await answer.json());
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "", ended = false;
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        const event = JSON.parse(line);
        ended ||= ["done", "refused", "fault"].includes(event.kind);
        if (event.kind === "progress") { if (current === mine) say(event.what, event.share); } else quiet(event);
      }
    }
    if (!ended) quiet({ kind: "refused", text: "The server has gone. Start it again: rocsteady serve" });
  } catch (error) {
    if (error.name !== "AbortError") quiet({ kind: "refused", text: "The server has gone. Start it again: rocsteady serve" });
  } finally {
    if (current === mine) { current = null; }
  }
  return null;
}

export function upload(blob, name) {
  return new Promise((done, refused) => {
    const sent = new XMLHttpRequest();
    sent.open("POST", "upload");
    sent.setRequestHeader("X-Name", encodeURIComponent(name));
    sent.upload.addEventListener("progress", (event) => say("taking the file", event.total ? event.loaded / event.total : 0));
    sent.addEventListener("load", () => {
      say("");
      const told = JSON.parse(sent.responseText);
      if (sent.status === 200) done(told); else refused(new Error(told.text));
    });
    sent.addEventListener("error", () => { say(""); refused(new Error("The file was not taken: the server has gone, or refused it.")); });
    sent.send(blob);
  });
}

/* A page of the answer, without this origin and its token. A new frame for each: one that goes from page to page would
   fill the history, and the way back would lead through it. */
export function pageFrame(title, id) {
  return el("iframe", { class: "answer-page", id: "page", title, src: id ? "page/" + id : null, hidden: !id,
    sandbox: "allow-scripts allow-downloads allow-modals", allow: "clipboard-write" });
}

export function showPage(id) {
  byId("page").replaceWith(pageFrame(byId("page").title, id));
}

export function copied(text) {
  const box = el("textarea", {}, text);
  document.body.append(box);
  box.select();
  document.execCommand("copy");
  box.remove();
  say("Copied.");
}

export function code(title, text) {
  return el("div", {}, el("h3", {}, title), el("pre", { tabindex: "0", role: "group", "aria-label": title }, text),
    el("button", { type: "button", onclick: () => copied(text) }, "Copy", el("span", { class: "away" }, " " + title)));
}
