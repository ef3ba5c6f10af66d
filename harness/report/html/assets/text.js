// Words in the reader's language, numbers, durations, and small things that stand everywhere.

const DATA = JSON.parse(document.getElementById("data").textContent);
const EXPOSURES = ["leaked", "masked", "native", "declared"];
const SEVERITIES = ["error", "warning", "info"];
const GLYPHS = { leaked: "◆", masked: "■", native: "●", declared: "▲" };
const SIGNS = { error: "✖", warning: "▲", info: "○" };
const GOOD = ["COMPLETED", "INTERACTION"];

let lang = DATA.lang;

function t(key, values) {
  const text = DATA.words[lang][key];
  return (text === undefined ? key : text).replace(/\{(\w+)\}/g, (all, name) =>
    values && name in values ? String(values[name]) : all);
}

function count(number) {
  return number.toLocaleString("en-US");
}

function duration(us) {
  if (us < 1000) return `${us} µs`;
  if (us < 10_000) return `${(us / 1000).toFixed(1)} ms`;
  if (us < 1_000_000) return `${Math.round(us / 1000)} ms`;
  return `${(us / 1_000_000).toFixed(us < 10_000_000 ? 2 : 1)} s`;
}

function exposureTag(name, extra) {
  return h("span", { class: `tag ${name}` }, h("span", { class: "glyph", "aria-hidden": "true" }, GLYPHS[name] || "?"), " ", t(name), extra || "");
}

function severityTag(name) {
  return h("span", { class: `tag sev ${name}` }, h("span", { class: "glyph", "aria-hidden": "true" }, SIGNS[name]), " ", t(name));
}

function outcomeTag(name, times) {
  const tone = GOOD.includes(name) ? "good" : name === "INCONCLUSIVE" ? "open" : "bad";
  return h("span", { class: `outcome ${tone}` }, times > 1 ? `${count(times)} × ` : "", name);
}

function askedText(one) {
  return t("mark.asked", { exposure: t(one.exposure), kind: t(one.kind), channel: t(one.channel) });
}

function roundName(one) {
  return `${one.scenario} r${one.round}${one.leg === "client" ? "" : ` [${one.leg}]`}`;
}

function topologyOf(one) {
  return one.topology || one.scenario;
}

function pairs(list) {
  return h("dl", { class: "facts" }, list.filter((one) => one && one[1] !== null && one[1] !== "").map(([name, value]) => [
    h("dt", null, name),
    h("dd", null, value),
  ]));
}
