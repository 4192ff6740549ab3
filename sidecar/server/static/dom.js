"use strict";
// Making elements, and writing numbers, sizes, dates and names for people. Text is only ever set as text: what stands in
// a document never becomes markup of the page.

/** An element with attributes and children; `on…` attributes are listeners, false and null are left out. */
function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

const numbers = new Intl.NumberFormat("en");
const days = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" });

/** 1 → "1 page", 2 → "2 pages". */
function counted(count, noun) {
  return `${numbers.format(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** A size in bytes, as file managers write it. */
function sized(bytes) {
  const units = ["bytes", "KB", "MB", "GB"];
  let unit = 0;
  while (bytes >= 1000 && unit < units.length - 1) {
    bytes /= 1000;
    unit += 1;
  }
  return `${bytes >= 10 || unit === 0 ? Math.round(bytes) : bytes.toFixed(1)} ${units[unit]}`;
}

/** The day of an ISO 8601 date, "" for none. */
function dated(iso) {
  const date = new Date(iso);
  return iso && !Number.isNaN(date.getTime()) ? days.format(date) : "";
}

function fileName(path) {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

/** The folder of a file, the last `levels` names of it. */
function folderName(path, levels = 3) {
  const names = path.split(/[\\/]/).slice(0, -1);
  return (names.length > levels + 1 ? "… / " : "") + names.slice(-levels).filter(Boolean).join(" / ");
}

const FAMILIES = {
  docx: "word",
  doc: "word",
  odt: "word",
  rtf: "word",
  pages: "word",
  docm: "word",
  dotx: "word",
  xlsx: "sheet",
  xls: "sheet",
  xlsm: "sheet",
  numbers: "sheet",
  xlsb: "sheet",
  ods: "sheet",
  csv: "sheet",
  tsv: "sheet",
  pptx: "slide",
  ppt: "slide",
  odp: "slide",
  key: "slide",
  pps: "slide",
  ppsx: "slide",
  pdf: "pdf",
  eml: "mail",
  msg: "mail",
  mbox: "mail",
  png: "image",
  jpg: "image",
  jpeg: "image",
  tiff: "image",
};

/** The small coloured sign of a file's kind, by its suffix. */
function badge(path) {
  const name = fileName(path);
  const suffix = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1).toLowerCase() : "";
  return h(
    "span",
    { class: `badge ${FAMILIES[suffix] ?? "text"}`, "aria-hidden": "true" },
    suffix.slice(0, 4) || "file",
  );
}

/** Text in which `**` encloses what was found. */
function highlighted(text) {
  return text.split("**").map((piece, index) => (index % 2 ? h("mark", null, piece) : piece));
}

/** The words that `**` encloses, each once. */
function foundWords(text) {
  return [...new Set(text.split("**").filter((_, index) => index % 2))];
}

/** The things by what `key` says of each, in the order in which they come first. */
function grouped(things, key) {
  const groups = new Map();
  for (const one of things) {
    if (!groups.has(key(one))) groups.set(key(one), []);
    groups.get(key(one)).push(one);
  }
  return groups;
}

/** What to say where something is missing or failed. */
function message(title, ...details) {
  return h(
    "div",
    { class: "empty" },
    h("p", { class: "empty-title" }, title),
    details.filter(Boolean).map((text) => h("p", null, text)),
  );
}

const STATES = {
  indexed: "Indexed",
  encrypted: "Protected by a password",
  damaged: "Damaged",
  unsupported: "Not readable here",
  too_large: "Too large",
  timed_out: "Took too long",
  crashed: "Failed while read",
  unreadable: "Not accessible",
  placeholder: "In the cloud only",
  secret: "Looks like a secret",
  away: "Folder is away",
};

function stateName(state) {
  return STATES[state] ?? state;
}
