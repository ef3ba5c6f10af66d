// One pair of rounds, opened: its changes by rank, then both sides line by line.

const LINE_ROOM = 200;

function pairBody(one) {
  return [
    sidesOf(["A", "B"], [one.a, one.b].map(sideFacts)),
    one.undecided.length ? h("div", { class: "card" }, h("h3", null, t("diff.undecided")), one.undecided.map((text) => h("p", null, text))) : null,
    RANKS.map((rank) => rankBlock(one, rank)),
    one.more[0] ? h("p", { class: "muted" }, t("more_changes", { count: count(one.more[0]) })) : null,
    one.rows.length ? [h("h3", null, t("both_sides")), linesTable(one)] : null,
    one.more[1] ? h("p", { class: "muted" }, t("left_out.lines", { count: count(one.more[1]) })) : null,
    one.notes.map((text) => h("p", { class: "muted" }, t("diff.note", { text }))),
    h("p", { class: "wrap" }, h("a", { href: `#${one.id}` }, t("link_pair")), roundsOf(one)),
  ];
}

function sidesOf(names, held) {
  return h("div", { class: "two" }, names.map((name, at) => h("div", { class: "side" }, h("strong", null, `${name} `), held[at])));
}

function sideFacts(side) {
  if (!side) return h("span", { class: "muted" }, t("diff.missing"));
  return h("span", { class: "wrap" }, h("code", { class: "path" }, side.source), outcomeTag(side.outcome, 1), h("span", { class: "muted" }, `${count(side.events)} ${t("events")} · ${t("ending")}: ${side.ending}`));
}

// The rounds of the report beside, where they are those of this pair.
function roundsOf(one) {
  return [one.a, one.b].flatMap((side) => ROUNDS.map((round, at) => at).filter((at) => side && ROUNDS[at].source === side.source && ROUNDS[at].round === one.round))
    .map((at) => h("a", { href: `#${ROUNDS[at].id}` }, `${t("open_round")}: ${roundName(ROUNDS[at])}`));
}

function rankBlock(one, rank) {
  const found = one.changes.filter((each) => each.rank === rank);
  if (!found.length) return null;
  return h("div", { class: `ranked ${rank}` },
    h("h3", { class: "wrap" }, h("span", { class: `tag rank ${rank}` }, t(`diff.${rank}`)), h("span", { class: "muted" }, count(one.counts[rank]))),
    h("ul", null, found.map(changeItem)));
}

function changeItem(one) {
  const isPlain = ["outcome", "http_status", "ending", "duration"].includes(one.subject);
  const [before, after] = [one.before, one.after].map((value) => changeValue(one, value) || null);
  const where = [["A", one.a], ["B", one.b]].filter((side) => side[1].event !== null).map(([name, place]) => `${name} ${t("frame_n", { number: count(place.event) })}`);
  const pointer = one.b.pointer || one.a.pointer;
  return h("li", null,
    h("span", { class: "step", "aria-hidden": "true" }, STEPS[one.operation]), " ",
    h("strong", null, t(`diff.subject.${one.subject}`)), isPlain || !one.name ? null : [": ", h("code", null, one.name)],
    one.operation === "reordered" ? ` (${t("diff.reordered")})` : null,
    one.count > 1 ? ` × ${count(one.count)}` : null,
    before === null ? null : [" ", h("del", { class: "quote" }, before)],
    after === null ? null : [before === null ? " " : " → ", h("ins", { class: "quote" }, after)],
    where.length || pointer ? h("span", { class: "muted where" }, ` ${where.join(", ")}`, pointer && where.length ? [" ", h("code", { class: "path" }, pointer)] : null) : null);
}

// `leaked delegation on content` in the reader's language.
function changeValue(one, value) {
  if (value === null || one.subject !== "interaction") return value;
  const [exposure, kind, , channel] = value.split(" ");
  return askedText({ exposure, kind, channel });
}

function linesTable(one) {
  const body = h("tbody", null, one.rows.slice(0, LINE_ROOM).map(lineRow));
  const rest = one.rows.length - LINE_ROOM;
  const more = rest > 0 ? button(t("more_lines", { count: count(rest) }), () => {
    add(body, one.rows.slice(LINE_ROOM).map(lineRow));
    more.remove();
  }, { class: "more" }) : null;
  return [h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": `${t("both_sides")}: ${roundName(one)}` },
    h("table", { class: "lines" },
      h("thead", null, h("tr", null, h("td", null), h("th", { scope: "col" }, "A"), h("th", { scope: "col" }, "B"))), body)), more];
}

function lineRow(one) {
  if (one.mark === "skipped") return h("tr", { class: "skipped" }, h("td", null), h("td", { colspan: "2" }, `… ${t("diff.skipped", { count: count(one.count) })}`));
  const [before, after] = one.mark === "changed" ? split(one.a, one.b) : [one.a, one.b];
  const cell = (number, said) => h("td", null, number === null ? null : h("span", { class: "muted number" }, `${count(number)} `), said);
  return h("tr", { class: `${one.mark} ${one.rank || ""}` },
    h("td", { class: "step" }, STEPS[one.mark] || "", one.rank ? h("span", { class: "hidden-text" }, t(`diff.${one.rank}`)) : null),
    cell(one.event_a, before), cell(one.event_b, after));
}

// Both texts with what differs marked: what they begin and end with alike is not.
function split(before, after) {
  const [a, b] = [Array.from(before || ""), Array.from(after || "")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return [a, b].map((text) => [text.slice(0, start).join(""), start < text.length - end ? h("mark", null, text.slice(start, text.length - end).join("")) : null, end ? text.slice(-end).join("") : null]);
}

// What of both sides could not be read at all.
function unreadSides() {
  const found = DIFF.undecided || [];
  if (!found.length) return null;
  return [h("h3", null, t("diff.undecided")), h("ul", null, found.map((one) => h("li", null, h("code", { class: "path" }, one.source), " ", one.reason))),
    DIFF.left_out.undecided ? h("p", { class: "muted" }, t("more_lines", { count: count(DIFF.left_out.undecided) })) : null];
}
