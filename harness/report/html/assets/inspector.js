// What was chosen in a drawing, below it.

function inspector(items, close) {
  const shown = items.slice(0, 12);
  return h("div", { class: "inspector", tabindex: "-1", role: "region", "aria-label": t("selected") },
    h("div", { class: "inspector-head" }, h("h3", null, t("selected")), h("span", { class: "grow" }), button(t("close"), close, { class: "small" })),
    shown.map((item) => h("div", { class: "item" }, ITEMS[item.type](item))),
    items.length > shown.length ? h("p", { class: "muted" }, t("more_asked", { count: count(items.length - shown.length) })) : null);
}

const ITEMS = {
  request: ({ round }) => [h("h4", null, t("mark.request")), requestBlock(ROUNDS[round])],
  end: ({ round }) => {
    const one = ROUNDS[round];
    const last = one.track.frames[one.track.frames.length - 1];
    return [h("h4", { class: "wrap" }, outcomeTag(one.outcome, 1), " ", endText(one)), last ? frameViewer(round, [last.n, null, ...last.s], one.source) : null];
  },
  finding: ({ finding }) => {
    const one = FINDINGS[finding];
    return [h("h4", { class: "wrap" }, severityTag(one.severity), h("a", { href: `#finding-${one.id}` }, `${one.rule} ${DATA.rules[one.rule].slug}`)), h("p", null, one.message), frameViewer(one.round, one.place, one.source)];
  },
  step: ({ round, step }) => [
    h("h4", null, step[5] ? t("mark.state", { state: step[5] }) : `${step[3]} ${step[4]}`, step[2] > 1 ? ` × ${count(step[2])}` : ""),
    step[7] ? h("p", { class: "quote" }, step[7]) : null,
    frameViewer(round, [step[0], null, null, null], ROUNDS[round].source),
  ],
  asked: ({ round, one, place }) => [
    h("h4", { class: "wrap" }, exposureTag(one.exposure), " ", askedText(one)),
    askedFacts(one, place),
    frameViewer(round, place, ROUNDS[round].source),
    relatedBlock(one.related),
  ],
  call: ({ round }) => {
    const one = ROUNDS[round];
    const last = one.track && one.track.frames[one.track.frames.length - 1];
    return [
      h("h4", { class: "wrap" }, h("a", { href: `#${one.id}` }, roundName(one)), outcomeTag(one.outcome, 1), h("code", { class: "path" }, one.source)),
      h("div", { class: "columns" }, h("div", null, h("h5", null, t("request")), requestBlock(one)), h("div", null, h("h5", null, t("answer")), last ? frameViewer(round, [last.n, null, ...last.s], one.source) : null)),
      findingsOf(round), stepsTable(round),
    ];
  },
  model: ({ one }) => [
    h("h4", null, t("mark.model", { ms: count(one.ms) })),
    pairs([
      [t("source"), h("code", { class: "path" }, one.source)],
      one.last ? [t("asks_model"), [h("code", null, one.role), " ", h("span", { class: "quote" }, one.last)]] : null,
      one.calls.length ? [t("model_calls"), h("span", { class: "wrap" }, one.calls.map((name) => h("code", null, name)))] : null,
      one.text ? [t("model_text"), h("span", { class: "quote" }, one.text)] : null,
      one.flaw ? [t("error"), one.flaw] : null,
    ]),
  ],
};

function askedFacts(one, place) {
  return pairs([
    [t("call_id"), one.call && h("code", null, one.call)],
    [t("tool"), one.tool && h("code", null, one.tool)],
    [t("agent"), one.agent && h("code", null, one.agent)],
    [t("prompt"), one.prompt && h("span", { class: "quote" }, one.prompt)],
    [t("shape"), h("span", null, h("code", null, one.shape), one.times > 1 ? ` · ${t("sightings", { count: count(one.times) })}` : "")],
    place[1] ? [t("pointer"), h("code", { class: "path" }, place[1])] : null,
  ]);
}

function findingsOf(round) {
  const found = byRound.get(round) || [];
  return found.length ? h("p", { class: "wrap" }, found.slice(0, 30).map((at) => h("a", { class: `tag sev ${FINDINGS[at].severity}`, href: `#finding-${FINDINGS[at].id}` }, FINDINGS[at].rule))) : null;
}

function stepsTable(round) {
  const track = ROUNDS[round].track;
  if (!track || !track.steps.length) return null;
  const node = h("details", { class: "steps" }, h("summary", null, `${t("steps")} (${count(track.steps.length)})`));
  node.addEventListener("toggle", () => {
    if (node.open && !node.querySelector("table")) node.append(stepsBody(track));
  });
  return node;
}

function stepsBody(track) {
  const range = (step) => (step[0] === step[1] ? count(step[0]) : `${count(step[0])}–${count(step[1])}`);
  return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": t("steps") }, h("table", null,
    h("thead", null, h("tr", null, ["step.frames", "step.kind", "step.what", "step.chars"].map((name) => h("th", { scope: "col" }, t(name))))),
    h("tbody", null, track.steps.map((step) => h("tr", null, h("td", { class: "num" }, range(step)), h("td", null, step[3] === "mixed" ? t("mixed") : step[3]),
      h("td", null, [step[5] ? h("strong", null, step[5]) : null, step[4], step[2] > 1 ? `× ${count(step[2])}` : null, step[7] ? h("span", { class: "quote" }, step[7]) : null].filter(Boolean).flatMap((part) => [part, " "])),
      h("td", { class: "num" }, step[6] ? count(step[6]) : ""))))));
}
