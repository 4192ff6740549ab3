"use strict";
// The Markdown that documents are read as, made into elements one by one. No HTML is parsed: what stands in a document
// can only become the few elements named here.

const OURS = /^(document|chapter|section|paragraph|message|sheet|slide|page|element|image|chart|embed):\/\//;
const PICTURED = /^(image|chart|element|slide|page):\/\//;
const FRAME_LINE = /^\*(Source: |\()/;
const ONWARD = /Go on with ([a-z]+:\/\/[^\s)]+)\)\*$/;

/** The text as elements. `open` is called with the URI of a link into the library. */
function markdown(text, open) {
  const root = document.createDocumentFragment();
  const lines = text.split("\n");
  let at = 0;
  while (at < lines.length) at = block(root, lines, at, open);
  return root;
}

/** Where a text that was cut goes on, "" where it is whole. */
function onwardOf(text) {
  const last = text.trimEnd().split("\n").pop() ?? "";
  return FRAME_LINE.test(last) ? (last.match(ONWARD)?.[1] ?? "") : "";
}

/** Put the block that begins at line `at` into `root`; gives the line behind it. */
function block(root, lines, at, open) {
  const line = lines[at];
  const bare = line.trim();
  if (!bare) return at + 1;
  const fence = bare.match(/^(`{3,}|~{3,})/)?.[1];
  if (fence) return codeBlock(root, lines, at, fence);
  const heading = line.match(/^(#{1,6}) +(.*)$/);
  if (heading) {
    // The page has its own h1; those of the text stand below it.
    root.append(h(`h${Math.min(heading[1].length + 1, 6)}`, null, inline(heading[2], open)));
    return at + 1;
  }
  if (bare.startsWith("|") && /^\|?[\s:|-]+\|?$/.test(lines[at + 1]?.trim() ?? "") && lines[at + 1].includes("-")) {
    return tableBlock(root, lines, at, open);
  }
  if (/^\s*([-*+]|\d{1,9}[.)]) /.test(line)) return listBlock(root, lines, at, open);
  if (bare.startsWith("> ") || bare === ">") {
    const quoted = [];
    for (; at < lines.length && lines[at].trim().startsWith(">"); at += 1)
      quoted.push(lines[at].trim().replace(/^> ?/, ""));
    root.append(h("blockquote", null, markdown(quoted.join("\n"), open)));
    return at;
  }
  if (/^(-{3,}|\*{3,}|_{3,})$/.test(bare)) {
    root.append(h("hr"));
    return at + 1;
  }
  if (FRAME_LINE.test(bare) && bare.endsWith("*")) {
    // Lines that only the sidecar writes. Where the text comes from is told by the page's own head.
    if (!bare.startsWith("*Source: ") && !ONWARD.test(bare))
      root.append(
        h(
          "p",
          { class: "aside" },
          bare
            .slice(1, -1)
            .replace(/^\((.*)\)$/, "$1")
            .split(/((?:[a-z]+):\/\/[^\s)]+)/)
            .map((piece) =>
              OURS.test(piece)
                ? link(false, /[?&]hidden=1/.test(piece) ? "this view" : piece, piece, open, (text) => text)
                : piece,
            ),
        ),
      );
    return at + 1;
  }
  const gathered = [];
  for (; at < lines.length && lines[at].trim() && !/^(#{1,6} |`{3,}|~{3,}|\|)/.test(lines[at].trim()); at += 1)
    gathered.push(lines[at]);
  if (!gathered.length) {
    gathered.push(lines[at]);
    at += 1;
  }
  root.append(h("p", null, inline(gathered.join("\n"), open)));
  return at;
}

function codeBlock(root, lines, at, fence) {
  const code = [];
  for (at += 1; at < lines.length && !lines[at].trim().startsWith(fence); at += 1) code.push(lines[at]);
  root.append(h("pre", { tabindex: "0" }, h("code", null, code.join("\n"))));
  return at + 1;
}

function listBlock(root, lines, at, open) {
  const levels = [];
  for (; at < lines.length; at += 1) {
    const item = lines[at].match(/^(\s*)([-*+]|(\d{1,9})[.)]) +(.*)$/);
    if (!item) {
      const last = levels.at(-1)?.list.lastElementChild;
      if (last && lines[at].trim() && /^\s/.test(lines[at])) {
        last.append(h("br"), ...inline(lines[at].trim(), open));
        continue;
      }
      break;
    }
    const indent = item[1].length;
    while (levels.length && levels.at(-1).indent > indent) levels.pop();
    if (!levels.length || levels.at(-1).indent < indent) {
      const list = h(item[3] ? "ol" : "ul", item[3] && item[3] !== "1" ? { start: item[3] } : null);
      (levels.at(-1)?.list.lastElementChild ?? root).append(list);
      levels.push({ indent, list });
    }
    levels.at(-1).list.append(h("li", null, inline(item[4], open)));
  }
  return at;
}

const NUMBER = /^(?=.*\d)[\s\d.,%€$£()+−–-]+$/;

function tableBlock(root, lines, at, open) {
  const rows = [];
  for (; at < lines.length && lines[at].trim().startsWith("|"); at += 1) rows.push(cells(lines[at].trim()));
  const [head, rule, ...body] = rows;
  const numeric = head.map(
    (_, column) => body.length > 0 && body.every((row) => !row[column] || NUMBER.test(row[column])),
  );
  const kind = (tag, text, column) =>
    /^[←↑]/.test(text)
      ? "covered"
      : /-:$/.test(rule[column] ?? "") || (tag === "th" ? numeric[column] : NUMBER.test(text))
        ? "number"
        : null;
  const cell = (tag, text, column) =>
    h(tag, { class: kind(tag, text, column), scope: tag === "th" ? "col" : null }, inline(text, open));
  root.append(
    h(
      "div",
      { class: "table", tabindex: "0", role: "group", "aria-label": "Table" },
      h(
        "table",
        null,
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            head.map((text, column) => cell("th", text, column)),
          ),
        ),
        h(
          "tbody",
          null,
          body.map((row) =>
            h(
              "tr",
              null,
              row.map((text, column) => cell("td", text, column)),
            ),
          ),
        ),
      ),
    ),
  );
  return at;
}

/** Lines of cells that tabs or bars part, as elements keep their tables. */
function tabbedTable(text) {
  const rows = text.split("\n").map((line) => line.split(/\t| \| /));
  return h(
    "div",
    { class: "table", tabindex: "0", role: "group", "aria-label": "Table" },
    h(
      "table",
      null,
      h(
        "tbody",
        null,
        rows.map((row) =>
          h(
            "tr",
            null,
            row.map((cell) => h("td", null, cell)),
          ),
        ),
      ),
    ),
  );
}

function cells(line) {
  const inner = line.replace(/^\|/, "").replace(/\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|").replaceAll("&#124;", "|"));
}

const INLINE = new RegExp(
  [
    "(!?)\\[((?:[^\\[\\]]|\\[[^\\]]*\\])*)\\]\\((?:<([^>]*)>|([^\\s()]*(?:\\([^\\s()]*\\)[^\\s()]*)*))\\)", // 1-4: picture or link
    "`([^`\\n]+)`", // 5: code
    "\\*\\*(?=\\S)(.+?)(?<=\\S)\\*\\*(?!\\*(?![\\w*]))", // 6: bold, italic within it too
    "(?<![\\w*])\\*(?=[^\\s*])(.+?)(?<=[^\\s*])\\*(?![\\w*])", // 7: italic
    "~~(?=\\S)(.+?)(?<=\\S)~~", // 8: struck out
    "\\{\\+\\+([\\s\\S]+?)\\+\\+\\}", // 9: inserted
    "\\{--([\\s\\S]+?)--\\}", // 10: deleted
    "<(sub|sup)>([\\s\\S]+?)</\\11>", // 11, 12
    "(<br>|\\n)", // 13
    "\\$(?=\\S)([^$\\n]+)(?<=\\S)\\$(?!\\d)", // 14: mathematics
  ].join("|"),
  "gu",
);
const DEEPEST = 8;
/** Longer pieces are shown as they are: marks in them would take too long to pair. */
const LONGEST = 20000;

/** Text with emphasis and links as nodes. */
function inline(text, open, depth = 0) {
  const nodes = [];
  let at = 0;
  for (const match of depth < DEEPEST && text.length < LONGEST ? text.matchAll(INLINE) : []) {
    if (match.index > at) nodes.push(text.slice(at, match.index));
    at = match.index + match[0].length;
    const inner = (piece) => inline(piece, open, depth + 1);
    if (match[2] !== undefined) nodes.push(link(match[1] === "!", match[2], match[3] ?? match[4], open, inner));
    else if (match[5] !== undefined) nodes.push(h("code", null, match[5]));
    else if (match[6] !== undefined) nodes.push(h("strong", null, inner(match[6])));
    else if (match[7] !== undefined) nodes.push(h("em", null, inner(match[7])));
    else if (match[8] !== undefined) nodes.push(h("s", null, inner(match[8])));
    else if (match[9] !== undefined) nodes.push(h("ins", null, inner(match[9])));
    else if (match[10] !== undefined) nodes.push(h("del", null, inner(match[10])));
    else if (match[11] !== undefined) nodes.push(h(match[11], null, inner(match[12])));
    else if (match[13] !== undefined) nodes.push(match[13] === "\n" ? " " : h("br"));
    else nodes.push(h("code", { class: "math" }, match[14]));
  }
  if (at < text.length) nodes.push(text.slice(at));
  return nodes;
}

/** A picture, a link into the library, a link to the web (which opens apart and is told nothing; a host opens it where it
 * does that), or only its text. */
function link(shown, text, target, open, inner) {
  if (shown)
    return PICTURED.test(target)
      ? picture(target, text)
      : h("span", { class: "aside" }, text || "A picture that is not kept.");
  if (OURS.test(target))
    return h(
      "a",
      {
        href: placeOf(target),
        onclick: (event) => {
          event.preventDefault();
          open(target);
        },
      },
      inner(text),
    );
  if (/^(https?:\/\/|mailto:)/i.test(target) && (!hosted || host.can.openLinks))
    return h(
      "a",
      {
        href: target,
        target: "_blank",
        rel: "noopener noreferrer",
        title: target,
        onclick: (event) => {
          if (!hosted) return;
          event.preventDefault();
          ask("ui/open-link", { url: target }).catch(() => {}); // the host may refuse, and says so itself
        },
      },
      inner(text),
    );
  return h("span", null, inner(text));
}

/** The page's own address for a URI of the library. */
function placeOf(uri, words = []) {
  const doc = decodeURIComponent(
    uri
      .split("://")[1]
      .split(/[/?]/)[0]
      .replace(/\.(md|txt|html|json)$/, ""),
  );
  const query = new URLSearchParams();
  if (!uri.startsWith("document://")) query.set("at", uri);
  if (words.length) query.set("mark", words.join("|"));
  return `#/document/${encodeURIComponent(doc)}${query.size ? `?${query}` : ""}`;
}
