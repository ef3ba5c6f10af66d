// What was not checked, not read, waived, or compared with an older report.

function notesSection() {
  const parts = [baselinePart(), waiversPart(), uncheckedPart(), unreadPart()].filter(Boolean);
  return h("section", { id: "notes", "aria-labelledby": "notes-title" }, h("h2", { id: "notes-title" }, t("notes")), parts.length ? parts : h("p", { class: "hint" }, t("all_checked")));
}

function listTable(label, heads, rows) {
  return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": label }, h("table", null,
    h("thead", null, h("tr", null, heads.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", null, rows.map((cells) => h("tr", null, cells.map((cell) => h("td", null, cell)))))));
}

function uncheckedPart() {
  const rows = DATA.not_checked || [];
  return rows.length ? [h("h3", null, t("not_checked")), listTable(t("not_checked"), [t("reason"), t("rules_of"), t("rounds")], rows.map(([reason, rules, rounds]) => [
    reason, h("span", { class: "wrap" }, rules.map((rule) => h("code", null, rule))), rounds ? count(rounds) : t("once"),
  ]))] : null;
}

function unreadPart() {
  const rows = DATA.unread || [];
  const more = DATA.left_out && DATA.left_out.unread;
  return rows.length ? [h("h3", null, t("unread")), listTable(t("unread"), [t("source"), t("reason"), t("bytes")], rows.map(([source, reason, span]) => [
    h("code", { class: "path" }, source), reason, span ? `${count(span[0])}–${count(span[1])}` : "",
  ])), more ? h("p", { class: "muted" }, t("left_out.unread", { count: count(more) })) : null] : null;
}

function waiversPart() {
  const used = new Set(FINDINGS.map((one) => one.waived));
  const rows = (DATA.waivers || []).filter((one) => used.has(one.id));
  return rows.length ? [h("h3", null, t("waivers")), listTable(t("waivers"), ["", t("rule"), t("reason"), t("owner"), t("expires"), t("issue")], rows.map((one) => [
    h("code", null, one.id), one.rule, one.reason, one.owner, one.expires, one.issue,
  ]))] : null;
}

function baselinePart() {
  const one = DATA.baseline;
  if (!one) return null;
  return [
    h("h3", null, t("against", { file: one.file })),
    h("p", null, t("baseline", { new: count(one.new), known: count(one.known), fixed: count(one.fixed_all), unjudged: count(one.unjudged) })),
    one.fixed.length ? listTable(t("fixed"), [t("rule"), t("scenario"), t("fixed")], one.fixed.map(([rule, scenario, round, message]) => [rule, scenario === null ? "" : `${scenario} r${round}`, message])) : null,
  ];
}
