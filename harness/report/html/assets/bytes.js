// The bytes of a frame as they stood in the file; those of the marked value are marked here too.

const ROW = 16;
const AROUND = 96;
const MOST = 1024;

function bytesOf(frame) {
  if (frame.b !== undefined) return { bytes: Uint8Array.from(atob(frame.b), (char) => char.charCodeAt(0)), of: frame.of, before: null };
  if (frame.pre === undefined) return null;
  const encoder = new TextEncoder();
  const bytes = encoder.encode(frame.pre + frame.d + frame.post);
  return { bytes, of: bytes.length, before: (chars) => encoder.encode(frame.pre + frame.d.slice(0, chars)).length };
}

function hexBlock(frame, found) {
  const held = bytesOf(frame);
  if (!held) return h("p", { class: "muted" }, t("no_bytes"));
  const marked = found && held.before ? [held.before(found[0]), held.before(found[1])] : [-1, -1];
  const first = Math.floor(Math.max(marked[0] - AROUND, 0) / ROW) * ROW;
  const last = Math.min(held.bytes.length, first + MOST);
  const rows = [];
  for (let at = first; at < last; at += ROW) rows.push(hexRow(held.bytes, at, Math.min(at + ROW, last), frame.s[0], marked));
  const label = `${t("bytes")} ${frame.s[0]}–${frame.s[1]}`;
  const note = last - first < held.of ? t("bytes_shown", { start: count(frame.s[0] + first), end: count(frame.s[0] + last), count: count(held.of) }) : null;
  return [
    h("pre", { class: "code hex", tabindex: "0", role: "group", "aria-label": label }, rows),
    note && h("p", { class: "muted" }, note),
  ];
}

function hexRow(bytes, start, end, base, marked) {
  const hex = [];
  const chars = [];
  for (let at = start; at < start + ROW; at += 1) {
    const byte = at < end ? bytes[at] : null;
    const is = at >= marked[0] && at < marked[1] && byte !== null;
    hex.push([is, byte === null ? "   " : `${byte.toString(16).padStart(2, "0")} `]);
    chars.push([is, byte === null ? "" : byte > 31 && byte < 127 ? String.fromCharCode(byte) : "·"]);
  }
  return h("span", { class: "line" }, h("span", { class: "offset" }, String(base + start).padStart(5), "  "), runs(hex), " ", h("span", { class: "s" }, runs(chars)));
}

function runs(cells) {
  const made = [];
  for (const [is, text] of cells) {
    const last = made[made.length - 1];
    if (last && last[0] === is) last[1] += text;
    else made.push([is, text]);
  }
  return made.map(([is, text]) => (is ? h("mark", null, text) : text));
}
