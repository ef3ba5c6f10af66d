// What is chosen, the findings that it leaves, and links that lead straight to a thing.

const FINDINGS = DATA.findings || [];
const ROUNDS = DATA.rounds || [];
const VIEWS = DATA.views || [];
const GRAVE = ["error", "warning"];
const EMPTY = { topology: "", rule: "", severity: FINDINGS.some((one) => GRAVE.includes(one.severity)) ? "grave" : "", exposure: "", text: "", waived: true };
const state = { filters: { ...EMPTY }, shown: 60, rounds: 40, finding: null, round: null, left: null, right: null };

const byRound = new Map();
FINDINGS.forEach((one, at) => {
  if (one.round !== null) byRound.set(one.round, [...(byRound.get(one.round) || []), at]);
});

const ids = new Map();
ROUNDS.forEach((one, at) => {
  const name = `round-${encodeURIComponent(roundName(one).replace(/[\s[\]]+/g, "-").replace(/-$/, ""))}`;
  let id = name;
  for (let more = 2; ids.has(id); more += 1) id = `${name}-${more}`;
  ids.set(id, at);
  one.id = id;
});
FINDINGS.forEach((one) => {
  const source = one.round === null ? "" : roundName(ROUNDS[one.round]);
  one.hay = [one.rule, DATA.rules[one.rule].slug, one.message, one.source, source, ...one.names].join("\n").toLowerCase();
});

const viewOf = new Map();
VIEWS.forEach((view, at) => {
  viewOf.set(view.round, at);
  view.remotes.forEach(([round]) => viewOf.set(round, at));
});

function matches(one) {
  const wanted = state.filters;
  return (!wanted.topology || one.topologies.includes(wanted.topology))
    && (!wanted.rule || one.rule === wanted.rule)
    && (!wanted.severity || one.severity === wanted.severity || (wanted.severity === "grave" && GRAVE.includes(one.severity)))
    && (!wanted.exposure || (one.asked && one.asked[0] === wanted.exposure))
    && (wanted.waived || !one.waived)
    && (!wanted.text || one.hay.includes(wanted.text.toLowerCase()));
}

function isFiltered() {
  return Object.keys(EMPTY).some((name) => state.filters[name] !== EMPTY[name]);
}

function go(id) {
  if (location.hash === `#${id}`) follow();
  else location.hash = id;
}

function follow() {
  const id = location.hash.slice(1);
  const at = FINDINGS.findIndex((one) => id === `finding-${one.id}`);
  if (at >= 0) return openFinding(at);
  const pair = pairIds.get(id);
  if (pair !== undefined) return openPair(pair);
  const round = ids.get(id);
  if (round !== undefined) return openRound(round);
  if (id.startsWith("topology-")) return filterBy({ topology: decoded(id.slice(9)) });
  return undefined;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function reveal(node, focus) {
  node.scrollIntoView({ block: "start" });
  if (focus) focus.focus({ preventScroll: true });
}
