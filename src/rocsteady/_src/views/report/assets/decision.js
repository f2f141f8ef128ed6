"use strict";
/* Deciding again, in the reader's situation: the formulas of evaluation/decision_tests.py on counts of rows, and the
   sentences of evaluation/decision_words.py. tests/test_report_decides.py compares both with the library's. */
const UNSEEN = 3, TIMES = 3, SHOWN = 6;

/* Complementary error function, from 0 on: a series of positive terms, then a continued fraction. */
function erfc(x) {
  const scale = Math.exp(-x * x) / Math.sqrt(Math.PI);
  if (x < 2.5) {
    let term = 2 * x, sum = term;
    for (let n = 1; term > 1e-17 * sum; n += 1) { term *= 2 * x * x / (2 * n + 1); sum += term; }
    return 1 - scale * sum;
  }
  let rest = x;
  for (let n = 80; n >= 1; n -= 1) rest = x + n / 2 / rest;
  return scale / rest;
}

function pValue(test) {
  if (test.se > 0) return erfc(Math.abs(test.mean / test.se) / Math.SQRT2);
  return test.se === 0 ? Number(test.mean === 0) : NaN;
}

/* For a leader that the same rows chose: Holm's steps, over all pairs of those not yet told apart. */
function besideTheBest(pvalues) {
  const found = pvalues.map(() => NaN), order = pvalues.map((_, i) => i).filter((i) => !Number.isNaN(pvalues[i]));
  let left = order.length + 1, largest = 0;
  order.sort((a, b) => pvalues[a] - pvalues[b]).forEach((i) => {
    largest = Math.max(largest, Math.min(1, pvalues[i] * left * (left - 1) / 2));
    found[i] = largest;
    left -= 1;
  });
  return found;
}

/* Where two courses meet: the pair of models, and the place among its meetings; null where this page does not know. */
function meetingOf(one, two) {
  const { pairs, hulls } = data.again.sure, names = (pair) => pair.models.map((place) => data.models[place].name);
  const pair = pairs.find((each) => names(each).includes(one.name) && names(each).includes(two.name));
  if (!pair) return null;
  const swapped = names(pair)[0] !== one.name, [first, second] = (swapped ? [two, one] : [one, two]).map((each) => vertexOf(each, hulls));
  const at = pair.first.findIndex((vertex, i) => vertex === first && pair.second[i] === second);
  return at < 0 ? null : { pair, at, swapped, place: pairs.indexOf(pair) };
}

function vertexOf(one, hulls) { return hulls[one.name].findIndex(([tp, fp]) => tp === one.tp && fp === one.fp); }

/* Rows, of both classes, that two courses flag; null where this page does not know. */
function flaggedByBoth(one, two) {
  if (one.name === null) return one.all ? [two.tp, two.fp] : [0, 0];
  const met = meetingOf(one, two);
  return met && [met.pair.positives[met.at], met.pair.negatives[met.at]];
}

/* Sums over units of what another course flags more than the first: those of evaluation/units_elsewhere.py. */
function momentsOf(other, first) {
  const { hulls, units } = data.again.sure, [p, n] = units.weights, [pp, pn, nn] = units.base;
  if (other.name === null) {
    const sums = units.alone[first.name][vertexOf(first, hulls)];
    if (!sums || !other.all) return sums || null;
    const [a, b, aa, ab, bb, ap, an, bp, bn] = sums;
    return [a + p, b + n, aa + 2 * ap + pp, ab + an + bp + pn, bb + 2 * bn + nn, ap + pp, an + pn, bp + pn, bn + nn];
  }
  const met = meetingOf(first, other);
  if (!met) return null;
  const [a, b, aa, ab, bb, ...rest] = units.pairs[met.place][met.at], sign = met.swapped ? -1 : 1;
  return [sign * a, sign * b, aa, ab, bb, ...rest.map((each) => sign * each)];
}

/* The same difference where units are weighted rows or subjects: the formulas of inference/units/units.py. */
function differenceOfUnits(other, first) {
  const sums = momentsOf(other, first);
  if (!sums) return null;
  const { weights: [p, n], base: [pp, pn, nn], units: [np, nn_, all], subjects } = data.again.sure.units, [a, b, aa, ab, bb, ap, an, bp, bn] = sums;
  const shares = [now.share, 1 - now.share], byClass = data.again.stratified || now.share !== given.sample;
  const [mp, mn] = byClass ? [-now.fn * a / p, now.fp * b / n] : Array(2).fill((now.fp * b - now.fn * a) / (p + n));
  const [over, under] = byClass ? [shares[0] / p, shares[1] / n] : [1 / (p + n), 1 / (p + n)], mean = byClass ? shares[0] * mp + shares[1] * mn : mp;
  const [u, v, w, x] = [-now.fn * over, now.fp * under, -mp * over, -mn * under], factor = (many) => many / (many - 1);
  const up = u * u * aa + 2 * u * w * ap + w * w * pp, down = v * v * bb + 2 * v * x * bn + x * x * nn;
  const across = 2 * (u * v * ab + u * x * an + v * w * bp + w * x * pn);
  const variance = byClass && !subjects ? factor(np) * up + factor(nn_) * down : factor(all) * (up + down + across);
  const unseen = [[shares[0] * now.fn, np], [shares[1] * now.fp, nn_]].map(([worth, many]) => worth * Math.sqrt(UNSEEN) / (many + 2));
  const bound = (all + 8) * Number.EPSILON * (now.fp + now.fn), settled = (value) => (Math.abs(value) <= bound ? 0 : value);
  const same = !aa && !bb && (first.tp + first.fp === 0 || first.tp + first.fp === p + n);
  return { mean: settled(mean), se: same ? 0 : Math.hypot(settled(Math.sqrt(Math.max(variance, 0))), ...unseen) };
}

const total = (values) => values.reduce((sum, each) => sum + each, 0);

/* What a case costs more under another course than under the first, and its standard error. */
function difference(other, first) {
  if (data.again.sure.units) return differenceOfUnits(other, first);
  const both = flaggedByBoth(other, first);
  if (!both) return null;
  const sizes = data.again.sure.n, n = total(sizes), shares = [now.share, 1 - now.share], prices = [now.fn, now.fp];
  const gained = [other.tp - both[0], other.fp - both[1]], lost = [first.tp - both[0], first.fp - both[1]];
  const apart = gained.map((each, c) => each + lost[c]);
  const sums = prices.map((price, c) => price * (c ? gained[c] - lost[c] : lost[c] - gained[c]));
  const squares = prices.map((price, c) => price * price * apart[c]);
  const byClass = data.again.stratified || now.share !== given.sample;
  const mean = byClass ? total(sums.map((sum, c) => shares[c] * sum / sizes[c])) : total(sums) / n;
  const variance = byClass
    ? total(squares.map((square, c) => shares[c] ** 2 * (square - sums[c] ** 2 / sizes[c]) / sizes[c] / (sizes[c] - 1)))
    : (total(squares) - total(sums) ** 2 / n) / n / (n - 1);
  const bound = (n + 8) * Number.EPSILON * total(prices.map((price, c) => price * apart[c])) / n;
  const settled = (value) => (Math.abs(value) <= bound ? 0 : value);
  const unseen = prices.map((price, c) => shares[c] * price * Math.sqrt(UNSEEN) / (sizes[c] + 2));
  const same = !total(apart) && (first.tp + first.fp === 0 || first.tp + first.fp === n);
  return { mean: settled(mean), se: same ? 0 : Math.hypot(settled(Math.sqrt(Math.max(variance, 0))), ...unseen) };
}

/* Places of the prices of a miss, in these rows, between which the reader's lies: choices were made again there. */
function pricesAround() {
  const odds = (share) => share / (1 - share), price = now.fn / now.fp * odds(now.share) / odds(given.sample);
  const { n: [positives, negatives], steps: [steps, octaves] } = data.again.sure;
  const between = Array.from({ length: 2 * octaves * steps + 1 }, (_, k) => negatives / positives * 2 ** (k / steps - octaves));
  const prices = [0, ...between, Infinity], above = prices.findIndex((each) => each >= price * (1 - 1e-9));
  return above === 0 || Math.abs(prices[above] - price) <= 1e-9 * price ? [above] : [above - 1, above];
}

/* How much less than new cases these rows cost under the first: the larger at the prices around. */
function flattered(choices) {
  const at = (i) => now.share * now.fn * choices.recall[i] - (1 - now.share) * now.fp * choices.alarmed[i];
  return choices ? Math.max(0, ...pricesAround().map(at)) : 0;
}

/* Every course with what a case costs more there than under the first, its interval and p; false where rows do not tell. */
function compareCosts(first, others, alike) {
  if (!data.again.sure || !(first.name in data.again.sure.choices)) return false;
  const tests = [...others, ...alike].map((other) => difference(other, first));
  if (tests.includes(null)) return false;
  const adjusted = besideTheBest(tests.slice(0, others.length).map(pValue));
  const many = Math.max(2, 1 + adjusted.filter((p) => !(p < data.again.alpha)).length);
  const z = data.again.sure.z[many - 2], optimism = flattered(data.again.sure.choices[first.name]);
  [...others, ...alike].forEach((other, i) => {
    const { mean, se } = tests[i], byChoice = other.name === null && se ? TIMES * optimism : 0, unit = unitOf(now.share);
    other.more = { estimate: unit * mean, low: unit * (mean - byChoice - z * se), high: unit * (mean + z * se), se };
    other.p = i < others.length ? adjusted[i] : NaN;
    other.alone = pValue(tests[i]);
  });
  return true;
}

const signed = (value) => (value > 0 ? "+" : "") + money(value);

function moreText(more) {
  return Number.isNaN(more.low) ? signed(more.estimate) : signed(more.estimate) + " [" + signed(more.low) + ", " + signed(more.high) + "]";
}

function between(low, high) {
  if (low < 0 && high > 0) return "between " + money(-low) + " less and " + money(high) + " more";
  return low >= 0 ? money(low) + " to " + money(high) + " more" : money(-high) + " to " + money(-low) + " less";
}

const countsOf = (one) => shownCounts(one, Math.max(shownDecimals, decimalsFor([one]))).map(count);
/* Adjusted p and interval must agree. */
const toldApart = (one) => Boolean(one.more) && one.p < data.again.alpha && !(one.more.low <= 0 && one.more.high >= 0);

function shortly(one) {
  const [found, missed, alarms] = countsOf(one);
  return "finds " + found + ", misses " + missed + ", " + alarms + " false alarms, cost " + money(one.cost);
}

/* p, and where other models raised it both. */
function howLikely(one) {
  const plain = pWords(one.alone), adjusted = pWords(one.p);
  return plain === adjusted ? adjusted : plain + ", " + adjusted.replace(/^p (= )?/, "") + " by Holm";
}

/* Whether rows tell that the first costs less than every other course. */
const settled = (others, alike) => others.every(toldApart) && alike.every((one) => !one.more || one.more.low > 0) && Boolean(others.length || alike[0].more);

function headline(first, others, alike, pays) {
  if (!pays) {
    const trivial = alike.reduce((a, b) => (b.cost < a.cost ? b : a)), less = others.length ? "no model costs less" : first.name + " costs no less";
    return "Flag " + trivial.whom + ": that costs " + money(trivial.cost) + " per " + ofCases() + ", and at these costs " + less;
  }
  const [found, missed, alarms] = countsOf(first), here = first.missed === 0 ? " on these rows" : "";
  return (settled(others, alike) ? "Use " : "Use, for now, ") + first.name + " and flag scores of at least " + first.threshold + ": of " + ofCases() + " it finds " + found + " of "
    + count(roundedTo(first.found + first.missed, shownDecimals)) + " " + data.again.positives + ", misses " + missed + here + " and raises " + alarms
    + " false alarms, at a cost of " + money(first.cost);
}

function besideIt(first, others) {
  const based = others.find((one) => one.name === data.again.baseline), rival = based || others[0], level = data.again.level;
  if (!rival) return [];
  const beside = rival.name + (based ? ", the baseline, " : ", the runner-up, ") + (rival.tp || rival.fp ? "at " + rival.threshold : "flags nobody") + ": " + shortly(rival);
  if (!rival.more) return [beside + "; how sure the difference is was computed for the costs given alone"];
  const { estimate, low, high, se } = rival.more;
  if (!se) return [estimate ? beside + ", " + money(estimate) + " more" : beside + "; both call the same rows"];
  const apart = toldApart(rival), told = estimate ? "these rows" : "the same cost here, and these rows";
  const sure = apart ? beside + ", " + money(estimate) + " more (" + level + " interval " + money(low) + " to " + money(high) + "; " + howLikely(rival) + ")"
    : beside + "; " + told + " cannot tell which is cheaper (" + between(low, high) + ", " + level + "; " + howLikely(rival) + ")";
  const unclear = others.filter((one) => one !== rival && !toldApart(one)), also = unclear.map((one) => one.name), left = also.length - SHOWN;
  const allowed = unclear.some((one) => one.more && one.more.low > 0) ? ", once all pairs are allowed for" : "";
  const names = left > 1 ? also.slice(0, SHOWN).join(", ") + " and " + left + " others" : also.join(", ");
  return [sure, ...(also.length ? [(apart ? "These rows cannot" : "Nor can they") + " tell " + first.name + " from " + names + allowed] : [])];
}

const withoutModel = (alike) => "Without a model: flagging nobody costs " + money(alike[0].cost) + ", everybody " + money(alike[1].cost);

/* Which courses without a model may be as cheap, as far as these rows tell. */
function asWellWithout(alike) {
  return alike.filter((one) => one.more && !(one.more.low > 0))
    .map((one) => "These rows cannot tell whether flagging " + one.whom + " costs more (" + between(one.more.low, one.more.high) + ", " + data.again.level + ")");
}

/* Where another sample might have chosen: both ends are steps of the price, those of evaluation/choices_elsewhere.py. */
function choiceEnds(first) {
  const choices = data.again.sure && data.again.sure.choices[first.name];
  if (!choices) return null;
  const byRate = data.again.stratified || now.share !== given.sample, odds = now.share / (1 - now.share);
  const price = (byRate ? odds : 1) * now.fn / now.fp, at = ([prices, values]) => numeric(values[prices.findIndex((each) => numeric(each) >= price * (1 - 1e-9))]);
  return (byRate ? choices.rate : choices.count).map(at);
}

function endsText([low, high], openBelow) {
  if (high === Infinity) return Number.isFinite(low) ? outwards(low, 3, -1) + " or more, or flag nobody" : "";
  if (Math.max(Math.abs(low), Math.abs(high)) > 2 ** 53) return "";
  if (openBelow) return low === high ? "the same or less" : outwards(high, 3, 1) + " or less";
  if (low === high) return "the same";
  const many = [3, 6].find((n) => digits(low, n) !== digits(high, n));
  return many ? outwards(low, many, -1) + " to " + outwards(high, many, 1) : "";
}

/* To so many digits, down (-1) or up (1). */
function outwards(value, n, side) {
  if (!value) return "0";
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(value))) - n + 1);
  return digits(side * Math.ceil(side * value / unit - TRACE) * unit, n);
}

function aboutThreshold(first) {
  const ends = choiceEnds(first), told = ends && endsText(ends, first.missed === 0);
  return ["The threshold " + first.threshold + " was chosen on these rows" + (told ? ": another sample might choose " + told + " (" + data.again.level + ")" : ""),
    "Cost on new rows beyond the best choice of model and threshold was computed for the costs given alone"];
}

/* Shares in percent: the rule of base/text.py. */
function shareText(value) {
  if (100 * value > 0 && 100 * value < 0.05) return "< 0.1%";
  if (100 * value >= 99.95 && value < 1) return "> 99.9%";
  return fixed(100 * value, 1) + "%";
}

const percent = (share) => number0(100 * share) + "%";

/* Whether probabilities can be trusted where such a share is positive: answer_at of evaluation/trusted_probabilities.py. */
function trustAt([answer, text, means], share) {
  if (!means) return [answer, text];
  const [low, high] = means, mean = low + share * (high - low), sample = given.sample;
  const here = "predicted " + shareText(low + sample * (high - low)) + " on average, observed " + shareText(sample) + "; " + text;
  if (share === sample) return [answer, here];
  const off = Math.abs(mean - share) >= 0.1 * share, how = off ? ", too " + (mean > share ? "high" : "low") : "";
  return [off ? "no" : answer, "at " + percent(share) + " positive probabilities would be " + shareText(mean) + " on average" + how
    + "; on these rows, " + percent(sample) + " positive: " + here];
}

/* The checks of a model that leads; other costs that one might have typed count for "do the measures agree?". */
function checksOf(first, unsettled) {
  const found = data.again.checks[first.name], sized = (told) => (unsettled ? [told[0] === "yes" ? "partly" : told[0], told[1] + "; " + data.again.unsettled] : told);
  const held = found && { ...found, enough: sized(found.enough), probabilities: trustAt(found.probabilities, now.share) };
  if (!held || held.agree[0] === "unknown") return held;
  const odds = (share) => (1 - share) / share, price = now.fp ? now.fn / now.fp : Infinity, change = odds(now.share) / odds(given.prevalence);
  const rough = (value) => (value >= 999.5 ? count(rounded(value)) : digits(value, value >= 10 ? 3 : 2)), ranges = new Map();
  data.again.cheapest.forEach(([model, from, to]) => {
    const low = from * change, high = to === "inf" ? Infinity : to * change;
    if (model === null || model === first.name || !(low < 10 * price && high > price / 10)) return;
    const text = low === 0 ? "fewer than " + rough(high) : high === Infinity ? "more than " + rough(low) : rough(low) + " to " + rough(high);
    ranges.set(model, [...(ranges.get(model) || []), text]);
  });
  const told = [...ranges].map(([model, texts]) => model + " costs less on these rows (a miss worth " + texts.join(" or ") + " false alarms)").slice(0, 3);
  return told.length ? { ...held, agree: [held.agree[0] === "yes" ? "partly" : "no", held.agree[1] + "; at other costs " + told.join(", ")] } : held;
}

/* Lines above calibration say the same, of the model that leads and then of others. */
function showTrust(name, told) {
  const held = data.again.checks, known = [name, ...data.again.trusting.filter((each) => each !== name)];
  const lines = [...document.querySelectorAll("#part-trust ~ .words li bdi")].slice(0, data.again.trusting.length);
  lines.forEach((line, i) => {
    const [answer, text] = i ? trustAt(held[known[i]].probabilities, now.share) : told;
    line.textContent = known[i] + ": " + answer + ": " + text;
  });
}

function showChecks(held) {
  document.querySelectorAll("[data-check]").forEach((card) => {
    const [answer, text] = held[card.dataset.check];
    card.className = "check " + answer;
    card.querySelector(".mark").textContent = { yes: "\u2713", partly: "~", no: "\u2717", unknown: "?" }[answer];
    card.querySelector("strong + span").textContent = answer;
    card.querySelector("bdi").textContent = text;
  });
}

/* All that a decision says of itself, as the library says it. */
function sentences(first, others, alike, checked, pays) {
  return [headline(first, others, alike, pays), ...(pays ? [...asWellWithout(alike), ...besideIt(first, others)] : []), withoutModel(alike),
    ...(checked && checked.agree[0] === "no" ? ["The measures disagree: " + checked.agree[1]] : []), ...(pays ? aboutThreshold(first) : [])];
}

function chosenCourses() {
  const courses = data.models.map(({ name }) => {
    const columns = data.operating[name], i = cheapest(columns), [tp, fp] = [columns.tp[i], columns.fp[i]];
    return { name, tp, fp, cut: columns.threshold[i], threshold: tp || fp ? limit(columns._threshold[i]).replace(/ \(.*/, "") : "none", ...course(...ratesAt(columns, i)) };
  });
  return courses.sort((a, b) => a.cost - b.cost);
}

function courseRow(one, first, names) {
  const row = element("tr", undefined, { role: "row" }), [more, interval] = one === first ? [""] : one.more ? moreText(one.more).split(/ (?=\[)/) : [signed(one.cost - first.cost), "interval unknown at these costs"];
  const cells = [one.threshold, ...shownCounts(one, shownDecimals).map(count), money(one.cost), more + (interval ? " " : "")];
  row.append(element("th", one.shown || one.name, { scope: "row", role: "rowheader" }), ...cells.map((text, i) => labelled(element("td", text, { role: "cell" }), names[i + 1])));
  if (interval) row.lastChild.append(element("small", interval));
  return row;
}

/* The same for programs: numbers, as the library's own table has them. */
function courseValues(one, first) {
  const more = one === first ? null : one.more ? { estimate: one.more.estimate, low: one.more.low, high: one.more.high } : { estimate: one.cost - first.cost, low: null, high: null };
  return [one.shown || one.name, one.cut, one.found, one.missed, one.alarms, one.cost, more];
}

/* Courses of the table without a model: as the page names them. */
function withoutNames() {
  return madeRows.slice(-2).map((row) => row.cells[0].textContent.trim());
}

function decideAgain(body) {
  const courses = chosenCourses(), [first, ...others] = courses, [nobody, everybody] = withoutNames(), n = data.again.sure ? data.again.sure.n : [0, 0];
  const alike = [{ name: null, whom: "nobody", shown: nobody, cut: "inf", threshold: "none", tp: 0, fp: 0, ...course(0, 0) },
    { name: null, whom: "everybody", shown: everybody, all: true, cut: "-inf", threshold: "all", tp: n[0], fp: n[1], ...course(1, 1) }];
  shownDecimals = decimalsFor([...courses, ...alike]);
  const sure = compareCosts(first, others, alike), pays = first.cost < Math.min(...alike.map((one) => one.cost));
  const checked = checksOf(first, pays && sure && !settled(others, alike)), names = [...byId("table-decision").tHead.rows[0].cells].map((cell) => cell.textContent);
  body.replaceChildren(...[...courses, ...alike].map((one) => courseRow(one, first, names)));
  decisionValues = [...courses, ...alike].map((one) => courseValues(one, first));
  if (![...courses, ...alike].every(makesUp)) byId("decision-note").textContent += " Counts and costs are rounded.";
  const [top, ...rest] = sentences(first, others, alike, checked, pays);
  const lines = [...(data.parts ? partsSaid(first, pays) : []), ...rest, ...data.moved];
  byId("verdict").textContent = (data.parts && data.parts.before || "") + top;
  if (checked) { showChecks(checked); showTrust(first.name, checked.probabilities); }
  const list = element("ul", undefined, { className: "why" });
  list.append(...lines.map((line) => element("li", line)));
  const unsure = sure ? "" : " How sure the differences are was computed for the costs given when the page was made: a false alarm " + number0(given.cost_fp)
    + ", a miss " + number0(given.cost_fn) + ", " + number0(100 * given.prevalence) + "% positive. Make the page again with yours to know.";
  byId("as-typed").replaceChildren(list, element("p", "Costs and prevalence are those typed below." + unsure, { className: "note" }));
  drawCosts("Cost of " + ofCases() + " beyond " + first.name, others.map((one) => {
    const { estimate, low, high } = one.more || { estimate: one.cost - first.cost, low: one.cost - first.cost, high: one.cost - first.cost };
    return { model: one.name, row: one.name, estimate, low, high };
  }));
}

/* Whether counts as they are shown give the cost as it is shown. */
function makesUp(one) {
  const [, missed, alarms] = shownCounts(one, shownDecimals);
  return money(missed * now.fn + alarms * now.fp) === money(one.cost);
}

function drawCosts(title, lines) {
  const heading = byId("cost-differences-title");
  if (!heading) return;
  heading.textContent = title;
  update("cost-differences", (view) => view.data("against", lines));
}
