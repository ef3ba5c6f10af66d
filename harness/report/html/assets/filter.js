// The filters of findings and rounds.

function filterBar() {
  const choices = {
    topology: [...new Set([...(DATA.matrix || []).map((one) => one.name), ...FINDINGS.flatMap((one) => one.topologies)])],
    rule: [...new Set(FINDINGS.map((one) => one.rule))].sort(),
    severity: ["grave", ...SEVERITIES],
    exposure: EXPOSURES,
  };
  const choice = (name) => h("label", null, h("span", null, t(name)), h("select", { "data-filter": name, "on:change": (event) => filterBy({ [name]: event.target.value }, "") },
    h("option", { value: "" }, t("all")),
    choices[name].map((value) => h("option", { value, selected: state.filters[name] === value }, name === "severity" || name === "exposure" ? t(value) : value))));
  return h("form", { class: "filters", role: "search", "aria-label": t("filter"), "on:submit": (event) => event.preventDefault() },
    ["topology", "rule", "severity", "exposure"].map(choice),
    h("label", { class: "grow" }, h("span", null, t("text")), h("input", { type: "search", "data-filter": "text", placeholder: t("text_hint"), value: state.filters.text, autocomplete: "off", spellcheck: "false", "on:input": (event) => filterBy({ text: event.target.value }, "") })),
    FINDINGS.some((one) => one.waived) ? h("label", { class: "check" }, h("input", { type: "checkbox", checked: state.filters.waived, "data-filter": "waived", "on:change": (event) => filterBy({ waived: event.target.checked }, "") }), h("span", null, t("with_waived"))) : null,
    button(t("clear"), () => filterBy({ ...EMPTY }, "", true), { class: "clear", hidden: !isFiltered() }));
}

// Filters anew; `to` is the part of the page that is then looked at.
function filterBy(wanted, to = "findings", fresh = false) {
  const base = fresh || to ? EMPTY : state.filters;
  state.filters = { ...base, ...wanted };
  state.shown = 60;
  state.rounds = 40;
  state.finding = null;
  for (const control of document.querySelectorAll("[data-filter]")) {
    const value = state.filters[control.dataset.filter];
    if (control.type === "checkbox") control.checked = value;
    else if (control.value !== value) control.value = value;
  }
  document.querySelector(".filters .clear").hidden = !isFiltered();
  drawFindings();
  drawRounds();
  if (to) reveal(document.getElementById(to), document.querySelector(`#${to} .row > button`) || document.getElementById(`${to}-title`));
}
