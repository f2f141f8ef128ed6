// How found pages are ordered: pages that answer a question before those of single names, tables and history.
const GUIDES = 12, LATER = ["repository/", "sources/", "coverage", "measures", "remarks", "duplicates", "agreement"];
var Scorer = {
  score: ([page, , , , score]) => {
    if (page === "questions") return score + 1.5 * GUIDES;
    if (LATER.some((start) => page.startsWith(start))) return score;
    return page.includes("/") ? score + GUIDES / 4 : score + GUIDES;
  },
  objNameMatch: 40,  // a name that was typed in full leads to its page
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
