"use strict";
// Figures, tables, charts and equations: all of a document's, and one of them in a window over the page.

/** Elements by kind: pictures as pictures, tables as tables. */
function elementsTab(record) {
  const times = new Map();
  for (const one of record.elements) times.set(one.label, (times.get(one.label) ?? 0) + 1);
  return h(
    "ul",
    { class: "gallery wide" },
    record.elements.map((one) => {
      const uri = times.get(one.label) > 1 && one.page ? `${one.uri}?page=${one.page}` : one.uri;
      const place = record.parts.find((part) => part.n === one.part);
      const view =
        one.type === "table" ? tablePreview(one.text ?? "") : picture(pictureUri(uri), one.caption || one.label);
      return h(
        "li",
        null,
        h(
          "a",
          {
            class: "card",
            href: placeOf(uri),
            onclick: (event) => {
              event.preventDefault();
              showElement(uri);
            },
          },
          view,
          h(
            "span",
            { class: "card-label" },
            one.label,
            h(
              "span",
              { class: "path" },
              [one.type, one.page ? `page ${one.page}` : place?.title].filter(Boolean).join(", "),
            ),
          ),
          one.caption && one.caption !== one.label ? h("span", { class: "card-caption" }, one.caption) : null,
        ),
      );
    }),
  );
}

function tablePreview(text) {
  const rows = text.split("\n").slice(0, 14).join("\n");
  return h(
    "div",
    { class: "preview", inert: true, "aria-hidden": "true" },
    /\t| \| /.test(rows) ? tabbedTable(rows) : h("pre", null, rows),
  );
}

/** A window over the page, closed by Escape, by its button, or by a click beside it. */
function openViewer(title, ...content) {
  const viewer = document.getElementById("viewer");
  viewer.replaceChildren(
    h(
      "header",
      null,
      h("h2", { id: "viewer-title" }, title),
      h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: () => viewer.close() }, "✕"),
    ),
    h("div", { class: "viewer-body" }, content),
  );
  if (!viewer.open) viewer.showModal();
}

function showPicture(uri, title = "Picture") {
  openViewer(
    title,
    picture(/^chart:\/\/[^?]*$/.test(uri) && !/\.(png|svg)$/.test(uri) ? `${uri}.png` : uri, title, "large"),
  );
}

/** An element: its picture or the table itself, with its caption and what stands around it. */
async function showElement(uri) {
  const [path, query] = uri.split("?");
  const label = decodeURIComponent(path.split("/").pop());
  let one;
  try {
    one = JSON.parse(await readText(`${path}.json${query ? `?${query}` : ""}`));
  } catch (error) {
    openViewer(label, message("It cannot be shown.", error.message));
    return;
  }
  const doc = documentOf(uri);
  const part = Object.entries(one.links).find(([name]) =>
    ["chapter", "sheet", "slide", "page", "message"].includes(name),
  )?.[1];
  const open = (target) => {
    document.getElementById("viewer").close();
    go(placeOf(target));
  };
  // What says it best: the table as it stands in its part, a chart's data, else the element's own text.
  const chart = one.links.data ? `${one.links.data}.md` : "";
  const source = one.type === "table" ? `paragraph://${doc}/${one.part}/${one.block}` : chart;
  const body = h("div", { class: "prose" });
  const asText = () => (!one.text ? "" : /\t| \| /.test(one.text) ? tabbedTable(one.text) : h("pre", null, one.text));
  openViewer(
    one.label,
    one.type === "table" ? null : picture(pictureUri(uri), one.caption || one.label, "large"),
    one.caption && one.caption !== one.label && !source ? h("p", { class: "caption" }, one.caption) : null,
    one.latex ? h("pre", null, one.latex) : null,
    body,
    one.context
      ? h("div", null, h("h3", { class: "path" }, "Around it"), h("p", { class: "around" }, one.context))
      : null,
    h(
      "p",
      null,
      part
        ? h(
            "a",
            {
              href: placeOf(part),
              onclick: (event) => {
                event.preventDefault();
                open(part);
              },
            },
            "Where it stands",
          )
        : null,
      " ",
      h("span", { class: "uri" }, uri),
    ),
  );
  try {
    body.append(source ? markdown(await readText(source), open) : asText());
  } catch {
    body.append(asText());
  }
}
