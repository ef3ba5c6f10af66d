// The list of findings.

function findingsSection() {
  return h("section", { id: "findings", "aria-labelledby": "findings-title" },
    h("h2", { id: "findings-title", tabindex: "-1" }, t("findings_head")),
    filterBar(),
    h("p", { class: "hint", id: "findings-count" }),
    h("div", { id: "findings-list", class: "list" }));
}

function drawFindings() {
  const chosen = FINDINGS.map((one, at) => at).filter((at) => matches(FINDINGS[at]));
  const shown = chosen.slice(0, state.shown);
  const more = chosen.length - shown.length;
  const text = t("shown_of", { shown: count(chosen.length), all: count(FINDINGS.length) });
  put(document.getElementById("findings-count"), FINDINGS.length ? text : t("clean"));
  put(document.getElementById("findings-list"),
    shown.map(findingRow),
    FINDINGS.length && !chosen.length ? h("p", { class: "empty" }, t("no_findings")) : null,
    more > 0 ? button(t("more_findings", { count: count(Math.min(more, 200)) }), () => { state.shown += 200; drawFindings(); }, { class: "more" }) : null,
    DATA.left_out && DATA.left_out.findings ? h("p", { class: "muted" }, t("left_out.findings", { count: count(DATA.left_out.findings) })) : null);
}

function toggleFinding(at) {
  if (state.finding === at) {
    state.finding = null;
    redraw(at);
    history.replaceState(null, "", "#findings");
  } else {
    go(`finding-${FINDINGS[at].id}`);
  }
  focusHead(at);
}

function focusHead(at) {
  const row = document.getElementById(`finding-${FINDINGS[at].id}`);
  if (row) row.querySelector(".row-head").focus({ preventScroll: true });
}

function redraw(at) {
  const node = at === null ? null : document.getElementById(`finding-${FINDINGS[at].id}`);
  if (node) node.replaceWith(findingRow(at));
}

function openFinding(at) {
  if (!matches(FINDINGS[at])) filterBy({ ...EMPTY, severity: "" }, "", true);
  const before = state.finding;
  const place = FINDINGS.filter((one, other) => other < at && matches(one)).length;
  state.finding = at;
  if (place >= state.shown) {
    state.shown = place + 20;
    drawFindings();
  } else {
    redraw(before);
    redraw(at);
  }
  const node = document.getElementById(`finding-${FINDINGS[at].id}`);
  reveal(node, node.querySelector(".row-head"));
}

function showInRound(at) {
  const one = FINDINGS[at];
  openRound(one.round, { finding: at });
}
