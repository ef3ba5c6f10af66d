// Two topologies side by side: kinds and channels by exposure, forms of asking, outcomes.

function compareSection() {
  const known = DATA.surface || [];
  const node = h("section", { id: "compare", "aria-labelledby": "compare-title" });
  const asks = [...known].sort((a, b) => leaks(b) - leaks(a) || b.cells.length - a.cells.length);
  state.left = known.some((one) => one.name === state.left) ? state.left : asks[0] && asks[0].name;
  state.right = known.some((one) => one.name === state.right) ? state.right : asks[1] && asks[1].name;
  put(node, h("h2", { id: "compare-title" }, t("compare")),
    known.length < 2 ? h("p", { class: "hint" }, t("compare_one")) : [h("p", { class: "hint" }, t("compare_hint")), compareTable(known, node)]);
  return node;
}

function leaks(one) {
  return one.cells.flatMap((cell) => cell[2]).filter((pair) => pair[0] === "leaked").reduce((sum, pair) => sum + pair[1], 0);
}

function compareTable(known, node) {
  const [a, b] = [state.left, state.right].map((name) => known.find((one) => one.name === name));
  const choice = (side, value) => h("select", { id: `compare-${side}`, "aria-label": `${t("compare")}: ${t(`compare_${side}`)}`, "on:change": (event) => {
    state[side] = event.target.value;
    node.replaceWith(compareSection());
    document.getElementById(`compare-${side}`).focus();
  } }, known.map((one) => h("option", { value: one.name, selected: one.name === value }, one.name)));
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("compare") },
    h("table", { class: "compare" },
      h("thead", null, h("tr", null, h("th", { scope: "col" }, t("aspect")), h("td", null, choice("left", a.name)), h("td", null, choice("right", b.name)), h("th", { scope: "col" }, h("span", { class: "hidden-text" }, t("differs"))))),
      h("tbody", null, compareRows(a, b))));
}

function compareRows(a, b) {
  const keys = [...new Set([...a.cells, ...b.cells].map((cell) => `${cell[0]} ${cell[1]}`))].sort();
  const rows = keys.map((key) => {
    const [kind, channel] = key.split(" ");
    const [left, right] = [a, b].map((one) => (one.cells.find((cell) => cell[0] === kind && cell[1] === channel) || [0, 0, []])[2]);
    return compareRow([t(kind), h("span", { class: "muted" }, ` ${t(channel)}`)], left, right, (list) => list.map(([name, times]) => exposureTag(name, ` ${count(times)}`)), "");
  });
  rows.push(compareRow(t("shapes"), a.shapes, b.shapes, (list) => list.map(([name, times]) => h("code", null, `${name} ${count(times)}`)), "shapes"));
  rows.push(compareRow(t("outcomes"), a.outcomes, b.outcomes, (list) => list.map(([name, times]) => outcomeTag(name, times)), "outcomes"));
  return rows;
}

function compareRow(name, left, right, shown, kind) {
  const names = (list) => list.map((one) => one[0]).sort().join(" ");
  const isBoth = left.length && right.length;
  const differs = names(left) !== names(right) && (isBoth || kind === "");
  const cell = (list) => h("td", null, list.length ? h("span", { class: "wrap" }, shown(list)) : h("span", { class: "muted" }, t("nothing_seen")));
  return h("tr", { class: differs && isBoth && !kind ? "differs" : null },
    h("th", { scope: "row" }, name), cell(left), cell(right),
    h("td", { class: "verdict" }, differs ? h("span", { class: isBoth && !kind ? "tag sev error" : "tag" }, "≠ ", t("differs")) : left.length ? h("span", { class: "muted" }, "= ", t("equal")) : ""));
}
