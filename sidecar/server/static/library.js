"use strict";
// The library: its folders, how far it is, its documents, and the files that could not be read.

const PAGE_SIZE = 50;
const SORTS = {
  modified: "Newest first",
  title: "Title",
  name: "File name",
  date_added: "Latest added",
  page_count: "Longest first",
};

/** How far the library is, last heard; `page.js` keeps it. */
let library = null;

/** The front page. `query` is what the address says behind "?". */
async function libraryView(query) {
  const state = query.get("state") ?? "";
  const folder = query.get("folder") ?? "";
  const sort = query.get("sort") ?? "modified";
  const list = h("ul", { class: "documents" });
  const more = h("div", { class: "more" });
  const here = (changes) => {
    const next = new URLSearchParams(
      Object.entries({ state, folder, sort, ...changes }).filter(
        ([name, value]) => value && value !== { sort: "modified" }[name],
      ),
    );
    return `#/${next.size ? `?${next}` : ""}`;
  };
  const sorting = h(
    "select",
    { id: "sort", onchange: () => go(here({ sort: sorting.value })) },
    Object.entries(SORTS).map(([key, name]) => h("option", { value: key, selected: key === sort }, name)),
  );
  const summary = h("section", { class: "summary", "aria-label": "Folders" });
  const filters = h("nav", { class: "chips", "aria-label": "States" });
  let told = "";
  const fill = () => {
    const now = JSON.stringify(library);
    if (now === told) return;
    told = now;
    summary.replaceChildren(...overview(library, folder, here));
    const total = Object.values(library.states).reduce((sum, count) => sum + count, 0);
    const chip = (name, count, value) =>
      h(
        "a",
        { class: "chip", href: here({ state: value }), "aria-current": state === value ? "true" : null },
        name,
        " ",
        h("b", null, numbers.format(count)),
      );
    const failed = Object.entries(library.states).filter(([name, count]) => name !== "indexed" && count);
    filters.replaceChildren(
      ...(failed.length
        ? [
            chip("All", total, ""),
            chip("Indexed", library.states.indexed ?? 0, "indexed"),
            ...failed.map(([name, count]) => chip(stateName(name), count, name)),
          ]
        : []),
    );
  };
  fill();
  const changed = async () => {
    if (list.childElementCount <= PAGE_SIZE) await page(1);
  };
  let listed = "";
  async function page(number) {
    const answer = await callTool("list_documents_paginated", {
      page: number,
      page_size: PAGE_SIZE,
      sort_by: sort,
      ...(folder && { folder }),
      ...(state && { state }),
    });
    if (number === 1) {
      const now = JSON.stringify(answer.documents);
      if (now === listed) return;
      listed = now;
      list.replaceChildren();
    }
    if (answer.text !== undefined) {
      list.replaceChildren(h("li", null, h("pre", null, answer.text)));
      return;
    }
    list.append(...answer.documents.map(documentLine));
    const shown = list.childElementCount;
    more.replaceChildren(
      ...(shown < answer.total
        ? [
            h("p", null, `${numbers.format(shown)} of ${counted(answer.total, "document")}`),
            h("button", { type: "button", onclick: () => page(number + 1) }, "Show more"),
          ]
        : []),
    );
    if (!answer.total) list.replaceChildren(h("li", null, nothing(state || folder)));
  }
  await page(1);
  return {
    title: "Library",
    fill,
    changed,
    content: [
      h("h1", { class: "unseen" }, "Your library"),
      summary,
      h(
        "section",
        { class: "panel", "aria-label": "Documents" },
        h(
          "div",
          { class: "panel-head" },
          h("h2", null, "Documents"),
          filters,
          h("label", { class: "sort", for: "sort" }, h("span", { class: "unseen" }, "Sort by"), sorting),
        ),
        list,
        more,
      ),
    ],
  };
}

function nothing(filtered) {
  if (filtered) return message("No document is there.", "Choose another state or folder above.");
  if (library.state === "indexing") return message("The first documents appear here in a moment.");
  return library.folders.length
    ? message(
        "These folders hold no documents yet.",
        "Word, Excel, PowerPoint, PDF, mail, Markdown, HTML and text files appear here as soon as they are saved.",
      )
    : message("No folder is watched yet.", "In a terminal: docsidecar add ~/Documents");
}

/** The numbers, the folders, and what is being read just now. */
function overview(status, folder, here) {
  const indexed = status.states.indexed ?? 0;
  const others = unreadCount(status);
  const figures = h(
    "div",
    { class: "figures" },
    h(
      "p",
      { class: "figure" },
      h("b", null, numbers.format(indexed)),
      h("span", null, indexed === 1 ? "document" : "documents"),
    ),
    others > 0
      ? h(
          "p",
          { class: "figure" },
          h("a", { href: "#/problems" }, h("b", null, numbers.format(others)), h("span", null, "not read")),
        )
      : null,
    status.embedded?.total
      ? h(
          "p",
          { class: "figure" },
          h("b", null, `${Math.floor((100 * status.embedded.done) / status.embedded.total)} %`),
          h("span", null, "searchable by meaning"),
        )
      : null,
  );
  const folders = h(
    "ul",
    { class: "folders" },
    status.folders.map((one) =>
      h(
        "li",
        { class: one.problem ? "trouble" : null },
        h(
          "a",
          {
            href: here({ folder: folder === one.path ? "" : one.path }),
            "aria-current": folder === one.path ? "true" : null,
            title: one.path,
          },
          h("span", { class: "folder-sign", "aria-hidden": "true" }),
          h("span", { class: "folder-name" }, fileName(one.path) || one.path),
          h("span", { class: "folder-path" }, one.path),
        ),
        one.problem ? h("p", { class: "reason" }, one.problem) : null,
      ),
    ),
  );
  const parts = [figures, folders];
  if (status.state === "indexing") parts.push(reading(status));
  for (const remark of [status.config?.error, ...(status.remarks ?? [])].filter(Boolean))
    parts.push(h("p", { class: "remark" }, remark));
  return parts;
}

/** How many files could not be read. */
function unreadCount(status) {
  return status.unreadable_total ?? status.unreadable?.length ?? 0;
}

function reading(status) {
  const done = Math.max(status.total - status.pending, 0);
  return h(
    "div",
    { class: "reading" },
    h(
      "p",
      null,
      status.pending
        ? `Reading ${numbers.format(status.pending)} of ${counted(status.total, "file")}`
        : "Looking through the folders …",
    ),
    h("progress", { max: Math.max(status.total, 1), value: status.pending ? done : null, "aria-label": "Files read" }),
    h(
      "p",
      { class: "now" },
      status.current
        ? [
            badge(status.current),
            " ",
            fileName(status.current),
            h("span", { class: "path" }, folderName(status.current)),
          ]
        : "",
    ),
  );
}

function documentLine(one) {
  const failed = one.state !== "indexed";
  return h(
    "li",
    null,
    h(
      "a",
      { class: "document", href: `#/document/${encodeURIComponent(one.slug)}` },
      badge(one.path),
      h(
        "span",
        { class: "name" },
        h("span", { class: "title" }, one.title || fileName(one.path)),
        h(
          "span",
          { class: "path", title: one.path },
          [folderName(one.path), fileName(one.path)].filter(Boolean).join(" / "),
        ),
        failed || one.reason ? h("span", { class: "reason" }, one.reason || stateName(one.state)) : null,
      ),
      h("span", { class: "parts" }, one.parts ? partsOf(one) : ""),
      h("time", { datetime: one.modified }, dated(one.modified)),
    ),
  );
}

const PART_NAMES = {
  pdf: "page",
  pptx: "slide",
  ppt: "slide",
  xlsx: "sheet",
  xls: "sheet",
  ods: "sheet",
  odp: "slide",
  csv: "sheet",
  mail: "message",
  docx: "chapter",
  doc: "chapter",
  markdown: "chapter",
  epub: "chapter",
};

function partsOf(one) {
  return counted(one.parts, one.part_kind ?? PART_NAMES[one.format] ?? "part");
}

const ADVICE = {
  encrypted: "Save a copy without the password and it is read at once.",
  damaged: "The program that made the file may still be able to open and save it again.",
  unsupported: "Nothing here reads this kind of file; saving it in a common format helps.",
  too_large: "The limits are settings: [limits] in the configuration.",
  timed_out: "It is tried again when the file changes; the time is a setting: [limits] in the configuration.",
  crashed: "It is tried again when the file changes.",
  unreadable: "The system does not let the sidecar read it; look at the file's permissions.",
  placeholder: "It is kept in the cloud. Make it available on this machine, and it is read.",
  secret: "Files that hold keys or passwords are left out on purpose.",
  away: "The folder it lies in is not there just now; what is known of it stays.",
};

/** Every file that could not be read, by the reason. */
async function problemsView() {
  const files = [];
  let start = 0;
  let total = 0;
  do {
    const answer = await callTool("get_library_status", { start });
    files.push(...answer.unreadable);
    total = answer.unreadable_total ?? files.length;
    start = answer.next_start ?? 0;
  } while (start && files.length < 1000);
  const groups = grouped(files, (file) => file.state);
  const line = (file) => {
    const inside = [
      badge(file.path),
      h(
        "span",
        { class: "name" },
        h("span", { class: "title" }, fileName(file.path)),
        h("span", { class: "path", title: file.path }, folderName(file.path)),
        h("span", { class: "reason" }, file.reason),
      ),
    ];
    return h(
      "li",
      null,
      file.document_slug
        ? h("a", { class: "document", href: `#/document/${encodeURIComponent(file.document_slug)}` }, inside)
        : h("div", { class: "document" }, inside),
    );
  };
  return {
    title: "Not read",
    content: [
      h("h1", null, total ? `${counted(total, "file")} could not be read` : "Every file could be read"),
      h(
        "p",
        { class: "lead" },
        total
          ? "Everything else is indexed. A file is read again as soon as it changes."
          : "Nothing is left out: what the folders hold can be searched.",
      ),
      [...groups].map(([state, some]) =>
        h(
          "section",
          { class: "panel" },
          h(
            "div",
            { class: "panel-head" },
            h("h2", null, stateName(state), " ", h("span", { class: "count" }, numbers.format(some.length))),
          ),
          h("p", { class: "advice" }, ADVICE[state] ?? ""),
          h("ul", { class: "documents" }, some.map(line)),
        ),
      ),
    ],
  };
}
