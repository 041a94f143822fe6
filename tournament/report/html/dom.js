"use strict";

// Elements are made with their text as text nodes, never as markup.

const NS = "http://www.w3.org/2000/svg";

// element makes an element; attributes that are functions listen to events.
function element(make, tag, attributes, children) {
  const e = make(tag);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") e.addEventListener(key, value);
    else if (value !== undefined && value !== false) e.setAttribute(key, value === true ? "" : value);
  }
  e.append(...children.flat().filter((c) => c !== undefined && c !== null));
  return e;
}
const h = (tag, attributes, ...children) => element((t) => document.createElement(t), tag, attributes, children);
const s = (tag, attributes, ...children) => element((t) => document.createElementNS(NS, t), tag, attributes, children);
