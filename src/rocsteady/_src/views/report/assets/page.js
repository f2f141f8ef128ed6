/* Counts are looked up; only what follows from the reader's costs and prevalence is computed here, by the formulas of
   evaluation/decision.py. Text enters the page as text, never as markup. */
const data = JSON.parse(document.getElementById("data").textContent);
const views = {};
const hidden = new Set(data.models.filter((model) => !model.shown).map((model) => model.name));
const given = data.situation;
let selected = given ? given.model : data.models.length ? data.models[0].name : "";
let now = given ? { fp: given.cost_fp, fn: given.cost_fn, share: given.prevalence } : null;
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
function together(value, low, high, least = 4) {
  const all = [value, low, high], half = (high - low) / 2;
  if (!all.every(known) || Math.max(...all.map(Math.abs)) >= 1e3) return all.map(number);
  const wanted = half > 0 ? Math.max(least, 1 + Math.ceil(-Math.log10(half))) : least;
  const digits = Math.max(...all.map((each) => decimalsOf(each, wanted)));
  return digits > 12 ? all.map(number) : all.map((each) => fixed(each, digits));
}

/* So many of 1,000 cases, and money: the rules of results/cases.py. */
function digits(value, n) {
  const text = value.toPrecision(n), power = Math.floor(Math.log10(Math.abs(Number(text)))), decimals = n - 1 - power;
  if (power >= -4 && power < n && decimals <= 20) return String(Number(fixed(value, decimals)));
  if (power >= -4 && power < n) return String(Number(text));
  const [mantissa, exponent] = value.toExponential(n - 1).split("e");
  return String(Number(mantissa)) + "e" + exponent[0] + exponent.slice(1).padStart(2, "0");
}

/* Halves go to the even number, as Python's do. */
function rounded(value) {
  const low = Math.floor(value), rest = value - low;
  return rest === 0.5 ? (low % 2 ? low + 1 : low) : Math.round(value);
}

const TRACE = 1e-9;

/* Of how many cases to speak: 1,000, or ten times as many until the rarer class has ten. */
function unitOf(share) {
  let unit = 1000;
  while (unit * Math.min(share, 1 - share) < 10 - TRACE && unit < 1e9) unit *= 10;
  return unit;
}

const roundedTo = (value, decimals) => Math.floor(value * 10 ** decimals + 0.5 + TRACE) / 10 ** decimals;

/* Found and missed make up all positives. */
function shownCounts(one, decimals) {
  const missed = roundedTo(one.missed, decimals), positives = roundedTo(one.found + one.missed, decimals);
  return [roundedTo(positives - missed, decimals), missed, roundedTo(one.alarms, decimals)];
}

/* The fewest decimals with which shown counts make up the cost, in every course. */
function decimalsFor(courses) {
  const adds = (one, decimals) => {
    const shown = shownCounts(one, decimals), exact = [one.found, one.missed, one.alarms];
    const told = shown[1] * now.fn + shown[2] * now.fp;
    return shown.every((each, i) => each > 0 || exact[i] < TRACE) && Math.abs(told - one.cost) <= 0.002 * one.cost + TRACE * (now.fp + now.fn);
  };
  return [0, 1].find((decimals) => courses.every((one) => adds(one, decimals))) ?? 2;
}

function money(value) {
  const size = Math.abs(value), sign = value < 0 ? "-" : "", cents = roundedTo(size, 2);
  if (size < 1e6 && Math.abs(size - cents) <= 1e-6 && (cents || !size)) {
    const [whole, rest] = cents.toFixed(2).split("."), short = rest.replace(/0+$/, "");
    return sign + count(Number(whole)) + (short ? "." + short : "");
  }
  return sign + (size >= 999.5 ? count(roundedTo(size, 0)) : digits(size, 4));
}

/* A p-value: three digits; rounding never moves it to the other side of 0.05 or 0.01. */
function pWords(p) {
  const levels = [0.001, 0.01, 0.05];
  if (Number.isNaN(p)) return "p undefined";
  if (p < 0.001) return "p < 0.001";
  if (p >= 0.9995 && p < 1) return "p > 0.999";
  let decimals = p >= 0.05 ? 3 : 4;
  while (decimals < 12 && levels.some((at) => (p < at) !== (Number(p.toFixed(decimals)) < at))) decimals += 1;
  return "p = " + fixed(p, decimals);
}

/* A number as a box shows it. */
const tidy = (value) => Number(value.toPrecision(7));

/* A share as pages keep it: to six decimals. */
function six(value) { return Number.isFinite(value) ? Number(value.toFixed(6)) : null; }

/* Columns, whose repeated texts are listed once, become records. */
function unpack(columns) {
  const names = Object.keys(columns);
  if (!names.length) return [];
  const codes = ({ codes, runs }) => codes || runs.flatMap((code, i) => (i % 2 ? [] : Array(runs[i + 1]).fill(code)));
  const whole = names.map((name) => (Array.isArray(columns[name]) ? columns[name] : codes(columns[name]).map((code) => columns[name].values[code])));
  return whole[0].map((_, i) => ({ i, ...Object.fromEntries(names.map((name, k) => [name, whole[k][i]])) }));
}

/* A data set that charts share is unpacked for each: Vega writes into it. */
const sets = (place) => unpack(data.sets[place]);

function element(name, text, more) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return Object.assign(made, more || {});
}

/* A cell of a table; the interval of an estimate in small letters. */
function cell(text) {
  const [estimate, interval] = String(text).split(/ (?=\[.*\]$)/), made = element("td", estimate + (interval ? " " : ""), { role: "cell" });
  if (interval) made.append(element("small", interval));
  return made;
}

/* On a narrow screen each cell says what it is. */
function labelled(cell, name) { cell.dataset.label = name; return cell; }

function table(header, rows) {
  const made = element("table", undefined, { role: "table", className: header[0].includes("\\") ? "matrix" : "" }), head = element("thead", undefined, { role: "rowgroup" });
  const line = element("tr", undefined, { role: "row" }), body = element("tbody", undefined, { role: "rowgroup" });
  const whole = (i) => rows.every((cells) => !known(cells[i]) || Number.isInteger(cells[i]));
  const forms = header.map((name, i) => name === "threshold" ? limit : whole(i) ? count : number);
  header.forEach((name) => line.append(element("th", name, { scope: "col", role: "columnheader" })));
  head.append(line);
  rows.forEach((cells) => {
    const row = element("tr", undefined, { role: "row" });
    cells.forEach((one, i) => row.append(i ? labelled(cell(forms[i](one)), header[i])
      : element("th", forms[i](one), { scope: "row", role: "rowheader" })));
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

/* A threshold that was typed, as columns of one position; null where the slider says which. */
let typedAt = null;

/* Columns and the place in them of the threshold that is shown. */
function spot() { return typedAt && typedAt.model === selected ? [typedAt.columns, 0] : [data.operating[selected], position()]; }

function operatingRecord() {
  const [columns, place] = spot(), record = { model: selected };
  Object.keys(columns).forEach((name) => { if (Array.isArray(columns[name])) record[name] = columns[name][place]; });
  return record;
}

/* Whole numbers of seven bits to a byte, the lowest first: views/report/every_threshold.py writes them. */
function wholes(text) {
  const found = [];
  let value = 0, unit = 1;
  for (const byte of Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))) {
    value += (byte & 127) * unit;
    unit *= 128;
    if (byte < 128) { found.push(value); value = 0; unit = 1; }
  }
  return found;
}

/* Thresholds from the lowest up with the rows that reach each, of either class; unpacked when first asked for. */
function everyThreshold(columns) {
  if (columns.held) return columns.held;
  const { every } = columns, rows = (told) => (Array.isArray(told) ? told : wholes(told));
  if (!every) {
    const [cuts, whole] = [columns.threshold.map(numeric), columns.threshold.length > columns.distinct];
    return (columns.held = { cuts, whole, tp: columns.tp, fp: columns.fp });
  }
  const upTo = (counts) => { const sums = Array(counts.length); let sum = 0; for (let i = counts.length - 1; i >= 0; i -= 1) sums[i] = sum += counts[i]; return sums; };
  const scores = () => new Float64Array(Uint8Array.from(atob(every.doubles), (letter) => letter.charCodeAt(0)).buffer);
  let last = every.first;
  const decimals = () => [last, ...wholes(every.gaps).map((gap) => (last += gap))].map((whole) => whole / 10 ** every.decimals);
  const cuts = "doubles" in every ? [...scores()] : decimals();
  return (columns.held = { cuts, whole: every.whole, tp: upTo(rows(every.positives)), fp: upTo(rows(every.negatives)) });
}

/* Counts at a typed threshold: exact, or else those at the next that is held. */
function countsAt(columns, value) {
  const { cuts, whole, tp, fp } = everyThreshold(columns), found = cuts.findIndex((cut) => cut >= value), place = found < 0 ? cuts.length : found;
  const at = (counts, i) => (i < counts.length ? counts[i] : 0), here = [at(tp, place), at(fp, place)];
  const same = place === 0 || (tp[place - 1] === here[0] && fp[place - 1] === here[1]);
  const exact = whole || same || cuts[place] === value, shown = exact ? value : place < cuts.length ? cuts[place] : Infinity;
  return { tp: here[0], fp: here[1], exact, shown };
}

const ends = (record, name) => together(record[name], record[name + "_low"], record[name + "_high"]);

function update(id, change) {
  const view = views[id];
  if (view) { change(view); view.runAsync(); }
}

/* What happens to so many cases at a recall and a false positive rate. */
function course(recall, alarmed) {
  const unit = unitOf(now.share), positives = unit * now.share, negatives = unit * (1 - now.share);
  const missed = positives * (1 - recall), alarms = negatives * alarmed;
  return { found: positives * recall, missed, alarms, cost: missed * now.fn + alarms * now.fp };
}

const ratesAt = (columns, i) => [
  columns.tp[i] / (columns.tp[i] + columns.fn[i]), columns.fp[i] / (columns.fp[i] + columns.tn[i])];

/* The highest of the cheapest thresholds; differences of rounding are none. */
function cheapest(columns) {
  const cost = (i) => { const [r, f] = ratesAt(columns, i); return now.share * now.fn * (1 - r) + (1 - now.share) * now.fp * f; };
  const costs = columns.tp.map((_, i) => cost(i)), least = Math.min(...costs);
  for (let i = costs.length - 1; i >= 0; i -= 1) if (costs[i] <= least + 1e-14 * Math.abs(least)) return i;
  return columns.start;
}

const asGiven = () => now.fp === given.cost_fp && now.fn === given.cost_fn && now.share === given.prevalence;
let decisionValues = null, firstNote = "", madeRows = null, madeChecks = null, costLines = null, costTitle = "", shownDecimals = given ? given.decimals : 0;
const ofCases = () => count(unitOf(now.share)) + " cases";

/* Every course again, in the reader's situation; what the page was made with is put back as it was. */
function decide() {
  const body = byId("table-decision").tBodies[0], back = asGiven();
  if (!madeRows) {
    madeRows = [...body.rows].map((row) => row.cloneNode(true));
    madeChecks = Object.fromEntries([...document.querySelectorAll("[data-check]")].map((card) =>
      [card.dataset.check, [card.className.split(" ").at(-1), card.querySelector("bdi").textContent]]));
    costTitle = byId("cost-differences-title") ? byId("cost-differences-title").textContent : "";
  }
  byId("as-given").hidden = !back;
  byId("as-typed").hidden = back;
  byId("table-decision").tHead.rows[0].cells[0].textContent = "of " + ofCases();
  if (!firstNote) firstNote = byId("decision-note").textContent;
  byId("decision-note").textContent = back ? firstNote : "Every model at its own threshold of least cost on these rows, where a false alarm costs " + number0(now.fp)
    + " and a miss " + number0(now.fn) + ", and " + number0(100 * now.share) + "% of cases are positive."
    + (data.again.stratified || now.share !== given.sample ? " Recall and false positive rate are taken to be there what they are on these rows." : "");
  decisionValues = null;
  if (!back) { decideAgain(body); return; }
  shownDecimals = given.decimals;
  if (costLines) drawCosts(costTitle, costLines.map((line) => ({ ...line })));
  body.replaceChildren(...madeRows.map((row) => row.cloneNode(true)));
  byId("verdict").textContent = given.text;
  showChecks(madeChecks);
  showTrust(given.model, madeChecks.probabilities);
}

const number0 = (value) => digits(value, 4);

function tellOutcome(record) {
  const one = course(...ratesAt(...spot())), unheld = typedAt && typedAt.model === selected && typedAt.asked !== undefined;
  const strong = element("strong", selected), [found, missed, alarms] = shownCounts(one, Math.max(shownDecimals, decimalsFor([one]))).map(count);
  const [best] = leading(), less = best.cost < one.cost - 1e-9 * Math.abs(one.cost) ? "; least is " + money(best.cost) + ", " + best.name + " at " + best.threshold : "";
  const alike = [["nobody", course(0, 0)], ["everybody", course(1, 1)]].reduce((a, b) => (b[1].cost < a[1].cost ? b : a));
  const without = alike[1].cost <= one.cost ? "; flagging " + alike[0] + " costs no more: " + money(alike[1].cost) : "";
  const at = limit(record._threshold) + (unheld ? " (the next above " + typedAt.asked + " that this page holds)" : "");
  byId("outcome").replaceChildren(strong, " at " + at + ": of " + ofCases() + " " + found + " found, "
    + missed + " missed, " + alarms + " false alarms, cost " + money(one.cost) + less + without);
}

/* Models at their cheapest thresholds in the reader's situation, the cheapest first; kept until the situation changes. */
let led = null, ledAt = null;

function leading() {
  if (ledAt !== now) [led, ledAt] = [chosenCourses(), now];
  return led;
}

/* Cost and rates at every position of the slider. */
function alongThresholds(id) {
  const columns = data.operating[selected], places = columns.tp.map((_, i) => i);
  const where = (i) => ({ threshold: columns._threshold[i], drawn: columns.drawn[i] });
  if (id === "cost") return places.map((i) => ({ model: selected, ...where(i), cost: course(...ratesAt(columns, i)).cost }));
  return places.flatMap((i) => [["recall", columns.tpr[i]], ["false positive rate", columns.fpr[i]], ["precision", precisionHere(columns, i)]]
    .map(([rate, value]) => ({ ...where(i), rate, value })));
}

/* Precision in the reader's situation. */
function precisionHere(columns, i) {
  if (now.share === given.sample || !known(columns.precision[i])) return columns.precision[i];
  const [recall, alarmed] = ratesAt(columns, i), found = now.share * recall, alarms = (1 - now.share) * alarmed;
  return six(found / (found + alarms));
}

/* A precision of the rows there: odds change as those of the share of positives do. */
function moved(value) {
  const odds = (share) => share / (1 - share), change = odds(now.share) / odds(given.sample);
  return value < 1 ? odds(value) * change / (1 + odds(value) * change) : value;
}

function precisionRecall(points) {
  if (now.share === given.sample) return points.map((point) => ({ ...point }));
  return points.map((point) => ({ ...point, precision: moved(point.precision), precision_low: null, precision_high: null }));
}

/* Names of lines move with them, inside the chart. */
function namesHere() {
  const inside = (value) => Math.min(Math.max(value, 0.03), 0.97);
  if (now.share === given.sample) return prNames.map((name) => ({ ...name }));
  const [from, to] = prWords, middle = (from + to) / 2, beside = (x) => (x < middle ? Math.max(from - 0.15, 0.05) : Math.min(to + 0.15, 0.95));
  const clear = (name) => (Math.abs(name.precision - now.share) < 0.06 && name.tpr > from - 0.12 && name.tpr < to + 0.12 ? { ...name, tpr: beside(name.tpr) } : name); // beside the words at that share
  return prNames.map((name) => clear({ ...name, precision: inside(name.precision + moved(name.at) - name.at) }));
}

/* What the card says of rates in the reader's situation: recall and false positive rate are those of the rows. */
function recordHere(record) {
  const [columns, place] = spot(), [recall, alarmed] = ratesAt(columns, place), share = now.share;
  const [a, b, c, d] = [share * recall, (1 - share) * alarmed, share * (1 - recall), (1 - share) * (1 - alarmed)];
  const cost = six(c * now.fn + b * now.fp), flagged = six(a + b);
  if (share === given.sample) return { ...record, cost, flagged };
  const made = { ...record, cost, flagged, precision: six(a / (a + b)), npv: six(d / (c + d)), accuracy: six(a + d), f1: six(2 * a / (2 * a + b + c)),
    matthews_correlation: six((a * d - b * c) / Math.sqrt(a + b) / Math.sqrt(a + c) / Math.sqrt(d + b) / Math.sqrt(d + c)) };
  const ends = (name, [low, high]) => { made[name + "_low"] = low; made[name + "_high"] = high; };
  const { tp, fp, fn, tn } = record;
  ends("precision", ratioEnds([tp, tp + fn], [fp, fp + tn], columns.z, share));
  ends("npv", ratioEnds([tn, fp + tn], [fn, tp + fn], columns.z, 1 - share));
  return made;
}

/* Ends of a predictive value where such a share is of its class: those of the logarithm of the likelihood ratio, by the
   formula of inference/intervals/predictive.py. Unknown where subjects have several rows, or one of two counts is 0. */
function ratioEnds([right, own], [wrong, other], z, share, form = six) {
  if (z === null || !(right > 0 && wrong > 0)) return [null, null];
  const middle = Math.log(right / own / (wrong / other)) + Math.log(share / (1 - share));
  const half = z * Math.sqrt(1 / right - 1 / own + 1 / wrong - 1 / other), at = (x) => form(1 / (1 + Math.exp(-x)));
  return [at(middle - half), at(middle + half)];
}

/* Wilson's interval of a share: the formula of inference/intervals/binomial.py. */
function wilson(part, whole, z, form = six) {
  if (!(whole > 0)) return [null, null];
  const share = part / whole, size = z * z / whole, middle = (share + size / 2) / (1 + size);
  const half = z / (1 + size) * Math.sqrt(share * (1 - share) / whole + size / (4 * whole));
  return [part === 0 ? 0 : form(middle - half), part === whole ? 1 : form(middle + half)];
}

/* What follows from the four counts at every position: rates, their intervals, and where a choice is counted. */
function complete(columns) {
  const { tp, fp, z, positives, negatives } = columns;
  const [fn, tn] = [columns.fn, columns.tn] = [tp.map((one) => positives - one), fp.map((one) => negatives - one)];
  columns._threshold = columns._threshold || columns.threshold;
  const every = (tell) => tp.map((_, i) => tell(tp[i], fp[i], fn[i], tn[i]));
  const shares = { tpr: (a, b, c) => [a, a + c], fpr: (a, b, c, d) => [b, b + d], precision: (a, b) => [a, a + b], npv: (a, b, c, d) => [d, c + d] };
  Object.entries(shares).forEach(([name, parts]) => {
    columns[name] = every((...cells) => { const [part, whole] = parts(...cells); return six(part / whole); });
    if (z === null) return;
    const ends = every((...cells) => wilson(...parts(...cells), z));
    columns[name + "_low"] = ends.map(([low]) => low);
    columns[name + "_high"] = ends.map(([, high]) => high);
  });
  columns.accuracy = every((a, b, c, d) => six((a + d) / (a + b + c + d)));
  columns.f1 = every((a, b, c) => six(2 * a / (2 * a + b + c)));
  columns.matthews_correlation = every((a, b, c, d) => six((a * d - b * c) / Math.sqrt(a + b) / Math.sqrt(a + c) / Math.sqrt(d + b) / Math.sqrt(d + c)));
  const counted = columns.chosen;
  columns.chosen = tp.map(() => null);
  counted.forEach(({ place, text, ...ends }) => {
    columns.chosen[place] = text;
    Object.entries(ends).forEach(([name, value]) => { columns[name][place] = value; });
  });
}

/* Where to draw a threshold: infinite ones within the finite ones. */
Object.values(data.operating).forEach((columns) => {
  complete(columns);
  const values = columns.threshold.map(numeric), finite = values.filter(Number.isFinite);
  const [low, high] = finite.length ? [Math.min(...finite), Math.max(...finite)] : [0, 1];
  columns.drawn = values.map((value) => Math.min(Math.max(value, low), high));
});

let choice = null, prPoints = [], prNames = null, prWords = [0, 0.3];

/* From where to where words along the share of positives stand. */
function wordsAlong(spec) {
  const layer = spec.layer.find((each) => each.name === "along"), at = layer.encoding.x.datum, size = 0.3;
  return layer.mark.align === "left" ? [at, at + size] : layer.mark.align === "right" ? [at - size, at] : [at - size / 2, at + size / 2];
}

function drawThresholds() {
  update("cost", (view) => { view.signal("unit", unitOf(now.share)); view.data("costs", alongThresholds("cost")); });
  update("rates", (view) => { view.signal("share", now.share); view.data("rates", alongThresholds("rates")); });
  update("pr", (view) => { view.signal("share", now.share); view.data("pr", precisionRecall(prPoints)); if (prNames) view.data("names", namesHere()); view.data("chance", [0, 1].map((x) => ({ x, y: now.share }))); });
  const shaded = shadedChoice(data.operating[selected].drawn);
  ["cost", "rates"].forEach((id) => update(id, (view) => view.data("choice", [{ ...shaded }])));
}

/* Where another sample might have chosen; of a model or costs for which nobody knows, all of the axis. */
function shadedChoice(drawn) {
  const [least, most] = [Math.min(...drawn), Math.max(...drawn)], within = (value) => Math.min(Math.max(value, least), most);
  if (asGiven() && choice && choice.model === selected) return choice;
  const ends = asGiven() ? null : choiceEnds({ name: selected });
  return ends ? { model: selected, low: within(ends[0]), high: within(ends[1]) } : { model: "", low: least, high: most };
}

/* The address holds the situation, so that a link shows what its sender saw. */
let restoring = false;

function address(push) {
  if (restoring || !given) return;
  const told = new URLSearchParams({ model: selected, threshold: String(operatingRecord()._threshold) });
  if (!asGiven()) { told.set("fp", now.fp); told.set("fn", now.fn); told.set("positive", now.share); }
  const text = "#" + told.toString();
  if (text === location.hash) return;
  const own = window === window.top; // in a frame the way back belongs to the page around it
  try {
    history[push && own ? "pushState" : "replaceState"](null, "", text);
  } catch (refused) {
    if (own) throw refused; // the frame of a notebook has no address to keep it in
  }
}

/* The model and threshold that the page was asked to open with. */
function asked() { return new URLSearchParams({ model: given.opened.model, threshold: String(given.opened.threshold) }); }

function restore() {
  if (!given) return;
  restoring = true;
  const told = location.hash.length > 1 || !given.opened ? new URLSearchParams(location.hash.slice(1)) : asked(), read = (name, usual) => {
    const value = Number(told.get(name));
    return told.has(name) && Number.isFinite(value) && value >= 0 ? value : usual;
  };
  now = { fp: read("fp", given.cost_fp), fn: read("fn", given.cost_fn), share: Math.min(read("positive", given.prevalence), 1) };
  const model = data.models.find((one) => one.name === told.get("model"));
  choose(model ? model.name : given.model, false);
  chosen = Boolean(model) && model.name !== (asGiven() ? given.model : leading()[0].name);
  if (told.has("threshold")) moveTo(told.get("threshold"));
  pinned = told.has("threshold") && (typedAt !== null || position() !== cheapest(data.operating[selected]));
  fillBoxes();
  decide();
  moveThreshold();
  restoring = false;
}

/* Boxes show seven digits; what a reader leaves as it was keeps all of them. */
const filled = {};

function fillBoxes() {
  Object.entries({ "cost-fp": [now.fp, 1], "cost-fn": [now.fn, 1], prevalence: [now.share, 100] }).forEach(([id, [value, times]]) => {
    const text = String(tidy(times * value));
    filled[id] = { text, value };
    byId(id).value = text;
  });
}

/* A threshold from a text: that of the slider, or one between its positions, with counts of its own. */
function moveTo(text) {
  const columns = data.operating[selected], typed = String(text).trim().replace(",", "."), percentage = /^[^%]*\d\s*%$/.test(typed);
  const told = percentage ? String(Number(typed.slice(0, -1)) / 100) : typed, value = numeric(told);
  if (told === "" || Number.isNaN(value)) return false;
  typedAt = null;
  const exact = columns._threshold.findIndex((one) => String(one) === told);
  const reached = exact >= 0 ? exact : columns.threshold.findIndex((one) => numeric(one) >= value);
  byId("threshold").value = reached < 0 ? columns.threshold.length - 1 : reached;
  if (exact < 0) typedAt = { model: selected, ...typedColumns(columns, value) };
  return true;
}

/* Where a position of the slider flags the same rows, all that is known there; else what follows from the counts. */
function typedColumns(columns, value) {
  const { tp, fp, exact, shown } = countsAt(columns, value), alike = columns.tp.findIndex((one, i) => one === tp && columns.fp[i] === fp);
  const finite = columns.drawn, drawn = [Math.min(Math.max(shown, Math.min(...finite)), Math.max(...finite))];
  const told = Number.isFinite(shown) ? shown : shown > 0 ? "inf" : "-inf", cut = { threshold: [told], _threshold: [told], drawn };
  const asked = exact ? {} : { asked: String(value) };
  if (alike >= 0) {
    const there = Object.entries(columns).filter(([, column]) => Array.isArray(column)).map(([name, column]) => [name, [column[alike]]]);
    return { ...asked, columns: { ...Object.fromEntries(there), z: columns.z, ...cut } };
  }
  const { z, positives, negatives } = columns, made = { tp: [tp], fp: [fp], z, positives, negatives, chosen: [], ...cut };
  complete(made);
  return { ...asked, columns: made };
}

/* The highest threshold that finds at least so many percent of the positives. */
function findRecall() {
  const columns = data.operating[selected], share = Number(byId("goal").value.trim().replace(",", ".").replace(/\s*%$/, "")) / 100;
  byId("goal").setAttribute("aria-invalid", String(!(share > 0 && share <= 1)));
  if (!(share > 0 && share <= 1)) return;
  const { cuts, tp } = everyThreshold(columns), reaches = (found) => found / columns.positives >= share;
  const all = [...cuts.map((cut, i) => [cut, tp[i]]), ...columns.threshold.map((cut, i) => [numeric(cut), columns.tp[i]])];
  const best = Math.max(...all.filter(([, found]) => reaches(found)).map(([cut]) => cut)), place = columns.threshold.findIndex((cut) => numeric(cut) === best);
  moveTo(String(place >= 0 ? columns._threshold[place] : best));
  pinned = true;
  tell("");
  moveThreshold();
  address(false);
}

function numeric(value) { return value === "inf" ? Infinity : value === "-inf" ? -Infinity : Number(value); }

/* What is typed counts at once; ``done`` when the box is left, and then what cannot be read is refused. */
function typeThreshold(done) {
  const box = byId("typed"), taken = moveTo(box.value);
  box.setAttribute("aria-invalid", String(done && !taken));
  if (!taken) { if (done) { moveThreshold(); tell("A threshold is a number."); } return; }
  pinned = true;
  moveThreshold();
  const unheld = typedAt && typedAt.asked !== undefined, columns = data.operating[selected];
  tell(unheld ? "Of " + count(columns.distinct) + " scores of " + selected + " this page holds round numbers: shown is " + limit(operatingRecord()._threshold)
    + ", the next above " + typedAt.asked + "." : "");
  if (!done) return;
  box.value = String(operatingRecord()._threshold);
  address(true);
}

/* Whether the reader chose the threshold: then costs do not move it. */
let pinned = false;

/* Whether the reader chose the model: then costs do not change it, and neither do they where the threshold was chosen. */
let chosen = false;

function tell(text) { byId("situation-note").textContent = text; }

/* A number as people type it; percent may say so. */
function readNumber(id) {
  const text = byId(id).value.trim().replace(",", "."), bare = id === "prevalence" ? text.replace(/\s*%$/, "") : text;
  return bare === "" ? NaN : Number(bare);
}

/* A share that was typed where percent are asked for. */
function tellPercent() {
  const value = readNumber("prevalence"), plain = !byId("prevalence").value.includes("%");
  tell(plain && value < 1 && byId("prevalence").value !== filled.prevalence.text ? "Read as " + number0(value) + "% of cases, which is a share of " + number0(value / 100)
    + ". For a share of " + number0(value) + " type " + number0(100 * value) + "." : "");
}

/* What is typed counts at once; ``done`` when the box is left, and then what cannot be is refused. */
function changeSituation(done, id) {
  const ids = ["cost-fp", "cost-fn", "prevalence"], [fp, fn, percentage] = ids.map(readNumber), exactly = ids.map((each) => byId(each).value === filled[each].text);
  const fits = (value, most = Infinity) => Number.isFinite(value) && value >= 0 && value < most;
  const wrong = [!fits(fp), !fits(fn), !(fits(percentage, 100) && percentage > 0)], refused = wrong.includes(true) || !(fp + fn > 0);
  ids.forEach((each, i) => byId(each).setAttribute("aria-invalid", String(done && wrong[i])));
  if (refused) {
    if (done) tell("Not taken: a cost is a number from 0 on, not both 0, and the share of positives lies between 0 and 100%.");
    return;
  }
  if (id === "prevalence") tellPercent(); else tell("");
  const before = now, kept = ids.map((each, i) => (exactly[i] ? filled[each].value : [fp, fn, percentage / 100][i]));
  now = { fp: kept[0], fn: kept[1], share: Math.abs(kept[2] - given.prevalence) < 1e-12 ? given.prevalence : kept[2] };
  if (["fp", "fn", "share"].some((name) => now[name] !== before[name])) settle(); else now = before;
  if (done) address(true);
}

/* Nothing of what was refused remains. */
function accepted() {
  tell("");
  ["typed", "cost-fp", "cost-fn", "prevalence"].forEach((id) => byId(id).setAttribute("aria-invalid", "false"));
}

function afterChange() { settle(); address(true); }

function settle() {
  const [best] = leading(), leader = asGiven() ? given.model : best.name;
  if (!pinned && !chosen && leader !== selected) choose(leader, false);
  if (!pinned) { typedAt = null; byId("threshold").value = cheapest(data.operating[selected]); }
  decide();
  moveThreshold();
  drawThresholds();
}

/* A click on the ROC or the precision-recall curve chooses the nearest threshold of the models shown. */
function clickable(id, x, y) {
  views[id].addEventListener("click", (event) => {
    const svg = byId("chart-" + id).querySelector("svg"), box = svg.getBoundingClientRect(), origin = views[id].origin();
    const scale = svg.viewBox.baseVal.width / box.width || 1;
    const px = views[id].scale("x").invert((event.clientX - box.left) * scale - origin[0]);
    const py = views[id].scale("y").invert((event.clientY - box.top) * scale - origin[1]);
    let best = null;
    data.models.filter((model) => !hidden.has(model.name)).forEach((model) => {
      const columns = data.operating[model.name];
      columns[x].forEach((value, i) => {
        const up = y === "precision" ? precisionHere(columns, i) : columns[y][i];
        if (!known(value) || !known(up)) return;
        const far = (value - px) ** 2 + (up - py) ** 2 - (model.name === selected ? 1e-9 : 0);
        if (!best || far < best.far) best = { far, model: model.name, i };
      });
    });
    if (!best) return;
    if (best.model !== selected) { choose(best.model, false); chosen = true; }
    byId("threshold").value = best.i;
    typedAt = null;
    pinned = true;
    moveThreshold();
    address(true);
  });
}

function moveThreshold() {
  const record = recordHere(operatingRecord());
  const at = limit(record._threshold);
  byId("threshold-value").textContent = at;
  byId("threshold").setAttribute("aria-valuetext", "score at least " + at);
  if (document.activeElement !== byId("typed")) byId("typed").value = String(record._threshold);
  tellOutcome(record);
  document.querySelectorAll("[data-value]").forEach((node) => {
    const name = node.dataset.value, value = record[name];
    if (node.className === "count") node.textContent = count(value);
    else if (name + "_low" in record) node.textContent = known(value) ? ends(record, name)[0] : "undefined";
    else node.textContent = known(value) ? number(value) : "undefined: " + WHY[name];
  });
  document.querySelectorAll("[data-interval]").forEach((node) => {
    const name = node.dataset.interval, [, low, high] = ends(record, name);
    node.textContent = !known(record[name]) ? WHY[name] : known(record[name + "_low"]) ? "[" + low + ", " + high + "]" : "interval unknown";
  });
  const other = now.share !== given.sample;
  byId("operating-title").textContent = "At this threshold, on these rows" + (other ? "; rates at " + percent(now.share) + " positive" : "");
  document.querySelector("[data-base]").textContent = number(Math.max(now.share, 1 - now.share));
  byId("operating-words").textContent = selected + ": positive when the score is at least " + at + (other ? ". Counts, recall and false positive rate are of these rows, "
    + percent(given.sample) + " of which are positive; all else is for " + percent(now.share) : "");
  byId("operating-intervals").textContent = record.chosen
    ? (asGiven() ? "" : "At the costs and prevalence given when the page was made: ") + record.chosen
      + (other ? " Those of precision and negative predictive value do not: they are for a threshold given before." : "")
    : record.tpr_low === undefined ? "Rows weigh differently, or subjects have several: intervals are known at round thresholds and those of the slider alone."
    : byId("operating-intervals").dataset.given;
  ["roc", "pr", "dist", "cost", "rates"].forEach((id) => update(id, (view) => view.data("op", [record])));
  if (data.parts) tellParts();
  makeAgain();
}

/* The line that makes what is on the screen: costs and prevalence as typed, model and threshold where the reader chose. */
function makeAgain() {
  const told = data.line;
  if (!told) return;
  const { cost_fp, cost_fn, prevalence } = told.asked, costs = asGiven() ? { cost_fp, cost_fn, prevalence }
    : { cost_fp: now.fp, cost_fn: now.fn, prevalence: now.share === given.sample && prevalence === undefined ? undefined : now.share };
  const named = told.models[selected], unnamed = (pinned || chosen) && named === undefined ? "  # then choose model and threshold on the page" : "";
  const shown = { ...costs, model: pinned || chosen ? named : undefined, threshold: pinned && !unnamed ? operatingRecord()._threshold : undefined };
  const text = (value) => (told.shell ? String(value) : value === "inf" || value === "-inf" ? "float('" + value + "')" : String(value));
  const words = Object.entries(shown).filter(([, value]) => value !== undefined)
    .map(([name, value]) => (told.shell ? " --" + name.replace("_", "-") + " " : ", " + name + "=") + text(value));
  byId("command").textContent = told.start + words.join("") + (told.shell ? "" : ")") + unnamed;
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

function choose(name, told = true) {
  selected = name;
  typedAt = null;
  const columns = data.operating[name], slider = byId("threshold");
  if (!slider) return;
  byId("selected").value = String(data.models.findIndex((model) => model.name === name));
  slider.max = columns.threshold.length - 1;
  slider.value = asGiven() ? columns.start : cheapest(columns);
  Object.keys(views).forEach((id) => update(id, (view) => view.signal("selected", name)));
  moveThreshold();
  drawThresholds();
  moveDelta();
  if (told) address(true);
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

/* What fields are called in a table; ends of an interval stand beside their estimate. */
const TITLES = {
  fpr: "false positive rate", tpr: "recall (TPR)", precision: "precision", recall: "recall", threshold: "threshold", model: "model",
  fraction: "share of rows", gain: "positives found", lift: "lift", predicted: "predicted", observed: "observed", count: "rows",
  net_benefit: "net benefit", estimate: "estimate", row: "of", from: "score from", to: "to", size: "share of the class", class: "class",
  rate: "rate", value: "value", cost: "cost", edge: "edge", policy: "policy", positives: "positives", negatives: "negatives",
  low: "low", high: "high",
};
const NOT_READ = ["i", "drawn", "x", "here"], NOT_TABLES = ["chance", "op", "here", "zero", "hull", "choice", "reference", "names"];

function rowsOf(id, whole) {
  const chart = data.charts.find((one) => one.id === id), view = views[id];
  const names = Object.keys(chart.data).filter((name) => !NOT_TABLES.includes(name) && (whole || !["band", "smooth"].includes(name)));
  const several = whole || names.length > 1;
  const records = names.flatMap((name) => (view ? view.data(name) : chart.data[name])
    .map((record) => (several ? { data: name, ...record } : { ...record })));
  const header = [...new Set(records.flatMap(Object.keys))].filter((name) => !NOT_READ.includes(name) && !name.startsWith("_") && name !== "told" && !(name === "share" && id === "dist"));
  return { header, rows: records.map((record) => header.map((name) => record[name] === undefined ? "" : record[name])) };
}

/* Records as people read them: names in words, an estimate with its interval in one cell. */
function readable({ header, rows }) {
  const ends = (name) => [header.indexOf(name + "_low"), header.indexOf(name + "_high")];
  const bare = [header.indexOf("low"), header.indexOf("high")];
  const estimate = ["estimate", "observed", "net_benefit"].find((name) => header.includes(name) && bare[0] >= 0);
  const kept = header.filter((name) => !/_(low|high)$/.test(name) && !(estimate && ["low", "high"].includes(name)));
  const made = rows.map((cells) => kept.map((name) => {
    const value = cells[header.indexOf(name)], [low, high] = name === estimate ? bare : ends(name);
    if (low < 0 || !known(value) || !known(cells[low])) return value;
    const [one, two, three] = together(value, cells[low], cells[high]);
    return one + " [" + two + ", " + three + "]";
  }));
  return { header: kept.map((name) => name === "cost" && now ? "cost of " + ofCases() : TITLES[name] || name), rows: made };
}

function save(name, type, text) { saveBlob(name, new Blob([text], { type })); }

function saveBlob(name, blob) {
  const link = element("a", undefined, { download: name, href: URL.createObjectURL(blob) });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/* A spreadsheet would run text that starts like a formula; numbers stay numbers. */
function csvCell(value) {
  if (typeof value === "number" || value === "inf" || value === "-inf") return String(value);
  const text = String(value === null ? "" : value);
  return '"' + (/^[\s"']*[=+\-@\t\r]/.test(text) ? "'" : "") + text.replaceAll('"', '""') + '"';
}

/* Cells of a table of the page as text. */
function cellsOf(id) {
  return [...byId("table-" + id).rows].map((row) => [...row.cells].map((cell) => cell.textContent.trim()));
}

/* A table for programs: numbers with all their digits, the ends of an interval in columns of their own. */
function tableRows(id) {
  const [header, ...texts] = cellsOf(id), own = data.parts && id === partsId(), rows = (id === "decision" ? decisionValues : own ? partValues : null) || data.tables[id];
  if (!rows || rows.some((row) => row.length !== header.length)) return [header, ...texts];
  const keyed = (value) => value !== null && typeof value === "object", inner = header.map((_, i) => [...new Set(rows.flatMap((row) => (keyed(row[i]) ? Object.keys(row[i]) : [])))]);
  const part = (value, key) => (keyed(value) ? value[key] ?? null : key === "estimate" ? value : null);
  const names = header.flatMap((name, i) => (inner[i].length ? inner[i].map((key) => (key === "estimate" ? name : name + " " + key)) : [name]));
  const cells = rows.map((row) => row.flatMap((value, i) => (inner[i].length ? inner[i].map((key) => part(value, key)) : [value])));
  if ((id !== "decision" && !own) || !now) return [names, ...cells];
  const at = own ? [["model", selected], ["threshold", operatingRecord().threshold]] : [];
  const share = own && !partsByRate() ? [] : [["share of positives", now.share]]; // else each part has its own
  const where = [...at, ["cost of a false alarm", now.fp], ["cost of a miss", now.fn], ...share];
  return [[...names, ...where.map(([name]) => name)], ...cells.map((row) => [...row, ...where.map(([, value]) => value)])];
}

async function copy(button, text) {
  const before = button.textContent;
  try { await navigator.clipboard.writeText(text); button.textContent = "Copied"; } catch { button.textContent = "Not allowed here"; }
  setTimeout(() => { button.textContent = before; }, 2000);
}

async function picture(id) {
  const canvas = await views[id].toCanvas(2);
  canvas.toBlob((blob) => saveBlob(id + ".png", blob));
}

function listen() {
  if (byId("threshold")) {
    byId("threshold").addEventListener("input", () => { pinned = true; typedAt = null; tell(""); moveThreshold(); address(false); });
    byId("threshold").addEventListener("change", () => address(true));
    [["input", false], ["change", true]].forEach(([event, done]) => {
      byId("typed").addEventListener(event, () => typeThreshold(done));
      ["cost-fp", "cost-fn", "prevalence"].forEach((id) => byId(id).addEventListener(event, () => changeSituation(done, id)));
    });
    byId("goal").addEventListener("input", findRecall);
    byId("cheapest").addEventListener("click", () => { pinned = false; typedAt = null; tell(""); byId("threshold").value = cheapest(data.operating[selected]); moveThreshold(); address(true); });
    byId("neutral").addEventListener("click", () => { pinned = false; accepted(); now = { fp: 1, fn: (1 - now.share) / now.share, share: now.share }; fillBoxes(); afterChange(); });
    byId("reset").addEventListener("click", () => {
      now = { fp: given.cost_fp, fn: given.cost_fn, share: given.prevalence };
      pinned = chosen = false; accepted(); fillBoxes(); decide(); choose(given.opened ? given.opened.model : given.model, false);
      if (given.opened) { chosen = selected !== given.model; pinned = moveTo(String(given.opened.threshold)); moveThreshold(); }
      address(true);
    });
    if (window.matchMedia("(max-width: 640px)").matches) byId("situation").open = false;
    window.addEventListener("popstate", restore);
    window.addEventListener("hashchange", restore);
    byId("selected").addEventListener("change", (event) => { chosen = true; pinned = false; choose(data.models[Number(event.target.value)].name); });
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
  document.querySelectorAll("details.as-table").forEach((details) => details.addEventListener("toggle", () => {
    const found = readable(rowsOf(details.dataset.chart, false)), target = details.querySelector(".scroll");
    target.replaceChildren(details.open ? table(found.header, found.rows) : "");
  }));
  document.querySelectorAll("[data-csv]").forEach((button) => button.addEventListener("click", () => {
    const found = rowsOf(button.dataset.csv, true);
    save(button.dataset.csv + ".csv", "text/csv", [found.header, ...found.rows].map((row) => row.map(csvCell).join(",")).join("\n") + "\n");
  }));
  document.querySelectorAll("[data-png]").forEach((button) => button.addEventListener("click", () => picture(button.dataset.png)));
  document.querySelectorAll("[data-copy]").forEach((button) => button.addEventListener("click", () =>
    copy(button, cellsOf(button.dataset.copy).map((row) => row.join("\t")).join("\n"))));
  document.querySelectorAll("[data-copy-text]").forEach((button) => button.addEventListener("click", () =>
    copy(button, byId(button.dataset.copyText).textContent)));
  document.querySelectorAll("[data-table-csv]").forEach((button) => button.addEventListener("click", () =>
    save(button.dataset.tableCsv + ".csv", "text/csv", tableRows(button.dataset.tableCsv).map((row) => row.map(csvCell).join(",")).join("\n") + "\n")));
  document.querySelectorAll("details.folded").forEach((one) => one.addEventListener("toggle", () => window.dispatchEvent(new Event("resize"))));
  const opened = [];
  window.addEventListener("beforeprint", () => document.querySelectorAll("details.folded, details.terms").forEach((one) => {
    if (!one.open) { one.open = true; opened.push(one); }
  }));
  window.addEventListener("afterprint", () => opened.splice(0).forEach((one) => { one.open = false; }));
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

// Browsers withhold frames from a page that is out of sight, as in a cell further down a notebook: a timer goes on then.
function pause() {
  return new Promise((done) => { requestAnimationFrame(done); setTimeout(done, 100); });
}

async function start() {
  listen();
  moves();
  if (byId("delta")) { byId("delta").max = 5; byId("delta").value = 1; }
  if (given) { given.text = byId("verdict").textContent; fillBoxes(); restore(); }
  for (const chart of data.charts) {
    await pause(); // let the page be read and used while charts are drawn
    Object.keys(chart.data).forEach((name) => { chart.data[name] = chart.data[name] < 0 ? alongThresholds(chart.id) : sets(chart.data[name]); });
    if (chart.id === "cost-differences") costLines = chart.data.against.map((line) => ({ ...line }));
    if (chart.data.choice) choice = { ...chart.data.choice[0] };
    if (chart.id === "pr" && given) prWords = wordsAlong(chart.spec);
    if (chart.id === "pr" && given) [prPoints, prNames] = [chart.data.pr, chart.data.names].map((rows) => rows && rows.map((row) => ({ ...row })));
    const spec = { ...chart.spec, datasets: chart.data };
    const made = await vegaEmbed("#chart-" + chart.id, spec, { mode: "vega-lite", actions: false, ast: true, renderer: "svg", tooltip: { theme: "custom" } });
    views[chart.id] = made.view;
    if (given && (chart.id === "roc" || chart.id === "pr")) clickable(chart.id, chart.id === "roc" ? "fpr" : "tpr", chart.id === "roc" ? "tpr" : "precision");
  }
  if (given) restore(); else choose(selected);
  document.documentElement.dataset.ready = "yes";
}

start();
