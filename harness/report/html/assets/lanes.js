// A round as swim lanes: findings, client, control and content channel, each remote leg, the model.

const STATES = { completed: "good", failed: "bad", rejected: "bad", canceled: "bad", "input-required": "open", "auth-required": "open" };
const RISKS = ["leaked", "unknown", "masked", "native", "declared"];

function lanesOf(view, geo) {
  const home = ROUNDS[view.round];
  const track = home.track;
  const at = new Map(track.at);
  const [began, ended] = [geo.x(view.at[0]), geo.x(view.at[1])];
  const lanes = [
    { id: "findings", name: t("lane.findings"), height: 26, marks: findingMarks(view.round, at, geo) },
    { id: "client", name: t("lane.client"), height: 34, line: [began, ended], marks: [
      { x: began, kind: "request", label: t("mark.request"), items: [{ type: "request", round: view.round }] },
      { x: ended, kind: "end", tone: GOOD.includes(home.outcome) ? "good" : home.outcome === "INCONCLUSIVE" ? "open" : "bad", label: endText(home), items: [{ type: "end", round: view.round }] },
      ...eventMarks(view.round, geo, ["error", "malformed", "foreign", "sentinel"])] },
    { id: "control", name: t("lane.control"), height: 38, line: [began, ended], strip: track.strips.control, marks: [...eventMarks(view.round, geo, ["status", "task", "mixed"]), ...askedMarks(view.round, "control", at, geo)] },
    { id: "content", name: t("lane.content"), height: 58, line: [began, ended], strip: track.strips.content, marks: askedMarks(view.round, "content", at, geo) },
  ];
  const legs = [...new Set(view.remotes.map(([round]) => ROUNDS[round].leg))];
  for (const leg of legs) lanes.push(remoteLane(leg, view, geo));
  if (view.models.length) lanes.push(modelLane(view, geo));
  let top = 4;
  for (const lane of lanes) {
    lane.top = top + (geo.narrow ? 14 : 0);
    top = lane.top + lane.height;
    lane.middle = lane.top + lane.height / 2;
  }
  return { lanes, height: top + 26 };
}

function endText(one) {
  return t("mark.end", { outcome: one.outcome, ending: one.ending });
}

function findingMarks(round, at, geo) {
  const byFrame = new Map();
  for (const number of byRound.get(round) || []) {
    const frame = FINDINGS[number].place[0];
    if (at.has(frame)) byFrame.set(frame, [...(byFrame.get(frame) || []), number]);
  }
  return [...byFrame].map(([frame, numbers]) => {
    const severity = SEVERITIES.find((name) => numbers.some((one) => FINDINGS[one].severity === name));
    return { x: geo.x(at.get(frame)), kind: "finding", tone: severity, items: numbers.map((number) => ({ type: "finding", finding: number })) };
  });
}

// Events that are marks of their own; what asks something on the control channel is marked as that.
function eventMarks(round, geo, kinds) {
  const asks = new Set(ROUNDS[round].asked.filter((one) => one.channel === "control").flatMap((one) => one.at.map((place) => place[0])));
  return ROUNDS[round].track.steps.filter((step) => kinds.includes(step[3]) && !asks.has(step[0])).map((step) => ({
    x: geo.x(step[8]), kind: kinds[0] === "status" ? "state" : "fault", tone: STATES[step[5]] || "", label: step[5] ? t("mark.state", { state: step[5] }) : `${step[3]} ${step[4]}`,
    items: [{ type: "step", round, step }],
  }));
}

function askedMarks(round, channel, at, geo) {
  const made = [];
  for (const one of ROUNDS[round].asked) {
    if (one.channel !== channel) continue;
    for (const place of one.at) {
      if (at.has(place[0])) made.push({ x: geo.x(at.get(place[0])), kind: "asked", tone: one.exposure, label: askedText(one), related: one.related, items: [{ type: "asked", round, one, place }] });
    }
  }
  return made;
}

function remoteLane(leg, view, geo) {
  const bars = view.remotes.filter(([round]) => ROUNDS[round].leg === leg).map(([round, from, to]) => {
    const one = ROUNDS[round];
    return { from: geo.x(from), to: geo.x(to), kind: "call", tone: GOOD.includes(one.outcome) ? "" : "bad", round, columns: columnsOf(one, geo), label: t("mark.call", { name: leg, outcome: one.outcome }), items: [{ type: "call", round }] };
  });
  const rows = stacked(bars);
  return { id: "remote", name: leg, height: 16 + rows * 20, bars };
}

function modelLane(view, geo) {
  const bars = view.models.map((one) => ({ from: geo.x(one.x[0]), to: geo.x(one.x[1]), kind: "model", tone: one.flaw ? "bad" : "", label: t("mark.model", { ms: count(one.ms) }) + (one.calls.length ? `: ${one.calls.join(", ")}` : ""), items: [{ type: "model", one }] }));
  const rows = stacked(bars);
  return { id: "model", name: t("lane.model"), height: 16 + rows * 14, bars };
}

// The drawing. `open` is called with the items of the mark that was chosen.
function drawing(view, width, open) {
  const geo = geometry(width);
  const { lanes, height } = lanesOf(view, geo);
  const home = ROUNDS[view.round];
  const svg = s("svg", { class: "lanes", width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": t("lanes", { name: roundName(home) }) });
  for (const [place, text] of ticks(view, home.events, geo)) {
    const x = geo.x(place);
    svg.append(s("line", { class: "tick", x1: x, x2: x, y1: 4, y2: height - 22 }), s("text", { class: "tick-text", x, y: height - 7, "text-anchor": place > 9700 ? "end" : place < 300 ? "start" : "middle" }, text));
  }
  const marks = [];
  for (const lane of lanes) drawLane(svg, lane, geo, marks, open);
  drawLinks(svg, lanes);
  for (const row of marks) for (const mark of row) svg.append(mark);
  rove(svg, marks.filter((row) => row.length));
  return svg;
}

function drawLane(svg, lane, geo, marks, open) {
  svg.append(s("line", { class: "lane-line", x1: 0, x2: geo.width, y1: lane.top + lane.height, y2: lane.top + lane.height }));
  svg.append(s("text", { class: `lane-name ${lane.id}`, x: geo.narrow ? 0 : 2, y: geo.narrow ? lane.top - 2 : lane.middle + 4 }, clipped(lane.name, geo.narrow ? 40 : 20)));
  if (lane.line) svg.append(s("line", { class: "life", x1: lane.line[0], x2: lane.line[1], y1: lane.middle, y2: lane.middle }));
  if (lane.strip) svg.append(s("path", { class: `density ${lane.id}`, d: densityPath(lane.strip, geo.x(0), geo.x(WIDE), lane.top + lane.height - 3, lane.height - 10) }));
  const row = [];
  for (const group of clustered(lane.marks || [])) row.push(markNode(group, lane, open));
  for (const bar of lane.bars || []) row.push(barNode(bar, lane, open));
  marks.push(row);
}

function clipped(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

function markNode(group, lane, open) {
  const first = worst(group);
  const items = group.flatMap((mark) => mark.items);
  const x = group.length > 1 && first.kind !== "end" && first.kind !== "request" ? (group[0].x + group[group.length - 1].x) / 2 : first.x;
  const labels = [...new Set(group.map((mark) => mark.label || t("mark.finding", { count: mark.items.length })))];
  const label = group.length > 1 ? `${t("mark.many", { count: items.length })}: ${labels.slice(0, 4).join("; ")}` : labels[0];
  for (const mark of group) mark.drawn = x;
  const shape = glyphShape(first.kind === "asked" || first.kind === "finding" ? first.tone : first.kind, x, lane.middle);
  const number = items.length > 1 ? s("text", { class: "badge", x: x + 8, y: lane.middle - 6 }, items.length) : null;
  const target = s("rect", { class: "target", x: x - 12, y: lane.middle - 13, width: 24, height: 26 });
  const said = first.kind === "end" ? s("text", { class: "said", x: x - 9, y: lane.middle - 5, "text-anchor": "end" }, ROUNDS[items.find((item) => item.type === "end").round].outcome) : null;
  return markGroup(`mark ${first.kind} ${first.tone || ""}`, label, items, open, [target, shape, number, said], x);
}

function worst(group) {
  const rank = (mark) => [["end", "request"].includes(mark.kind) ? 0 : 1, [...SEVERITIES, ...RISKS].indexOf(mark.tone) + 1 || 99];
  return [...group].sort((a, b) => rank(a)[0] - rank(b)[0] || rank(a)[1] - rank(b)[1])[0];
}

function glyphShape(name, x, y) {
  if (name === "leaked") return s("path", { d: `M${x} ${y - 8}L${x + 8} ${y}L${x} ${y + 8}L${x - 8} ${y}Z` });
  if (name === "masked") return s("rect", { x: x - 6, y: y - 6, width: 12, height: 12, rx: 2 });
  if (name === "declared" || name === "warning") return s("path", { d: `M${x} ${y - 7}L${x + 7} ${y + 6}L${x - 7} ${y + 6}Z` });
  if (name === "error" || name === "fault") return s("path", { class: "cross", d: `M${x - 5} ${y - 5}L${x + 5} ${y + 5}M${x + 5} ${y - 5}L${x - 5} ${y + 5}` });
  if (name === "request") return s("path", { d: `M${x - 5} ${y - 7}L${x + 7} ${y}L${x - 5} ${y + 7}Z` });
  if (name === "end") return s("rect", { x: x - 4, y: y - 9, width: 8, height: 18, rx: 2 });
  return s("circle", { cx: x, cy: y, r: name === "info" || name === "state" ? 4 : 6 });
}

function barNode(bar, lane, open) {
  const height = bar.kind === "model" ? 10 : 16;
  const y = lane.top + 8 + bar.row * (height + 4);
  const width = Math.max(bar.to - bar.from, 6);
  bar.middle = y + height / 2;
  const shown = bar.columns ? densityWithin(bar, y, height) : null;
  return markGroup(`bar ${bar.kind} ${bar.tone}`, bar.label, bar.items, open, [s("rect", { x: bar.from, y, width, height, rx: 3 }), shown], bar.from);
}

// Where the events of a remote call came: its strip from the first column with an event to the last.
function columnsOf(one, geo) {
  const strip = one.track && one.track.strips.content;
  if (!strip) return null;
  const first = strip.findIndex((number) => number > 0);
  const last = strip.findLastIndex((number) => number > 0) + 1;
  return { strip: strip.slice(first, last), from: geo.x((first * WIDE) / strip.length), to: geo.x((last * WIDE) / strip.length) };
}

function densityWithin(bar, y, height) {
  const { strip, from, to } = bar.columns;
  const [left, right] = [Math.max(from, bar.from + 1), Math.min(to, Math.max(bar.to - 1, bar.from + 5))];
  return left < right ? s("path", { class: "density", d: densityPath(strip, left, right, y + height - 1, height - 4) }) : null;
}

function markGroup(kind, label, items, open, children, x) {
  const node = s("g", { class: kind, role: "button", tabindex: "-1", "aria-label": label }, s("title", null, label), children);
  const act = () => open(items, node);
  node.addEventListener("click", act);
  node.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      act();
    }
  });
  node.at = x;
  return node;
}

// Lines from what was asked of the client to the remote call that it speaks of.
function drawLinks(svg, lanes) {
  const bars = new Map(lanes.flatMap((lane) => lane.bars || []).filter((bar) => bar.round !== undefined).map((bar) => [bar.round, bar]));
  for (const lane of lanes) {
    for (const mark of lane.marks || []) {
      for (const round of mark.related || []) {
        const bar = bars.get(round);
        if (!bar) continue;
        const [x1, x2, y1, y2] = [mark.drawn, bar.from, lane.middle, bar.middle];
        svg.append(s("path", { class: `tie ${mark.tone}`, d: `M${x1} ${y1}C${x1} ${(y1 + y2) / 2} ${x2} ${(y1 + y2) / 2} ${x2} ${y2}` }));
      }
    }
  }
}

// One tab stop for the whole drawing; arrow keys move between its marks.
function rove(svg, rows) {
  let current = rows[0] && rows[0][0];
  if (!current) return;
  current.setAttribute("tabindex", "0");
  const to = (node) => {
    current.setAttribute("tabindex", "-1");
    node.setAttribute("tabindex", "0");
    node.focus();
    current = node;
  };
  svg.addEventListener("focusin", (event) => {
    const node = event.target.closest("[role=button]");
    if (node && node !== current) {
      current.setAttribute("tabindex", "-1");
      node.setAttribute("tabindex", "0");
      current = node;
    }
  });
  svg.addEventListener("keydown", (event) => {
    const row = rows.findIndex((one) => one.includes(current));
    const at = rows[row].indexOf(current);
    const nearest = (list) => list && list.reduce((best, one) => (Math.abs(one.at - current.at) < Math.abs(best.at - current.at) ? one : best));
    const next = { ArrowRight: rows[row][at + 1], ArrowLeft: rows[row][at - 1], ArrowDown: nearest(rows[row + 1]), ArrowUp: nearest(rows[row - 1]), Home: rows[row][0], End: rows[row][rows[row].length - 1] }[event.key];
    if (next) {
      event.preventDefault();
      to(next);
    }
  });
}
