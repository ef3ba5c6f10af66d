// One frame: laid out with the pointer marked, or as bytes; and the kept frames beside it.

function frameOf(round, number) {
  const track = round === null ? null : ROUNDS[round].track;
  return track ? track.frames.find((one) => one.n === number) : undefined;
}

// `place` is [frame, pointer, begin, end].
function frameViewer(round, place, source) {
  const node = h("div", { class: "frame" });
  const view = { number: place[0], bytes: false };
  const draw = (focus) => {
    const frame = frameOf(round, view.number);
    const here = view.number === place[0];
    const pointer = here ? place[1] : null;
    put(node, frameHead(round, frame, view, place, draw), frame ? frameBody(frame, pointer, view) : noFrame(source, view.number));
    const hit = node.querySelector(".hit, mark");
    const code = node.querySelector(".code");
    if (hit && code) requestAnimationFrame(() => { code.scrollTop = Math.max(hit.offsetTop - 80, 0); });
    if (focus) node.querySelector(`[data-act="${focus}"]`).focus();
  };
  draw();
  return node;
}

function frameHead(round, frame, view, place, draw) {
  const frames = round === null || !ROUNDS[round].track ? [] : ROUNDS[round].track.frames;
  const before = frames.filter((one) => one.n < view.number).pop();
  const after = frames.find((one) => one.n > view.number);
  const span = frame ? frame.s : [place[2], place[3]];
  const step = (to, sign, name, act) => button(sign, () => { view.number = to.n; draw(act); }, { class: "small", "aria-label": name, title: name, disabled: !to, "data-act": act });
  const tab = (bytes, name) => button(name, () => { view.bytes = bytes; draw(name); }, { class: "small", "aria-pressed": String(view.bytes === bytes), "data-act": name });
  return h("div", { class: "frame-head" },
    h("strong", null, t("frame_n", { number: count(view.number) })),
    span[0] === null ? null : h("span", { class: "muted" }, t("bytes_of", { start: count(span[0]), end: count(span[1]) }), " · ", t("size", { count: count(span[1] - span[0]) })),
    frame && frame.name ? h("code", null, `event: ${frame.name}`) : null,
    frame && frame.flaw ? h("code", { class: "flaw" }, frame.flaw) : null,
    h("span", { class: "grow" }),
    h("span", { class: "buttons" }, step(before, "‹", t("before"), "before"), step(after, "›", t("after"), "after"), frame ? [tab(false, t("json")), tab(true, t("bytes"))] : null));
}

function frameBody(frame, pointer, view) {
  const found = pointer !== null && isJson(frame.d) ? layout(frame.d, pointer).found : null;
  if (view.bytes) return hexBlock(frame, found);
  return [
    jsonBlock(frame.d, t("frame_n", { number: frame.n }), pointer),
    frame.cut ? h("p", { class: "muted" }, t("cut", { count: count(frame.cut) })) : null,
    pointer && isJson(frame.d) && !found ? h("p", { class: "muted" }, t("not_found")) : null,
  ];
}

function noFrame(source, number) {
  return h("div", { class: "empty" }, h("p", null, t("no_frame")), h("code", { class: "command" }, `harness inspect ${quoted(source)} frame ${number}`));
}

function quoted(path) {
  return /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replace(/'/g, `'"'"'`)}'`;
}
