"use strict";
// The only maker of elements. Text becomes text nodes, never markup; nothing here parses a string.

const SVG = "http://www.w3.org/2000/svg";

function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

function s(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(node, props, children) {
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on:")) node.addEventListener(name.slice(3), value);
    else if (name === "value") node.value = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  add(node, children);
  return node;
}

function add(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    node.append(child instanceof Node ? child : String(child));
  }
}

function put(node, ...children) {
  node.replaceChildren();
  add(node, children);
  return node;
}

function button(label, act, props) {
  return h("button", { type: "button", "on:click": act, ...props }, label);
}

function say(text) {
  document.getElementById("told").textContent = text;
}
