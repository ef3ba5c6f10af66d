// What changed from A to B: pairs of rounds by the gravest change, both sides line by line.

const DIFF = DATA.diff || null;
const PAIRS = DIFF ? DIFF.pairs || [] : [];
const RANKS = ["contract", "shape", "text", "timing"];
const STEPS = { added: "+", removed: "−", changed: "~", reordered: "↕" };
const picked = { rank: "", text: "", shown: 100, open: null };

const pairIds = new Map();
PAIRS.forEach((one, at) => {
  const name = `pair-${encodeURIComponent(roundName(one).replace(/[\s[\]]+/g, "-").replace(/-$/, ""))}`;
  one.id = pairIds.has(name) ? `${name}-${at}` : name;
  pairIds.set(one.id, at);
  one.hay = [roundName(one), one.topology || "", ...one.changes.flatMap((each) => [each.name, each.before || "", each.after || ""])].join("\n").toLowerCase();
});

function changesSection() {
  const rank = h("select", { "data-pick": "rank", "on:change": (event) => pick({ rank: event.target.value }) },
    [["", t("different")], ...RANKS.map((name) => [name, t(`diff.${name}`)]), ["undecided", t("undecided_count")], ["equal", t("same")]]
      .map(([value, name]) => h("option", { value, selected: picked.rank === value }, name)));
  const text = h("input", { type: "search", "data-pick": "text", placeholder: t("pairs_hint"), value: picked.text, autocomplete: "off", spellcheck: "false", "on:input": (event) => pick({ text: event.target.value }) });
  return h("section", { id: "changes", "aria-labelledby": "changes-title" },
    h("h2", { id: "changes-title", tabindex: "-1" }, t("diff.title")),
    h("p", { class: "hint" }, t("changes_hint")),
    sidesOf(["A", "B"], [h("code", { class: "path" }, DIFF.a), h("code", { class: "path" }, DIFF.b)]),
    isAlone() ? null : verdict(DIFF),
    h("form", { class: "filters", role: "search", "aria-label": t("filter_changes"), "on:submit": (event) => event.preventDefault() },
      h("label", null, h("span", null, t("rank")), rank),
      h("label", { class: "grow" }, h("span", null, t("text")), text)),
    h("p", { class: "hint", id: "pairs-count" }),
    h("div", { id: "pairs-list", class: "list" }),
    unreadSides());
}

function pick(wanted) {
  Object.assign(picked, wanted, { shown: 100, open: null });
  drawPairs();
}

function pairMatches(one) {
  const differs = one.changes.length > 0 || one.more[0] > 0;
  const isRank = {
    "": differs || one.undecided.length > 0,
    equal: !differs && !one.undecided.length,
    undecided: one.undecided.length > 0,
  };
  const wanted = picked.rank in isRank ? isRank[picked.rank] : one.counts[picked.rank] > 0;
  return wanted && one.hay.includes(picked.text.toLowerCase());
}

function drawPairs() {
  const list = document.getElementById("pairs-list");
  if (!list) return;
  const chosen = PAIRS.map((one, at) => at).filter((at) => pairMatches(PAIRS[at]));
  const more = chosen.length - picked.shown;
  const alike = PAIRS.filter((one) => !one.changes.length && !one.more[0] && !one.undecided.length).length;
  put(document.getElementById("pairs-count"), t("pairs_shown", { shown: count(chosen.length), all: count(DIFF.rounds || 0), equal: count(alike) }));
  put(list, chosen.slice(0, picked.shown).map(pairRow),
    chosen.length ? null : h("p", { class: "empty" }, picked.rank || picked.text ? t("no_pairs") : t("no_changes")),
    more > 0 ? button(t("more_findings", { count: count(Math.min(more, 200)) }), () => { picked.shown += 200; drawPairs(); }, { class: "more" }) : null,
    DIFF.left_out && DIFF.left_out.pairs ? h("p", { class: "muted" }, t("left_out.pairs", { count: count(DIFF.left_out.pairs) })) : null);
}

function pairRow(at) {
  const one = PAIRS[at];
  const isOpen = picked.open === at;
  const ranks = RANKS.filter((rank) => one.counts[rank]);
  const head = button([
    h("span", { class: "name" }, roundName(one)),
    h("span", { class: "muted topology" }, one.topology || ""),
    h("span", { class: "wrap" }, outcomeOf(one.a), h("span", { class: "muted", "aria-hidden": "true" }, "→"), outcomeOf(one.b)),
    h("span", { class: "wrap counts" },
      ranks.map((rank) => h("span", { class: `tag rank ${rank}` }, `${t(`diff.${rank}`)} ${count(one.counts[rank])}`)),
      one.undecided.length ? h("span", { class: "tag sev warning" }, `▲ ${t("undecided_count")}`) : null,
      ranks.length || one.undecided.length ? null : h("span", { class: "muted" }, `= ${t("same")}`)),
  ], () => togglePair(at), { class: "row-head", "aria-expanded": String(isOpen), "aria-controls": `pair-body-${at}` });
  return h("article", { class: "row pair", id: one.id, "aria-label": roundName(one) }, head,
    h("div", { class: "body", id: `pair-body-${at}`, hidden: !isOpen }, isOpen ? pairBody(one) : null));
}

function outcomeOf(side) {
  return side ? outcomeTag(side.outcome, 1) : h("span", { class: "outcome bad" }, t("diff.missing"));
}

function togglePair(at) {
  const isOpen = picked.open === at;
  if (isOpen) {
    picked.open = null;
    drawPairs();
    history.replaceState(null, "", "#changes");
  } else {
    go(PAIRS[at].id);
  }
  document.getElementById(PAIRS[at].id).querySelector(".row-head").focus({ preventScroll: true });
}

// Opens a pair by its place; a filter that hides it is cleared.
function openPair(at) {
  if (!pairMatches(PAIRS[at])) Object.assign(picked, { rank: PAIRS[at].changes.length || PAIRS[at].undecided.length ? "" : "equal", text: "" });
  for (const control of document.querySelectorAll("[data-pick]")) control.value = picked[control.dataset.pick];
  picked.open = at;
  picked.shown = Math.max(picked.shown, at + 1);
  drawPairs();
  const node = document.getElementById(PAIRS[at].id);
  reveal(node, node.querySelector(".row-head"));
}
