// One finding, opened: why, where, the frame with its pointer, the remote request.

function findingRow(at) {
  const one = FINDINGS[at];
  const round = one.round === null ? null : ROUNDS[one.round];
  const isOpen = state.finding === at;
  const body = h("div", { class: "body", id: `body-${one.id}`, hidden: !isOpen });
  if (isOpen) put(body, findingBody(at));
  const head = button([
    severityTag(one.severity),
    h("span", { class: "rule" }, one.rule),
    h("span", { class: "message" }, one.message),
    h("span", { class: "where" }, round ? roundName(round) : t("across"), one.place[0] === null ? null : ` · ${t("frame_n", { number: count(one.place[0]) })}`, one.times > 1 ? ` · ${t("times", { count: count(one.times) })}` : null),
    one.waived || one.known ? h("span", { class: "tag quiet" }, one.waived ? t("waived", { id: one.waived }) : t("known_here")) : null,
  ], () => toggleFinding(at), { class: "row-head", "aria-expanded": String(isOpen), "aria-controls": body.id });
  return h("article", { class: `row ${one.severity}${one.waived ? " waived" : ""}`, id: `finding-${one.id}`, "aria-label": `${one.rule} ${one.message.slice(0, 80)}` }, head, body);
}

function findingBody(at) {
  const one = FINDINGS[at];
  const rule = DATA.rules[one.rule];
  const pointer = one.place[1];
  const also = one.also.filter((place) => place[0] !== null);
  const facts = pairs([
    [t("rule"), [h("strong", null, one.rule), " ", h("span", { class: "muted" }, lang === "zh" && rule.title_zh ? rule.title_zh : rule.slug)]],
    one.asked ? [t("exposure"), h("span", { class: "wrap" }, exposureTag(one.asked[0]), " ", t(one.asked[1]), " · ", t(one.asked[2]))] : null,
    [t("source"), one.source ? h("code", { class: "path" }, one.source) : ""],
    pointer ? [t("pointer"), h("code", { class: "path" }, pointer)] : null,
    one.place[2] === null ? null : [t("bytes"), `${count(one.place[2])}–${count(one.place[3])}`],
    also.length ? [t("also"), also.map((place) => t("frame_n", { number: count(place[0]) })).join(", ")] : null,
    one.names.length ? [t("names"), h("span", { class: "wrap" }, one.names.map((name) => h("code", null, name)))] : null,
    one.compares.length ? [t("compares"), h("span", { class: "wrap" }, one.compares.map(roundLink))] : null,
  ]);
  return [
    h("div", { class: "columns" },
      h("div", null, h("p", { class: "full" }, one.message), h("p", { class: "why" }, h("strong", null, `${t("why")}: `), rule[lang]), facts, relatedBlock(one.related || []), findingLinks(one, at)),
      h("div", null, one.place[0] === null ? h("p", { class: "empty" }, t("no_place")) : frameViewer(one.round, one.place, one.source)))];
}

function findingLinks(one, at) {
  return [
    h("p", { class: "wrap" },
      one.round === null ? null : button(t("in_round"), () => showInRound(at), { class: "small" }),
      h("a", { href: `#finding-${one.id}` }, t("link"))),
    h("div", { class: "commands" }, h("span", { class: "muted" }, t("commands")), one.look.map((command) => h("code", { class: "command" }, command))),
  ];
}

function roundLink(at) {
  const one = ROUNDS[at];
  return h("a", { href: `#${one.id}` }, roundName(one));
}

// The remote requests that a leak speaks of.
function relatedBlock(related) {
  if (!related.length) return null;
  return h("div", { class: "related" }, h("h3", null, t("related")), related.map((at) => {
    const one = ROUNDS[at];
    return h("div", { class: "card" }, h("div", { class: "wrap" }, roundLink(at), outcomeTag(one.outcome, 1)), requestBlock(one));
  }));
}

function requestBlock(one) {
  if (!one.request) return h("p", { class: "muted" }, `${t("request")}: ${t("no_answer")}`);
  return [
    h("p", { class: "muted" }, h("code", null, one.request.line), " ", one.request.method),
    one.request.body ? jsonBlock(one.request.body, `${t("request")} ${roundName(one)}`, null) : null,
    one.request.cut ? h("p", { class: "muted" }, t("cut", { count: count(one.request.cut) })) : null,
  ];
}
