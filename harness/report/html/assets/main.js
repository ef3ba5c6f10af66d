// Puts the page together, and again when language or colours change.

const THEMES = ["auto", "light", "dark"];
let theme = "auto";

const TILES = [["rounds", "rounds"], ["events", "events"], ["errors", "errors"], ["warnings", "warnings"], ["infos", "infos"], ["waived", "waived_count"], ["undecided", "undecided_count"], ["unread", "unread_count"]];
const DIFF_TILES = [["rounds", "rounds"], ["contract", "diff.contract"], ["shape", "diff.shape"], ["text", "diff.text"], ["timing", "diff.timing"], ["undecided", "undecided_count"]];

// Is the page that of a diff, without a report?
function isAlone() {
  return DIFF !== null && DATA.matrix === undefined;
}

function verdict(one) {
  const tone = one.exit === 0 ? "good" : one.exit === 1 ? "bad" : "open";
  return h("p", { class: `verdict ${tone}` }, h("strong", null, t("exit", { code: one.exit })), " ", t(`${one === DIFF ? "diff." : ""}exit.${one.exit}`), h("span", { class: "muted" }, " · ", t("contract", { name: one.contract })));
}

function headerPart() {
  const shown = isAlone() ? DIFF : DATA;
  const counts = isAlone() ? { ...DIFF.counts, rounds: DIFF.rounds, undecided: DIFF.undecided_count } : DATA.counts || {};
  const facts = isAlone() ? DIFF_TILES : TILES;
  return h("div", { class: "inner-width" },
    h("div", { class: "bar" },
      h("p", { class: "brand" }, "a2a-harness ", h("span", { class: "muted" }, DATA.version)),
      h("nav", { "aria-label": t("nav") }, parts().map(([id, name, number]) => h("a", { href: `#${id}` }, name, number === null ? null : h("span", { class: "muted" }, ` ${count(number)}`)))),
      h("span", { class: "grow" }),
      button(t("language"), () => { lang = lang === "zh" ? "en" : "zh"; build("language"); }, { class: "small", "data-act": "language", lang: lang === "zh" ? "en" : "zh-CN" }),
      button(t("theme", { name: t(`theme.${theme}`) }), () => { theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]; build("theme"); }, { class: "small", "data-act": "theme" })),
    h("h1", null, pageTitle()),
    shown.exit === undefined ? null : verdict(shown),
    h("dl", { class: "tiles" }, facts.filter(([name], at) => at < 5 || counts[name]).map(([name, word]) => h("div", { class: `tile ${name}${counts[name] ? "" : " zero"}` }, h("dt", null, t(word)), h("dd", null, count(counts[name] || 0))))));
}

function pageTitle() {
  return t(isAlone() ? "title.diff" : "title");
}

function parts() {
  const changes = DIFF ? [["changes", t("diff.title"), PAIRS.filter((one) => one.changes.length || one.undecided.length).length]] : [];
  if (isAlone()) return changes;
  return [["matrix", t("nav.matrix"), null], ...changes, ["compare", t("compare"), null], ["findings", t("findings_head"), FINDINGS.length], ["rounds", t("rounds_head"), ROUNDS.length], ["notes", t("nav.notes"), null]];
}

function build(focus) {
  const root = document.documentElement;
  root.lang = lang === "zh" ? "zh-CN" : "en";
  if (theme === "auto") root.removeAttribute("data-theme");
  else root.setAttribute("data-theme", theme);
  document.title = pageTitle();
  document.getElementById("skip").textContent = t("skip");
  put(document.getElementById("top"), headerPart());
  put(document.getElementById("main"), isAlone() ? changesSection()
    : [matrixSection(), DIFF ? changesSection() : null, compareSection(), findingsSection(), roundsSection(), notesSection()]);
  put(document.getElementById("foot"), h("p", null, t("generated", { version: DATA.version }), h("span", { class: "screen" }, " ", t("keys"))));
  if (!isAlone()) {
    drawFindings();
    drawRounds();
  }
  drawPairs();
  if (focus) document.querySelector(`[data-act="${focus}"]`).focus();
}

function keys(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "/" && !typing) {
    event.preventDefault();
    document.querySelector("[data-filter=text], [data-pick=text]").focus();
  }
  if (event.key === "Escape" && typing) event.target.blur();
  if ((event.key === "j" || event.key === "k") && !typing) walk(event.key === "j" ? 1 : -1);
}

// j and k: from row to row.
function walk(step) {
  const heads = [...document.querySelectorAll(".row-head")];
  const at = heads.indexOf(document.activeElement);
  const next = heads[at < 0 ? 0 : at + step];
  if (next) next.focus();
}

build();
follow();
window.addEventListener("hashchange", follow);
document.addEventListener("keydown", keys);
