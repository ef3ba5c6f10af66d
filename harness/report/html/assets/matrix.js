// The matrix: topology by what the client saw. A number leads to what is behind it.

function matrixSection() {
  const rows = DATA.matrix || [];
  const heads = ["topology", "rounds", "events", "outcomes", "native", "masked", "leaked", "declared", "findings"];
  const words = { topology: "topology" };
  return h("section", { id: "matrix", "aria-labelledby": "matrix-title" },
    h("h2", { id: "matrix-title" }, t("matrix")),
    h("p", { class: "hint" }, t("matrix_hint")),
    h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": t("matrix") },
      h("table", { class: "matrix" },
        h("thead", null, h("tr", null, heads.map((name) => h("th", { scope: "col", class: EXPOSURES.includes(name) ? `num ${name}` : name === "rounds" || name === "events" ? "num" : null },
          EXPOSURES.includes(name) ? [h("span", { class: "glyph", "aria-hidden": "true" }, GLYPHS[name]), " "] : null, t(words[name] || name))))),
        h("tbody", null, rows.map(matrixRow)))),
    DATA.left_out && DATA.left_out.rows ? h("p", { class: "muted" }, t("left_out.rows", { count: count(DATA.left_out.rows) })) : null);
}

function matrixRow(row) {
  return h("tr", { "data-topology": row.name },
    h("th", { scope: "row" }, button(row.name, () => filterBy({ topology: row.name }, "rounds"), { class: "link", title: t("show_rounds", { name: row.name }) }),
      row.kind ? h("span", { class: "muted kind" }, row.kind) : null),
    h("td", { class: "num", "data-name": t("rounds") }, count(row.rounds)),
    h("td", { class: "num", "data-name": t("events") }, count(row.events)),
    h("td", { class: "outcomes" }, h("span", { class: "wrap" }, row.outcomes.map(([name, times]) => outcomeTag(name, times)))),
    ["native", "masked", "leaked", "declared"].map((name) => matrixCell(row, name)),
    h("td", { class: "found" }, matrixFindings(row)));
}

function matrixCell(row, exposure) {
  const number = row[exposure];
  if (!number) return h("td", { class: "num zero" }, "0");
  const hasFindings = FINDINGS.some((one) => one.topologies.includes(row.name) && one.asked && one.asked[0] === exposure);
  const act = () => filterBy({ topology: row.name, exposure }, hasFindings ? "findings" : "rounds");
  const label = t("cell_label", { topology: row.name, exposure: t(exposure), count: count(number) });
  return h("td", { class: `num cell ${exposure}`, "data-name": t(exposure) }, button(count(number), act, { "aria-label": label, title: label }));
}

function matrixFindings(row) {
  const kinds = [["error", row.errors], ["warning", row.warnings], ["info", row.infos]].filter((one) => one[1]);
  const waived = row.waived ? h("span", { class: "muted" }, `${count(row.waived)} ${t("waived_count")}`) : null;
  if (!kinds.length && !waived) return h("span", { class: "muted" }, "0");
  return h("span", { class: "wrap" }, kinds.map(([severity, number]) => {
    const label = `${row.name}: ${count(number)} ${t(`${severity}s`)}`;
    return button([h("span", { class: "glyph", "aria-hidden": "true" }, SIGNS[severity]), ` ${count(number)}`], () => filterBy({ topology: row.name, severity }, "findings"), { class: `tag sev ${severity}`, "aria-label": label, title: label });
  }), waived);
}
