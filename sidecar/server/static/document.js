"use strict";
// One document: its head, its views, pictures of its pages and slides, and what is known of it.

const PICTURED_PARTS = ["page", "slide"];
/** Their pages are drawn, as many as the file says it has; their parts are chapters. */
const WORD_FORMATS = ["docx", "doc", "odt", "rtf", "odf"];

/** The page of the document `slug`; `?at=` is the URI to open, `?mark=` the words to show, `?tab=` what of it. */
async function documentView(slug, query) {
  const info = await callTool("get_document_info", { document_slug: slug });
  if (info.text !== undefined) return { title: slug, content: h("pre", null, info.text) };
  const head = documentHead(info);
  const changed = async () => {
    const now = await callTool("get_document_info", { document_slug: slug });
    if (now.doc_id !== info.doc_id || now.state !== info.state) await show(true);
  };
  if (!info.doc_id) return { title: info.title, changed, content: [head, failure(info)] };
  const record = JSON.parse(await readText(`document://${encodeURIComponent(slug)}.json`));
  const link = (name) => `#/document/${encodeURIComponent(slug)}${name === "read" ? "" : `?tab=${name}`}`;
  const pictured = PICTURED_PARTS.includes(record.parts[0]?.kind);
  const paged =
    !pictured && WORD_FORMATS.includes(record.format) ? Math.min(Number(record.metadata.pages) || 0, 500) : 0;
  const tabs = [
    ["read", "Read"],
    paged && ["pictures", `Pages ${numbers.format(paged)}`],
    pictured && [
      "pictures",
      `${record.parts[0].kind === "page" ? "Pages" : "Slides"} ${numbers.format(record.parts.length)}`,
    ],
    record.elements.length && ["elements", `Figures & tables ${numbers.format(record.elements.length)}`],
    ["changes", "Changes"],
    ["about", "About"],
  ].filter(Boolean);
  const tab = tabs.find(([name]) => name === query.get("tab"))?.[0] ?? "read";
  const bodies = {
    read: () => readingTab(info, record, query),
    pictures: () => picturesTab(record, paged),
    elements: () => elementsTab(record),
    changes: () => changesTab(record),
    about: () => aboutTab(info, record),
  };
  return {
    title: info.title,
    changed,
    content: [
      head,
      info.state !== "indexed" ? failure(info) : null,
      h(
        "nav",
        { class: "tabs", "aria-label": "Views of this document" },
        tabs.map(([name, text]) => h("a", { href: link(name), "aria-current": name === tab ? "page" : null }, text)),
      ),
      bodies[tab](),
    ],
  };
}

function documentHead(info) {
  const facts = [
    info.parts ? partsOf(info) : null,
    info.tokens ? `about ${numbers.format(info.tokens)} tokens` : null,
    info.size ? sized(info.size) : null,
    info.modified ? `changed ${dated(info.modified)}` : null,
  ];
  return h(
    "header",
    { class: "head" },
    h("p", { class: "path", title: info.path }, folderName(info.path, 4)),
    h("h1", null, badge(info.path), info.title || fileName(info.path)),
    h(
      "p",
      { class: "facts" },
      [fileName(info.path), ...facts].filter(Boolean).map((text) => h("span", null, text)),
    ),
  );
}

function failure(info) {
  return h(
    "section",
    { class: "failure", role: "note" },
    h("h2", null, info.doc_id ? "Shown as it last could be read" : stateName(info.state)),
    h("p", null, info.reason || "The file could not be read."),
    h("p", { class: "advice" }, "It is read again as soon as the file changes."),
    h("p", { class: "path" }, info.path),
  );
}

function picturesTab(record, paged) {
  if (paged) {
    const doc = documentOf(record.source.uri);
    return h(
      "ul",
      { class: "gallery" },
      Array.from({ length: paged }, (_, index) => {
        const uri = `page://${doc}/${index + 1}.png`;
        const name = `page ${index + 1} of ${record.title}`;
        return h(
          "li",
          null,
          h(
            "button",
            { class: "card", type: "button", "aria-label": `Enlarge ${name}`, onclick: () => showPicture(uri, name) },
            picture(`${uri}?size=thumb`, `Picture of page ${index + 1}`),
            h("span", { class: "card-label" }, `${index + 1}`),
          ),
        );
      }),
    );
  }
  return h(
    "ul",
    { class: "gallery" },
    record.parts.map((part) =>
      h(
        "li",
        null,
        h(
          "a",
          { class: "card", href: placeOf(part.uri) },
          picture(`${part.uri}.png?size=thumb`, `Picture of ${part.kind} ${part.n}`),
          h("span", { class: "card-label" }, `${part.n}`, h("span", { class: "path" }, part.title)),
        ),
      ),
    ),
  );
}

/** What is different from the version before; that one has a tab like this for the one before it. */
function changesTab(record) {
  const open = (uri) => go(placeOf(uri));
  const sheet = h("article", { class: "sheet waiting", tabindex: "-1" });
  const linked = (text) =>
    text
      .replace(/^(Compared with )(document:\/\/[0-9a-f]{12})/m, "$1[the version before]($2)")
      .replace(/^- changed: .*/gm, (line) => line.replace(/\[([-+])(.+?)\1\]/g, "{$1$1$2$1$1}"))
      .replace(/^(- .*) \(([a-z]+:\/\/[^\s()]+)\)$/gm, "$1 ([there]($2))");
  const fill = async () => {
    const shown = h("div", { class: "prose" });
    try {
      const text = await readText(`document://${documentOf(record.source.uri)}?changes`);
      shown.append(markdown(linked(text), open));
      goOn(shown, text, open);
    } catch (error) {
      shown.append(message("What changed cannot be shown.", error.message));
    }
    sheet.classList.remove("waiting");
    sheet.replaceChildren(h("div", { class: "leaf" }, shown));
  };
  fill();
  return h("div", { class: "desk single" }, sheet);
}

function aboutTab(info, record) {
  const rows = (pairs) =>
    h(
      "dl",
      { class: "facts-list" },
      pairs
        .filter(([, value]) => value)
        .map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))),
    );
  const counts = Object.entries({ ...(info.elements ?? {}), ...(info.embedded ?? {}) })
    .map(([name, count]) => counted(count, name))
    .join(", ");
  return h(
    "div",
    { class: "about" },
    info.notices?.length
      ? h(
          "section",
          null,
          h("h2", null, "What to know when reading it"),
          h(
            "ul",
            { class: "notices" },
            info.notices.map((notice) => h("li", null, notice.message)),
          ),
        )
      : null,
    h(
      "section",
      null,
      h("h2", null, "File"),
      rows([
        ["Path", info.path],
        ["State", stateName(info.state)],
        ["Reason", info.reason],
        ["Kind", info.media_type],
        ["Size", info.size ? sized(info.size) : ""],
        ["Changed", dated(info.modified)],
        ["Indexed", dated(info.added)],
        ["Slug", info.slug],
        ["Version", info.doc_id],
        ["Holds", counts],
        ["Tables for SQL", info.tables?.names?.join(", ")],
      ]),
    ),
    Object.keys(info.metadata ?? {}).length
      ? h(
          "section",
          null,
          h("h2", null, "Properties"),
          rows(Object.entries(info.metadata).map(([name, value]) => [name.replaceAll("_", " "), value])),
        )
      : null,
    record.embedded.length
      ? h(
          "section",
          null,
          h("h2", null, "Inside it"),
          h(
            "ul",
            { class: "embedded" },
            record.embedded.slice(0, 200).map((one) =>
              h(
                "li",
                null,
                one.text_uri
                  ? h("a", { href: placeOf(one.text_uri) }, one.name || one.kind)
                  : /^(image|chart)$/.test(one.kind)
                    ? h(
                        "button",
                        {
                          class: "plain",
                          type: "button",
                          onclick: () =>
                            showPicture(one.kind === "chart" ? `${one.uri}.png` : one.uri, one.alt || one.name),
                        },
                        one.name || `${one.kind}`,
                      )
                    : one.name || one.kind,
                h(
                  "span",
                  { class: "path" },
                  [one.kind, one.size ? sized(one.size) : "", one.alt].filter(Boolean).join(", "),
                ),
              ),
            ),
          ),
        )
      : null,
  );
}
