/* Groups or folds at the reader's threshold, costs and prevalence: the numbers of views/report/parts_at_threshold.py. */
const partsId = () => data.parts.kind + "-threshold";
let madeParts = null, partValues = null;

/* Thresholds at which rows of parts were counted, and where between them they lie; null where they are not held. */
function heldParts(model) {
  const held = data.parts.models && data.parts.models[model];
  if (!held) return null;
  if (!held.at) {
    const columns = data.operating[model], slider = columns.threshold.map(numeric);
    held.at = [...new Set(held.slider ? slider : [...slider, ...everyThreshold(columns).cuts])].sort((a, b) => a - b);
    const rows = (gaps, counts) => { let place = 0; return { places: wholes(gaps).map((gap) => (place += gap)), counts: Array.isArray(counts) ? counts : wholes(counts) }; };
    held.read = held.parts.map(([up, ups, down, downs]) => [rows(up, ups), rows(down, downs)]);
  }
  return held.at.length === held.cuts ? held : null;
}

/* Counts of all rows and of every part at a threshold, or at the next that is held; rows that lie between would be told. */
function partCounts(model, value) {
  const held = heldParts(model), columns = data.operating[model];
  if (!held) return null;
  const found = held.at.findIndex((cut) => cut >= value), place = found < 0 ? held.at.length : found, shown = place < held.at.length ? held.at[place] : Infinity;
  const sum = ({ places, counts }, from) => counts.reduce((all, each, i) => (places[i] >= from ? all + each : all), 0);
  const [asked, whole] = [value, shown].map((at) => countsAt(columns, at)), { positives, negatives } = columns;
  return { shown, exact: whole.tp === asked.tp && whole.fp === asked.fp, parts: [{ tp: whole.tp, fp: whole.fp, positives, negatives },
    ...held.read.map(([up, down]) => ({ tp: sum(up, place), fp: sum(down, place), positives: sum(up, 0), negatives: sum(down, 0) }))] };
}

const partsByRate = () => data.again.stratified || now.share !== given.sample;

/* Recall, false alarms and precision of a part, each with its ends, and what so many of its cases cost. */
function partRates({ tp, fp, positives, negatives }, z) {
  const share = partsByRate() ? now.share : positives / (positives + negatives), [recall, alarmed] = [tp / positives, fp / negatives];
  const plain = (value) => value, ends = (part, whole) => (z === null ? [null, null] : wilson(part, whole, z, plain));
  const precision = partsByRate() ? share * recall / (share * recall + (1 - share) * alarmed) : tp / (tp + fp);
  const around = partsByRate() ? ratioEnds([tp, positives], [fp, negatives], z, share, plain) : ends(tp, tp + fp);
  const worth = [[share * now.fn, 1 - recall], [(1 - share) * now.fp, alarmed]].filter(([price]) => price);
  const rates = [[recall, ...ends(tp, positives)], [alarmed, ...ends(fp, negatives)], [precision, ...around]];
  return { rates, cost: unitOf(now.share) * worth.reduce((all, [price, rate]) => all + price * rate, 0) };
}

function rateText([value, low, high]) {
  if (Number.isNaN(value)) return MISSING;
  if (!known(low)) return value && value < 1e-3 ? scientific(value) : fixed(value, decimalsOf(value, 3));
  const [one, two, three] = together(value, low, high, 3);
  return one + " [" + two + ", " + three + "]";
}

const finite = (value) => (Number.isFinite(value) ? value : null);

function partRow(name, { rates, cost }, labels) {
  const row = element("tr", undefined, { role: "row" }), head = element("th", undefined, { scope: "row", role: "rowheader" });
  head.append(element("bdi", name));
  head.dataset.key = name;
  const texts = [...rates.map(rateText), Number.isNaN(cost) ? MISSING : money(cost)], keys = [...rates.map(([value]) => value), cost];
  row.append(head, ...texts.map((text, i) => {
    const made = labelled(cell(text), labels[i + 1]);
    made.dataset.key = Number.isFinite(keys[i]) ? keys[i] : "";
    return made;
  }));
  return row;
}

/* The table of parts follows the situation; as the page was made it is put back, with intervals that subjects give. */
function tellParts() {
  const partsTable = byId("table-" + partsId());
  if (!partsTable) return;
  const title = byId(partsId() + "-title"), note = title.nextElementSibling, body = partsTable.tBodies[0], cost = partsTable.tHead.rows[0].cells[4].firstChild;
  if (!madeParts) madeParts = { title: title.textContent, note: note.textContent, rows: [...body.rows].map((row) => row.cloneNode(true)) };
  const columns = data.operating[selected], back = asGiven() && selected === given.model && !typedAt && position() === columns.start;
  const found = back ? null : partCounts(selected, numeric(operatingRecord().threshold)), { kind, by } = data.parts;
  partValues = null;
  cost.textContent = "cost of " + (found ? ofCases() : count(given.cases) + " cases");
  if (!found) {
    title.textContent = madeParts.title;
    note.textContent = (back ? "" : "Of so many " + kind + "s this page holds no other threshold than that with which it was made. ") + madeParts.note;
    body.replaceChildren(...madeParts.rows.map((row) => row.cloneNode(true)));
  } else {
    const at = limit(found.exact ? operatingRecord()._threshold : finite(found.shown) ?? "inf"), names = data.tables[partsId()].map((row) => row[0]);
    const labels = [...partsTable.tHead.rows[0].cells].map((head) => head.textContent), made = found.parts.map((part) => partRates(part, columns.z));
    title.textContent = selected + " at " + at + ", by " + by;
    note.textContent = "One threshold for all " + kind + "s: " + at + (found.exact ? ". " : ", the next above yours at which this page holds them. ")
      + "A false alarm costs " + number0(now.fp) + " and a miss " + number0(now.fn) + ". "
      + (partsByRate() ? "In each " + kind + " " + percent(now.share) + " of cases are positive. " : "Each " + kind + " has its own share of positives. ")
      + (columns.z === null ? "Rows weigh differently, or subjects have several: intervals are known at the threshold with which the page was made. "
        : "Intervals (" + data.again.level + ") by Wilson" + (partsByRate() ? ", of precision by the likelihood ratio" : "") + ", as if the threshold had been given before. ") + "Press a heading to sort.";
    body.replaceChildren(...made.map((one, i) => partRow(names[i], one, labels)));
    partValues = made.map(({ rates, cost: total }, i) => [names[i], ...rates.map(([value, low, high]) => ({ estimate: finite(value), low: finite(low), high: finite(high) })), finite(total)]);
  }
  const sorted = partsTable.querySelector("[aria-sort] .sort");
  if (sorted) { sorted.closest("th").setAttribute("aria-sort", sorted.closest("th").ariaSort === "descending" ? "ascending" : "descending"); sortBy(sorted); }
}

/* From the part where a rate is least to that where it is most, of parts large enough to be named where there are two. */
function partsRange(found, names, rate) {
  const all = found.map((one, i) => [one.rates[rate][0], names[i], i]).slice(1).filter(([value]) => !Number.isNaN(value));
  const large = all.filter(([, , i]) => (data.parts.large || []).includes(i)), among = large.length > 1 ? large : all;
  if (among.length < 2) return "";
  among.sort((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1));
  const [low, high] = [among[0], among.at(-1)];
  return low[0] < high[0] ? shareText(low[0]) + " (" + low[1] + ") to " + shareText(high[0]) + " (" + high[1] + ")" : shareText(low[0]);
}

/* What a decision says of its parts, at costs that were typed. */
function partsSaid(first, pays) {
  const { kind, by, best, said } = data.parts, found = kind === "group" && pays && partCounts(first.name, numeric(first.cut));
  const rates = found ? found.parts.map((part) => partRates(part, null)) : [], names = found ? data.tables[partsId()].map((row) => row[0]) : [];
  const [finds, alarms] = [0, 1].map((rate) => partsRange(rates, names, rate));
  return [...(best && best.length && !best.includes(first.name) ? ["The folds disagree: " + best[0] + " has the highest mean AUC, " + first.name + " costs least"] : []),
    ...(finds && alarms ? ["By " + by + ", the threshold " + first.threshold + " finds " + finds + " of the positives, and alarms " + alarms
      + " of the negatives (rocsteady gaps tests whether that is more than chance)"] : []), ...said];
}
