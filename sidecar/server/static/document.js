"use strict";
// One document: its outline, its text part by part as assistants read it, pictures of pages and slides, its figures, tables
// and charts, and what is known of it.

const PICTURED_PARTS = ["page", "slide"];
/** Their pages are drawn, as many as the file says it has; their parts are chapters. */
const WORD_FORMATS = ["docx", "doc", "odt", "rtf", "odf"];

/** The page of the document `slug`; `?at=` is the URI to open, `?mark=` the words to show, `?tab=` what of it. */
async function documentView(slug, query) {
  const info = await callTool("get_document_info", { document_slug: slug });
  if (info.text !== undefined) return { title: slug, content: h("pre", null, info.text) };
  const head = documentHead(info);
  watch(null, async () => {
    const now = await callTool("get_document_info", { document_slug: slug });
    if (now.doc_id !== info.doc_id || now.state !== info.state) await show(true);
  });
  if (!info.doc_id) return { title: info.title, content: [head, failure(info)] };
  const record = JSON.parse(await readText(`document://${encodeURIComponent(slug)}.json`));
  const link = (name) => `#/document/${encodeURIComponent(slug)}${name === "read" ? "" : `?tab=${name}`}`;
  const pictured = PICTURED_PARTS.includes(record.parts[0]?.kind);
  const paged = !pictured && WORD_FORMATS.includes(record.format) ? Math.min(Number(record.metadata.pages) || 0, 500) : 0;
  const tabs = [["read", "Read"], paged && ["pictures", `Pages ${numbers.format(paged)}`], pictured && ["pictures", `${record.parts[0].kind === "page" ? "Pages" : "Slides"} ${numbers.format(record.parts.length)}`],
    record.elements.length && ["elements", `Figures & tables ${numbers.format(record.elements.length)}`], ["about", "About"]].filter(Boolean);
  const tab = tabs.find(([name]) => name === query.get("tab"))?.[0] ?? "read";
  const bodies = {
    read: () => readingTab(info, record, query), pictures: () => picturesTab(record, paged), elements: () => elementsTab(record), about: () => aboutTab(info, record),
  };
  return {
    title: info.title,
    content: [
      head,
      info.state !== "indexed" ? failure(info) : null,
      h("nav", { class: "tabs", "aria-label": "Views of this document" }, tabs.map(([name, text]) => h("a", { href: link(name), "aria-current": name === tab ? "page" : null }, text))),
      bodies[tab](),
    ],
  };
}

function documentHead(info) {
  const facts = [info.parts ? partsOf(info) : null, info.tokens ? `about ${numbers.format(info.tokens)} tokens` : null, info.size ? sized(info.size) : null, info.modified ? `changed ${dated(info.modified)}` : null];
  return h("header", { class: "head" },
    h("p", { class: "path", title: info.path }, folderName(info.path, 4)),
    h("h1", null, badge(info.path), info.title || fileName(info.path)),
    h("p", { class: "facts" }, [fileName(info.path), ...facts].filter(Boolean).map((text) => h("span", null, text))));
}

function failure(info) {
  return h("section", { class: "failure", role: "note" },
    h("h2", null, info.doc_id ? "Shown as it last could be read" : stateName(info.state)),
    h("p", null, info.reason || "The file could not be read."),
    h("p", { class: "advice" }, "It is read again as soon as the file changes."),
    h("p", { class: "path" }, info.path));
}

/** Outline on the left; the part that is open on the right, with its picture where it has one. */
function readingTab(info, record, query) {
  const wanted = query.get("at");
  const words = (query.get("mark") ?? "").split("|").filter(Boolean);
  const outline = h("nav", { class: "outline", "aria-label": "Outline" });
  const sheet = h("article", { class: "sheet", tabindex: "-1" });
  const entries = [];
  const open = (uri) => show(uri, [], true);
  const entry = (uri, title, level, tokens) => {
    const anchor = h("a", { href: placeOf(uri), class: `level-${Math.min(level, 4)}`, onclick: (event) => { event.preventDefault(); open(uri); }, title: `${title}, about ${numbers.format(tokens)} tokens` }, title);
    entries.push({ uri, anchor });
    return h("li", null, anchor);
  };
  const lines = h("ul");
  outline.append(h("h2", { class: "unseen" }, "Outline"), lines);
  list(record);

  /** Put the parts of one answer into the outline; a document of thousands of parts comes in several. */
  function list(some) {
    const sections = grouped(some.sections, (one) => one.part);
    lines.append(...some.parts.flatMap((part) => {
      const title = part.title || part.name || `${part.kind} ${part.n}`;
      const shown = PICTURED_PARTS.includes(part.kind) ? `${part.n}  ${title === `${part.kind} ${part.n}` ? "" : title}`.trim() : title;
      const inside = (sections.get(part.n) ?? []).filter((one) => one.title !== part.title);
      return [entry(part.uri, shown, 0, part.tokens), ...inside.map((one) => entry(one.uri, one.title, one.level, one.tokens))];
    }));
    const left = info.parts - record.parts.length;
    if (left <= 0) return;
    const more = h("li", null, h("button", { type: "button", class: "plain", onclick: async () => {
      const rest = JSON.parse(await readText(`document://${documentOf(record.source.uri)}.json?from=${record.parts.length + 1}`));
      record.parts.push(...rest.parts);
      record.sections.push(...rest.sections);
      more.remove();
      list(rest);
    } }, `${counted(left, "more part")}`));
    lines.append(more);
  }

  /** The part that holds what a URI names; undefined where that is not known. */
  function partOf(uri) {
    const direct = record.parts.find((part) => part.uri === uri);
    if (direct) return direct;
    const section = record.sections.find((one) => one.uri === uri);
    const element = record.elements.find((one) => one.uri === uri.split("?")[0]);
    const [scheme, rest] = uri.split("://");
    const number = scheme === "paragraph" ? Number(rest.split("/")[1]) : (section ?? element)?.part;
    return record.parts.find((part) => part.n === number);
  }

  async function show(uri, marks, byHand) {
    if (/^(image|chart)/.test(uri)) { showPicture(uri); return; }
    if (uri.startsWith("element://") && byHand) { showElement(uri); return; }
    const doc = documentOf(uri);
    if (doc && doc !== documentOf(record.source.uri) && !uri.startsWith("embed://")) { go(placeOf(uri)); return; }
    if (byHand) keep(placeOf(uri));
    for (const one of entries) one.anchor.removeAttribute("aria-current");
    const entryOf = (wanted) => entries.find((one) => one.uri === wanted)?.anchor;
    const current = entryOf(uri.split("?")[0]) ?? entryOf(partOf(uri)?.uri);
    current?.setAttribute("aria-current", "true");
    if (current) outline.scrollTop = Math.max(0, current.offsetTop - outline.offsetTop - outline.clientHeight / 3);
    sheet.classList.add("waiting");
    let text;
    try { text = await readText(uri); } catch (error) { sheet.replaceChildren(message("This part cannot be shown.", error.message)); sheet.classList.remove("waiting"); return; }
    sheet.classList.remove("waiting");
    const part = partOf(uri);
    const at = part ? record.parts.indexOf(part) : -1;
    const prose = h("div", { class: "prose" }, markdown(text, open));
    goOn(prose, text, open);
    const withPicture = part && PICTURED_PARTS.includes(part.kind);
    const step = (other, sign, name) => (other ? h("a", { class: "step", href: placeOf(other.uri), rel: name, onclick: (event) => { event.preventDefault(); open(other.uri); } }, sign) : h("span"));
    sheet.replaceChildren(
      h("div", { class: withPicture ? "leaf pictured" : "leaf" },
        withPicture ? h("button", { class: "facsimile", type: "button", "aria-label": `Enlarge ${part.kind} ${part.n}`, onclick: () => showPicture(`${part.uri}.png`, `${part.kind} ${part.n} of ${record.title}`) }, picture(`${part.uri}.png`, `Picture of ${part.kind} ${part.n}`)) : null,
        prose),
      h("nav", { class: "steps", "aria-label": "Neighbours" }, step(record.parts[at - 1], "← Previous", "prev"), h("span", { class: "uri" }, uri), step(at >= 0 ? record.parts[at + 1] : undefined, "Next →", "next")));
    if (byHand) { sheet.focus({ preventScroll: true }); if (sheet.getBoundingClientRect().top < 0) sheet.scrollIntoView({ block: "start" }); }
    mark(prose, marks);
  }
  onArrow((direction) => sheet.querySelector(`.steps [rel=${direction < 0 ? "prev" : "next"}]`)?.click());
  const first = wanted ?? record.parts[0]?.uri;
  if (first) show(first, words, false); else sheet.append(message("The document has no content."));
  return h("div", { class: entries.length > 1 ? "desk" : "desk single" }, entries.length > 1 ? outline : null, sheet);
}

function documentOf(uri) {
  return uri.split("://")[1]?.split(/[/?]/)[0].replace(/\.(md|txt|html|json)$/, "");
}

/** A text that was cut can be gone on with. */
function goOn(prose, text, open) {
  const onward = onwardOf(text);
  if (!onward) return;
  const button = h("button", { type: "button", onclick: async () => {
    const rest = await readText(onward);
    button.replaceWith(markdown(rest, open));
    goOn(prose, rest, open);
  } }, "Go on reading");
  prose.append(button);
}

/** Show the words where they stand in the text, and bring the first into sight. Ranges, so that the text stays as it is. */
function mark(root, words) {
  if (!globalThis.CSS?.highlights) return;
  CSS.highlights.delete("found");
  const wanted = words.filter(Boolean).map((word) => word.toLowerCase());
  if (!wanted.length) return;
  const ranges = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() && ranges.length < 2000) {
    const text = walker.currentNode.data.toLowerCase();
    for (const word of wanted) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        if (/[\p{L}\p{N}]/u.test(text[at - 1] ?? "")) continue; // it only ends a longer word
        const range = new Range();
        range.setStart(walker.currentNode, at);
        range.setEnd(walker.currentNode, Math.min(at + word.length, walker.currentNode.length));
        ranges.push(range);
      }
    }
  }
  CSS.highlights.set("found", new Highlight(...ranges));
  ranges[0]?.startContainer.parentElement?.scrollIntoView({ block: "center" });
}

function picturesTab(record, paged) {
  if (paged) {
    const doc = documentOf(record.source.uri);
    return h("ul", { class: "gallery" }, Array.from({ length: paged }, (_, index) => {
      const uri = `page://${doc}/${index + 1}.png`;
      const name = `page ${index + 1} of ${record.title}`;
      return h("li", null, h("button", { class: "card", type: "button", "aria-label": `Enlarge ${name}`, onclick: () => showPicture(uri, name) }, picture(`${uri}?size=thumb`, `Picture of page ${index + 1}`), h("span", { class: "card-label" }, `${index + 1}`)));
    }));
  }
  return h("ul", { class: "gallery" }, record.parts.map((part) => h("li", null,
    h("a", { class: "card", href: placeOf(part.uri) }, picture(`${part.uri}.png?size=thumb`, `Picture of ${part.kind} ${part.n}`),
      h("span", { class: "card-label" }, `${part.n}`, h("span", { class: "path" }, part.title))))));
}

/** Elements by kind: pictures as pictures, tables as tables. */
function elementsTab(record) {
  const times = new Map();
  for (const one of record.elements) times.set(one.label, (times.get(one.label) ?? 0) + 1);
  return h("ul", { class: "gallery wide" }, record.elements.map((one) => {
    const uri = times.get(one.label) > 1 && one.page ? `${one.uri}?page=${one.page}` : one.uri;
    const place = record.parts.find((part) => part.n === one.part);
    const view = one.type === "table" ? tablePreview(one.text ?? "") : picture(pictureUri(uri), one.caption || one.label);
    return h("li", null, h("a", { class: "card", href: placeOf(uri), onclick: (event) => { event.preventDefault(); showElement(uri); } }, view,
      h("span", { class: "card-label" }, one.label, h("span", { class: "path" }, [one.type, one.page ? `page ${one.page}` : place?.title].filter(Boolean).join(", "))),
      one.caption && one.caption !== one.label ? h("span", { class: "card-caption" }, one.caption) : null));
  }));
}

function tablePreview(text) {
  const rows = text.split("\n").slice(0, 14).join("\n");
  return h("div", { class: "preview", inert: true, "aria-hidden": "true" }, /\t| \| /.test(rows) ? tabbedTable(rows) : h("pre", null, rows));
}

function aboutTab(info, record) {
  const rows = (pairs) => h("dl", { class: "facts-list" }, pairs.filter(([, value]) => value).map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
  const counts = Object.entries({ ...(info.elements ?? {}), ...(info.embedded ?? {}) }).map(([name, count]) => counted(count, name)).join(", ");
  return h("div", { class: "about" },
    info.notices?.length ? h("section", null, h("h2", null, "What to know when reading it"), h("ul", { class: "notices" }, info.notices.map((notice) => h("li", null, notice.message)))) : null,
    h("section", null, h("h2", null, "File"), rows([
      ["Path", info.path], ["State", stateName(info.state)], ["Reason", info.reason], ["Kind", info.media_type], ["Size", info.size ? sized(info.size) : ""], ["Changed", dated(info.modified)],
      ["Indexed", dated(info.added)], ["Slug", info.slug], ["Version", info.doc_id], ["Holds", counts], ["Tables for SQL", info.tables?.names?.join(", ")]])),
    Object.keys(info.metadata ?? {}).length ? h("section", null, h("h2", null, "Properties"), rows(Object.entries(info.metadata).map(([name, value]) => [name.replaceAll("_", " "), value]))) : null,
    record.embedded.length ? h("section", null, h("h2", null, "Inside it"), h("ul", { class: "embedded" }, record.embedded.slice(0, 200).map((one) => h("li", null,
      one.text_uri ? h("a", { href: placeOf(one.text_uri) }, one.name || one.kind) : /^(image|chart)$/.test(one.kind) ? h("button", { class: "plain", type: "button", onclick: () => showPicture(one.kind === "chart" ? `${one.uri}.png` : one.uri, one.alt || one.name) }, one.name || `${one.kind}`) : one.name || one.kind,
      h("span", { class: "path" }, [one.kind, one.size ? sized(one.size) : "", one.alt].filter(Boolean).join(", ")))))) : null);
}

/** A window over the page, closed by Escape, by its button, or by a click beside it. */
function openViewer(title, ...content) {
  const viewer = document.getElementById("viewer");
  viewer.replaceChildren(
    h("header", null, h("h2", { id: "viewer-title" }, title), h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: () => viewer.close() }, "✕")),
    h("div", { class: "viewer-body" }, content));
  if (!viewer.open) viewer.showModal();
}

function showPicture(uri, title = "Picture") {
  openViewer(title, picture(/^chart:\/\/[^?]*$/.test(uri) && !/\.(png|svg)$/.test(uri) ? `${uri}.png` : uri, title, "large"));
}

/** An element: its picture or the table itself, with its caption and what stands around it. */
async function showElement(uri) {
  const [path, query] = uri.split("?");
  const label = decodeURIComponent(path.split("/").pop());
  let one;
  try { one = JSON.parse(await readText(`${path}.json${query ? `?${query}` : ""}`)); } catch (error) { openViewer(label, message("It cannot be shown.", error.message)); return; }
  const doc = documentOf(uri);
  const part = Object.entries(one.links).find(([name]) => ["chapter", "sheet", "slide", "page", "message"].includes(name))?.[1];
  const open = (target) => { document.getElementById("viewer").close(); go(placeOf(target)); };
  const body = h("div", { class: "prose" });
  const asText = () => (/\t| \| /.test(one.text) ? tabbedTable(one.text) : h("pre", null, one.text));
  openViewer(one.label,
    one.type === "table" ? body : picture(pictureUri(uri), one.caption || one.label, "large"),
    one.caption && one.caption !== one.label && one.type !== "table" ? h("p", { class: "caption" }, one.caption) : null,
    one.latex ? h("pre", null, one.latex) : null,
    one.type !== "table" && one.text ? h("div", { class: "prose" }, asText()) : null,
    one.context ? h("div", null, h("h3", { class: "path" }, "Around it"), h("p", { class: "around" }, one.context)) : null,
    h("p", null, part ? h("a", { href: placeOf(part), onclick: (event) => { event.preventDefault(); open(part); } }, "Where it stands") : null, " ", h("span", { class: "uri" }, uri)));
  if (one.type !== "table") return;
  try { body.append(markdown(await readText(`paragraph://${doc}/${one.part}/${one.block}`), open)); } catch { body.append(asText()); }
}
