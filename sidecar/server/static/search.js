"use strict";
// Search: passages with what was found in them marked, and figures, tables and charts beside.

const TYPES = {
  "": "All kinds",
  pdf: "PDF",
  word: "Word",
  excel: "Excel",
  slides: "Slides",
  mail: "Mail",
  code: "Code",
};
const PASSAGES = 20;
const FIGURES = 6;
const WEAK = "It neither comes near in meaning nor holds most of the words.";

/** The results for `?q=`. */
async function searchView(query) {
  const words = query.get("q") ?? "";
  const type = query.get("type") ?? "";
  const sort = query.get("sort") ?? "";
  const given = { query: words, limit: PASSAGES, ...(type && { type }), ...(sort && { sort }) };
  const here = (changes) =>
    `#/search?${new URLSearchParams(Object.entries({ q: words, type, sort, ...changes }).filter(([, value]) => value))}`;
  if (!words.trim())
    return {
      title: "Search",
      content: message(
        "What are you looking for?",
        'Words, "an exact phrase", -without, from:anna, after:2024-01-31, type:pdf.',
      ),
    };
  const [answer, shown] = await Promise.all([
    callTool("search_documents", given),
    callTool("search_visual_elements", { query: words, limit: FIGURES }).catch(() => ({ results: [] })),
  ]);
  const kinds = h(
    "nav",
    { class: "chips", "aria-label": "Kinds of files" },
    Object.entries(TYPES).map(([value, name]) =>
      h("a", { class: "chip", href: here({ type: value }), "aria-current": value === type ? "true" : null }, name),
    ),
  );
  const order = h(
    "a",
    { class: "chip", href: here({ sort: sort ? "" : "newest" }), "aria-current": sort ? "true" : null },
    "Newest first",
  );
  return {
    title: `Search: ${words}`,
    content: results(words, answer, type ? [] : shown.results, [kinds, order], (start) =>
      callTool("search_documents", { ...given, start }),
    ),
  };
}

/** The results of one search as the page shows them; `next` gives those from a number on. */
function results(words, answer, figures, chips, next) {
  const list = h("ol", { class: "results" });
  const more = h("div", { class: "more" });
  const add = (some) => {
    list.append(...some.results.map(passage));
    const behind = some.next_start;
    more.replaceChildren(
      ...(behind === undefined || !next
        ? []
        : [h("button", { type: "button", onclick: async () => add(await next(behind)) }, "More results")]),
    );
  };
  add(answer);
  const strip = (figures ?? []).filter((one) => one.element_type !== "table" || one.caption);
  return [
    h("h1", { class: "asked" }, answer.results.length ? "Results for " : "Nothing found for ", h("q", null, words)),
    h("div", { class: "panel-head" }, chips, h("p", { class: "ranked" }, answer.ranked ?? "")),
    answer.remark ? h("p", { class: "remark" }, answer.remark) : null,
    h(
      "div",
      { class: strip.length ? "found with-figures" : "found" },
      h("div", null, list, more),
      strip.length
        ? h(
            "aside",
            { "aria-label": "Figures, tables and charts" },
            h("h2", null, "Figures, tables, charts"),
            strip.map(figureCard),
          )
        : null,
    ),
  ];
}

function passage(hit) {
  const page = hit.page ? `page ${hit.page}` : "";
  const at = hit.title.indexOf(" › ");
  const [name, section] = at < 0 ? [hit.title, ""] : [hit.title.slice(0, at), hit.title.slice(at + 3)];
  return h(
    "li",
    null,
    h(
      "article",
      { class: hit.weak ? "hit weak" : "hit" },
      h(
        "h2",
        null,
        badge(hit.path ?? hit.title),
        canRead() ? h("a", { href: placeOf(hit.uri, foundWords(hit.snippet)) }, name) : name,
        hit.weak ? h("span", { class: "weak", title: WEAK }, "weak match") : null,
      ),
      h(
        "p",
        { class: "place" },
        [section, page, hit.element_label].filter(Boolean).map((text) => h("span", null, text)),
        hit.path ? h("span", { class: "path", title: hit.path }, folderName(hit.path, 2)) : null,
      ),
      h("p", { class: "snippet" }, highlighted(hit.snippet)),
    ),
  );
}

function figureCard(one) {
  const uri = pictureUri(one.uri);
  return h(
    "a",
    {
      class: "card",
      href: placeOf(one.uri),
      onclick: (event) => {
        event.preventDefault();
        showElement(one.uri);
      },
    },
    picture(uri, one.caption || one.element_label),
    h(
      "span",
      { class: "card-label" },
      one.element_label,
      h("span", { class: "path" }, `${one.document_slug}${one.page ? `, page ${one.page}` : ""}`),
    ),
    one.caption ? h("span", { class: "card-caption" }, one.caption) : null,
  );
}

/** The URI of an element's picture. */
function pictureUri(uri) {
  const [path, query] = uri.split("?");
  return `${path}.png${query ? `?${query}` : ""}`;
}
