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
  return [h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": t("compare") },
    h("table", { class: "compare" },
      h("thead", null, h("tr", null, h("th", { scope: "col" }, t("aspect")), h("td", null, choice("left", a.name)), h("td", null, choice("right", b.name)), h("th", { scope: "col" }, h("span", { class: "hidden-text" }, t("differs"))))),
      h("tbody", null, compareRows(a, b)))), besideBlock(a, b)];
}

function compareRows(a, b) {
  const kinds = [...new Set([...a.cells, ...b.cells].map((cell) => cell[0]))];
  const rows = kinds.map((kind) => {
    const [left, right] = [a, b].map((one) => one.cells.filter((cell) => cell[0] === kind).flatMap(([, channel, list]) => list.map(([exposure, times]) => [`${channel} ${exposure}`, times])));
    const isBoth = left.length > 0 && right.length > 0;
    return compareRow(t(kind), [left, right].map((list, at) => list.map((pair) => seenTag(at ? b : a, pair))), isBoth ? !isSame(left, right) : null);
  });
  rows.push(compareRow(t("shapes"), [a, b].map((one) => one.shapes.map(([name, times]) => h("code", null, `${name} ${count(times)}`))), null));
  rows.push(compareRow(t("outcomes"), [a, b].map((one) => one.outcomes.map(([name, times]) => outcomeTag(name, times))), null));
  return rows;
}

function isSame(left, right) {
  const names = (list) => list.map((one) => one[0]).sort().join();
  return names(left) === names(right);
}

// One exposure on one channel; it leads to the rounds that show it.
function seenTag(topology, [name, times]) {
  const [channel, exposure] = name.split(" ");
  const label = `${topology.name}: ${t(exposure)} ${count(times)}, ${t(channel)}`;
  return h("span", { class: "wrap" },
    button([h("span", { class: "glyph", "aria-hidden": "true" }, GLYPHS[exposure]), ` ${t(exposure)} ${count(times)}`], () => filterBy({ topology: topology.name, exposure }, "rounds"), { class: `tag ${exposure}`, "aria-label": label, title: label }),
    h("span", { class: "muted" }, t(channel)));
}

// `differs`: null where only one side has any of it, so that there is nothing to compare.
function compareRow(name, sides, differs) {
  const mark = differs === null ? null : differs ? h("span", { class: "tag sev error" }, "≠ ", t("differs")) : h("span", { class: "muted" }, "= ", t("equal"));
  return h("tr", { class: differs ? "differs" : null }, h("th", { scope: "row" }, name),
    sides.map((shown) => h("td", null, shown.length ? h("span", { class: "wrap wide" }, shown) : h("span", { class: "muted" }, t("nothing_seen")))),
    h("td", { class: "mark" }, mark));
}
