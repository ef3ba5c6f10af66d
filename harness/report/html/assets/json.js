// JSON as it stands on the wire, laid out over lines; the value at a pointer is marked.
// Works on tokens, so that neither an error in the text nor its depth can stop it.

const TOKEN = /"(?:[^"\\]|\\[^])*"?|[[\]{},:]|[^\s[\]{},:"]+/g;
const DEEPEST = 40;

// Lines {depth, parts, hit, inner}, and [start, end) of the value at `pointer` in `text`.
function layout(text, pointer) {
  const steps = pointer === null ? null : pointer.split("/").slice(1).map((one) => one.replace(/~1/g, "/").replace(/~0/g, "~"));
  const lines = [];
  const stack = [];
  let line = { depth: 0, parts: [], hit: false };
  let inside = -1;
  let found = null;
  const end = () => {
    if (line.parts.length) lines.push(line);
    line = { depth: stack.length, parts: [], hit: inside >= 0 };
  };
  const match = () => {
    if (!steps) return -1;
    if (!stack.length) return 0;
    const top = stack[stack.length - 1];
    if (top.matched < 0) return -1;
    return steps[top.matched] === top.step ? top.matched + 1 : -1;
  };
  const tokens = [...text.matchAll(TOKEN)];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at][0];
    const start = tokens[at].index;
    const top = stack[stack.length - 1];
    if (token === "{" || token === "[") {
      const matched = match();
      const next = tokens[at + 1] && tokens[at + 1][0];
      if (steps && matched === steps.length && inside < 0) {
        inside = stack.length;
        found = [start, text.length];
        line.hit = true;
      }
      line.parts.push(["p", token]);
      stack.push({ matched, step: token === "[" ? "0" : null, item: 0, isList: token === "[", isKey: token === "{" });
      if (next !== "}" && next !== "]") end();
    } else if (token === "}" || token === "]") {
      const before = tokens[at - 1] && tokens[at - 1][0];
      stack.pop();
      if (before !== "{" && before !== "[") {
        end();
        line.depth = stack.length;
      }
      line.parts.push(["p", token]);
      if (inside === stack.length) {
        line.hit = true;
        inside = -1;
        found = [found[0], start + 1];
      }
    } else if (token === ",") {
      line.parts.push(["p", token]);
      end();
      if (top) {
        top.item += 1;
        top.isKey = !top.isList;
        if (top.isList) top.step = String(top.item);
      }
    } else if (token === ":") {
      line.parts.push(["p", ": "]);
      if (top) top.isKey = false;
    } else if (top && top.isKey && token.startsWith("\"")) {
      top.step = unquoted(token);
      line.parts.push(["k", token]);
    } else {
      line.parts.push([token.startsWith("\"") ? "s" : "n", token]);
      if (steps && match() === steps.length && inside < 0) {
        line.hit = true;
        found = [start, start + token.length];
      } else if (steps && top && top.matched >= 0 && steps[top.matched] === `${top.step}#`) {
        const rest = steps.slice(top.matched + 1).map((one) => `/${one.replace(/~/g, "~0").replace(/\//g, "~1")}`).join("");
        line.inner = layout(unquoted(token), rest);
        found = line.inner.found ? [start, start + token.length] : null;
      }
    }
  }
  end();
  return { lines, found };
}

function unquoted(token) {
  try {
    return JSON.parse(token);
  } catch {
    return token.slice(1).replace(/"$/, "").replace(/\\"/g, "\"").replace(/\\\\/g, "\\");
  }
}

function isJson(text) {
  return /^\s*[[{]/.test(text);
}

function jsonLines(laid) {
  return laid.lines.map((line) => {
    const node = h("span", { class: line.hit ? "line hit" : "line" }, line.parts.map(([kind, text]) => h("span", { class: kind }, text)));
    node.style.paddingInlineStart = `${2 * Math.min(line.depth, DEEPEST) + 2}ch`;
    if (!line.inner) return node;
    const inner = h("span", { class: "inner" }, h("span", { class: "inner-name" }, t("inner")), jsonLines(line.inner));
    inner.style.marginInlineStart = `${2 * Math.min(line.depth, DEEPEST) + 2}ch`;
    return [node, inner];
  });
}

function jsonBlock(text, label, pointer) {
  const laid = isJson(text) ? layout(text, pointer) : null;
  const lines = laid ? jsonLines(laid) : text.split("\n").map((line) => h("span", { class: "line" }, line || " "));
  return h("pre", { class: "code", tabindex: "0", role: "group", "aria-label": label }, lines);
}
