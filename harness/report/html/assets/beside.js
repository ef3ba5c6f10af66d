// A round of each of the two topologies, drawn next to each other.

const beside = { open: false, rounds: {} };

function besideBlock(a, b) {
  const sides = [a, b].map((one) => ({ name: one.name, rounds: drawnOf(one.name) }));
  if (sides.some((one) => !one.rounds.length)) return null;
  const node = h("details", { class: "steps beside", open: beside.open }, h("summary", null, t("beside")));
  const held = h("div", { class: "two" });
  const show = () => {
    if (!node.open || held.childElementCount) return;
    put(held, sides.map((one, at) => besideSide(one, at)));
    for (const lanes of held.querySelectorAll(".swim")) lanes.draw();
  };
  node.addEventListener("toggle", () => {
    beside.open = node.open;
    show();
  });
  add(node, [held]);
  return node;
}

// Rounds of a topology that have a drawing, those that ask most first.
function drawnOf(topology) {
  const found = VIEWS.map((one) => one.round).filter((at) => at !== null && topologyOf(ROUNDS[at]) === topology);
  return found.sort((a, b) => weight(ROUNDS[b]) - weight(ROUNDS[a]) || compareRounds(ROUNDS[a], ROUNDS[b]));
}

function weight(one) {
  return one.asked.length * 2 + (one.asked.some((each) => each.exposure === "leaked") ? 1 : 0);
}

function besideSide({ name, rounds }, at) {
  const chosen = rounds.includes(beside.rounds[name]) ? beside.rounds[name] : rounds[0];
  const drawn = h("div", null);
  const draw = (round) => {
    const lanes = swim(VIEWS[viewOf.get(round)], null);
    put(drawn, h("p", { class: "wrap" }, outcomeTag(ROUNDS[round].outcome, 1), h("a", { href: `#${ROUNDS[round].id}` }, t("open_round"))), lanes);
    return lanes;
  };
  const choice = h("select", { "aria-label": `${name}: ${t("rounds_head")}`, "data-beside": String(at), "on:change": (event) => {
    beside.rounds[name] = Number(event.target.value);
    draw(beside.rounds[name]).draw();
  } }, rounds.slice(0, 200).map((round) => h("option", { value: String(round), selected: round === chosen }, roundName(ROUNDS[round]))));
  draw(chosen);
  return h("div", { class: "side" }, h("h3", null, name), choice, drawn);
}
