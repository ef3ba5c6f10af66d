// The rounds: how each ended, who asked for what; opened, a round is drawn as swim lanes.

const attached = new Set(VIEWS.flatMap((view) => view.remotes.map(([round]) => round)));

const inOrder = ROUNDS.map((one, at) => at).sort((a, b) => compareRounds(ROUNDS[a], ROUNDS[b]) || a - b);
const isOneFolder = new Set(ROUNDS.map(folderOf)).size < 2;

function folderOf(one) {
  return one.source.replace(/[^/]*$/, "");
}

// By folder, scenario and number: r2 stands before r10.
function compareRounds(a, b) {
  const texts = [[folderOf(a), folderOf(b)], [a.scenario, b.scenario]].find(([left, right]) => left !== right);
  return texts ? (texts[0] < texts[1] ? -1 : 1) : a.round - b.round;
}

// The folder, before its first round, where there are several.
function folderName(at, before) {
  const name = folderOf(ROUNDS[at]);
  const isNew = before === undefined || folderOf(ROUNDS[before]) !== name;
  return isNew && !isOneFolder ? h("p", { class: "folder" }, h("code", null, name || "./")) : null;
}

function roundsSection() {
  return h("section", { id: "rounds", "aria-labelledby": "rounds-title" },
    h("h2", { id: "rounds-title", tabindex: "-1" }, t("rounds_head")),
    h("div", { id: "rounds-list", class: "list" }));
}

function roundMatches(at) {
  const one = ROUNDS[at];
  const wanted = state.filters;
  const found = (byRound.get(at) || []).map((number) => FINDINGS[number]);
  return (!wanted.topology || topologyOf(one) === wanted.topology)
    && (!wanted.exposure || one.asked.some((each) => each.exposure === wanted.exposure))
    && (!wanted.rule || found.some((each) => each.rule === wanted.rule))
    && (!wanted.severity || wanted.severity === EMPTY.severity || found.some((each) => each.severity === wanted.severity))
    && (!wanted.text || `${roundName(one)} ${one.source}`.toLowerCase().includes(wanted.text.toLowerCase()) || found.some(matches));
}

function drawRounds() {
  const chosen = inOrder.filter((at) => at === state.round || (!attached.has(at) && roundMatches(at)));
  const shown = chosen.filter((at, place) => place < state.rounds || at === state.round);
  const more = chosen.length - shown.length;
  const left = DATA.left_out || {};
  put(document.getElementById("rounds-list"), shown.map((at, place) => [folderName(at, shown[place - 1]), roundRow(at)]),
    more > 0 ? button(t("more_findings", { count: count(Math.min(more, 200)) }), () => { state.rounds += 200; drawRounds(); }, { class: "more" }) : null,
    ["rounds", "drawings"].map((name) => (left[name] ? h("p", { class: "muted" }, t(`left_out.${name}`, { count: count(left[name]) })) : null)));
  if (state.round !== null) fillRound(state.round, null);
}

function roundRow(at) {
  const one = ROUNDS[at];
  const isOpen = state.round === at;
  const found = (byRound.get(at) || []).map((number) => FINDINGS[number]).filter((each) => !each.waived);
  const head = button([
    h("span", { class: "name" }, roundName(one)),
    h("span", { class: "muted topology" }, one.topology || ""),
    outcomeTag(one.outcome, 1),
    h("span", { class: "wrap asked" }, askedCounts(one)),
    h("span", { class: "wrap counts" }, SEVERITIES.map((severity) => {
      const number = found.filter((each) => each.severity === severity).length;
      return number ? h("span", { class: `tag sev ${severity}` }, h("span", { class: "glyph", "aria-hidden": "true" }, SIGNS[severity]), ` ${count(number)} `, h("span", { class: "hidden-text" }, t(severity))) : null;
    })),
    h("span", { class: "where" }, `${count(one.events)} ${t("events")}`),
  ], () => toggleRound(at), { class: "row-head", "aria-expanded": String(isOpen), "aria-controls": `body-${at}` });
  return h("article", { class: "row round", id: one.id, "aria-label": roundName(one) }, head, h("div", { class: "body", id: `body-${at}`, hidden: !isOpen }));
}

function askedCounts(one) {
  const counts = new Map();
  for (const each of one.asked) counts.set(each.exposure, (counts.get(each.exposure) || 0) + 1);
  return EXPOSURES.filter((name) => counts.has(name)).map((name) => exposureTag(name, ` ${count(counts.get(name))}`));
}

function fillRound(at, chosen) {
  const body = document.getElementById(`body-${at}`);
  if (!body) return;
  const one = ROUNDS[at];
  const number = viewOf.get(at);
  const view = number === undefined ? null : VIEWS[number];
  const isHome = view && view.round === at && one.track;
  const facts = pairs([
    [t("source"), h("code", { class: "path" }, one.source)],
    [t("outcome"), [outcomeTag(one.outcome, 1), ` ${t("ending")}: ${one.ending}`, one.status ? ` · HTTP ${one.status}` : ""]],
    [t("topology"), one.topology],
    [t("leg"), one.leg],
    ["A2A", [one.dialect, one.binding].filter(Boolean).join(" · ")],
    [t("asked"), one.asked.length ? null : t("none")],
  ]);
  const home = view && !isHome ? h("p", null, button(`${t("open_round")}: ${roundName(ROUNDS[view.round])}`, () => openRound(view.round, { call: at }), { class: "small" })) : null;
  const lanes = isHome ? swim(view, chosen) : null;
  put(body, lanes, home, !view ? h("p", { class: "muted" }, t("no_drawing")) : null, findingsOf(at), facts, isHome ? null : requestBlock(one), stepsTable(at));
  if (lanes) lanes.draw();
}

function swim(view, chosen) {
  const node = h("div", { class: "swim" });
  const chart = h("div", { class: "chart" });
  const below = h("div", { class: "below" });
  let last = null;
  const close = () => {
    put(below);
    for (const marked of chart.querySelectorAll(".chosen")) marked.classList.remove("chosen");
    if (last) last.focus();
  };
  const open = (items, mark, quiet) => {
    for (const marked of chart.querySelectorAll(".chosen")) marked.classList.remove("chosen");
    if (mark) mark.classList.add("chosen");
    last = mark;
    const shown = inspector(items, close);
    put(below, shown);
    if (!quiet) shown.focus({ preventScroll: true });
  };
  let width = 0;
  const draw = () => {
    const room = Math.max(chart.clientWidth, 280);
    if (room === width) return;
    width = room;
    put(chart, drawing(view, width, open));
  };
  new ResizeObserver(draw).observe(chart);
  put(node, h("p", { class: "hint" }, view.us === null ? t("by_order") : t("by_time"), " · ", t("lanes_hint")), chart, legend(), below);
  if (chosen) open(chosenItems(chosen), null, true);
  node.draw = draw;
  return node;
}

function chosenItems(chosen) {
  if (chosen.call !== undefined) return [{ type: "call", round: chosen.call }];
  return [{ type: "finding", finding: chosen.finding }];
}

function legend() {
  return h("p", { class: "legend wrap", "aria-label": t("legend") }, EXPOSURES.map((name) => exposureTag(name)), h("span", { class: "muted" }, "▂▅▃ ", t("density")));
}

function toggleRound(at) {
  if (state.round === at) {
    state.round = null;
    drawRounds();
    history.replaceState(null, "", "#rounds");
    const row = document.getElementById(ROUNDS[at].id);
    if (row) row.querySelector(".row-head").focus({ preventScroll: true });
  } else {
    go(ROUNDS[at].id);
  }
}

// Opens a round; `chosen` is what is then looked at in its drawing. A remote call is shown in its round.
function openRound(at, chosen) {
  const number = viewOf.get(at);
  const view = number === undefined ? null : VIEWS[number];
  const isCall = view && view.round !== at;
  const shown = isCall ? view.round : at;
  const wanted = isCall && !chosen ? { call: at } : isCall && chosen ? chosen : chosen;
  state.round = shown;
  if (!roundMatches(shown) && isFiltered()) filterBy({ ...EMPTY }, "", true);
  drawRounds();
  fillRound(shown, wanted || null);
  const node = document.getElementById(ROUNDS[shown].id);
  reveal(wanted ? node.querySelector(".below") : node, node.querySelector(".row-head"));
}
