"use strict";
// Which view is shown, how far the library is, the keyboard, the colours; and the page's start.

const main = document.getElementById("main");
const field = document.getElementById("query");
/** `view` is what is shown: `{title, content, fill, changed}`. When the library is heard of again, `fill` shows how far it is,
 * and `changed` looks whether what is shown still is so. */
const state = { turn: 0, view: null, stack: ["#/"] };

/** Where the page is: an address such as "#/search?q=otter". Inside a host the page keeps it itself. */
function place() {
  return hosted ? state.stack.at(-1) : location.hash || "#/";
}

/** Go there and show it. */
function go(address) {
  if (!hosted) {
    location.hash = address;
    return;
  }
  state.stack.push(address);
  show();
}

/** Note where the page is without showing it anew. */
function keep(address) {
  if (hosted) state.stack[state.stack.length - 1] = address;
  else history.replaceState(null, "", address);
}

/** Show the place; `again` leaves the person where they are in it. */
async function show(again = false) {
  const turn = (state.turn += 1);
  const [path, query = ""] = place().replace(/^#/, "").split("?");
  const [name, ...rest] = path.split("/").filter(Boolean);
  if (!again) document.getElementById("viewer").close();
  abandonPictures();
  if (name !== "search" || document.activeElement !== field)
    field.value = name === "search" ? (new URLSearchParams(query).get("q") ?? "") : "";
  const wait = setTimeout(() => {
    if (turn === state.turn) main.classList.add("waiting");
  }, 150);
  let view;
  try {
    library ??= await callTool("get_library_status", {});
    view = await viewOf(name, decodeURIComponent(rest.join("/")), new URLSearchParams(query));
  } catch (error) {
    view = { title: "Not found", content: message("That cannot be shown.", error.message) };
  }
  clearTimeout(wait);
  if (turn !== state.turn) return;
  put(view, again);
}

function put(view, again = false) {
  state.view = view;
  main.classList.remove("waiting");
  document.title = view.title === "Library" ? "DocSidecar" : `${view.title} – DocSidecar`;
  const back =
    hosted && state.stack.length > 1
      ? h(
          "button",
          {
            type: "button",
            class: "plain back",
            onclick: () => {
              state.stack.pop();
              show();
            },
          },
          "← Back",
        )
      : null;
  main.replaceChildren(...[back, view.content].flat(Infinity).filter(Boolean));
  if (again) return;
  if (document.activeElement !== field) main.focus({ preventScroll: true });
  if (!place().includes("mark=")) scrollTo(0, 0);
}

function viewOf(name, rest, query) {
  switch (name) {
    case undefined:
      return libraryView(query);
    case "search":
      return searchView(query);
    case "document":
      return documentView(rest, query);
    case "problems":
      return problemsView();
    default:
      throw new Error("There is no such view; the library's name at the top leads back.");
  }
}

// How far the library is: asked for often while files are read, now and then otherwise, never while nobody looks.
const BUSY_MS = 1500;
const IDLE_MS = 3000;

async function follow() {
  if (!document.hidden) {
    try {
      library = await callTool("get_library_status", {});
      tell();
      state.view?.fill?.();
      await state.view?.changed?.();
    } catch (error) {
      tell(error.message);
    }
  }
  setTimeout(follow, library?.state === "indexing" ? BUSY_MS : IDLE_MS);
}

function tell(trouble = "") {
  const sign = document.getElementById("state");
  const text = document.getElementById("state-text");
  const failed = library ? unreadCount(library) : 0;
  const said =
    trouble ||
    (library.state === "indexing"
      ? library.pending
        ? `Reading ${numbers.format(library.pending)} files`
        : "Looking through the folders"
      : failed > 0
        ? `${numbers.format(failed)} not read`
        : "Up to date");
  sign.className = `state ${trouble ? "lost" : library.state}${!trouble && failed > 0 && library.state !== "indexing" ? " some" : ""}`;
  if (text.textContent !== said) text.textContent = said;
}

const THEMES = { "": "as the system has them", light: "light", dark: "dark" };

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  document.getElementById("theme").setAttribute("aria-label", `Colours: ${THEMES[theme]}`);
}

function stored(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(name) ?? "";
    localStorage.setItem(name, value);
  } catch {
    /* a browser that keeps nothing, or a host's sandbox */
  }
  return "";
}

let typing = 0;
field.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => submit(false), 250);
});
document.getElementById("find").addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(typing);
  submit(true);
});

/** Search for what stands in the field. While it is being typed, no step is added to the history. */
function submit(entered) {
  const words = field.value.trim();
  if (!words && !entered) return;
  const address = words ? `#/search?${new URLSearchParams({ q: words })}` : "#/";
  if (address === place()) {
    if (entered) main.querySelector(".hit a")?.focus();
    return;
  }
  if (place().startsWith("#/search") && !entered) {
    keep(address);
    show();
  } else go(address);
}

document.addEventListener("keydown", (event) => {
  const typed = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/" && !typed) {
    event.preventDefault();
    field.focus();
    field.select();
  }
  if (event.key === "Escape" && event.target === field) {
    field.value = "";
    field.blur();
  }
  if (
    (event.key === "ArrowDown" || event.key === "ArrowUp") &&
    (event.target === field || event.target.closest?.(".results, .documents"))
  ) {
    const links = [...main.querySelectorAll(".hit a, a.document")];
    const next = links.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
    if (links.length) {
      event.preventDefault();
      (links[next] ?? (next < 0 ? field : links.at(-1))).focus();
    }
  }
  if (
    !typed &&
    !document.getElementById("viewer").open &&
    (event.key === "ArrowLeft" || event.key === "ArrowRight") &&
    !event.target.closest?.(".table, pre")
  )
    main.querySelector(`.steps [rel=${event.key === "ArrowLeft" ? "prev" : "next"}]`)?.click();
});

document.addEventListener("click", (event) => {
  if (event.target.id === "viewer") event.target.close();
  const anchor = event.target.closest?.('a[href^="#"]');
  if (!anchor || event.defaultPrevented) return;
  if (anchor.id === "skip") {
    event.preventDefault();
    main.focus();
    return;
  }
  if (hosted) {
    event.preventDefault();
    go(anchor.getAttribute("href"));
  }
});

document.getElementById("theme").addEventListener("click", () => {
  const names = Object.keys(THEMES);
  const shown = document.documentElement.dataset.theme ?? "";
  const next = names[(names.indexOf(shown) + 1) % names.length];
  stored("theme", next);
  setTheme(next);
});

/** Inside a host, the page begins with the answer of the tool it was opened for. */
async function startHosted() {
  let asked = {};
  host.onInput = (given) => {
    asked = given;
    field.value = given.query ?? "";
  };
  const larger = document.getElementById("larger");
  larger.addEventListener("click", () =>
    ask("ui/request-display-mode", { mode: "fullscreen" })
      .then(({ mode }) => {
        host.context.displayMode = mode ?? host.context.displayMode;
        host.onContext({});
      })
      .catch(() => {}),
  );
  host.onContext = (context) => {
    const modes = host.context.availableDisplayModes ?? [];
    larger.hidden = !modes.includes("fullscreen") || host.context.displayMode === "fullscreen";
    if (context.theme) setTheme(context.theme);
    for (const [name, value] of Object.entries(context.styles?.variables ?? {}))
      document.documentElement.style.setProperty(name, value);
    const covered = context.safeAreaInsets;
    if (covered)
      document.body.style.padding = ["top", "right", "bottom", "left"].map((side) => `${covered[side]}px`).join(" ");
  };
  host.onResult = (result) => {
    state.turn += 1;
    const found = result.structuredContent;
    if (found?.results && asked.query !== undefined) {
      const next = host.can.serverTools ? (start) => callTool("search_documents", { ...asked, start }) : null;
      state.stack = [`#/search?${new URLSearchParams({ q: asked.query })}`];
      put({ title: "Search", content: results(asked.query, found, [], [], next) });
      return;
    }
    const image = (result.content ?? []).find((block) => block.type === "image" && PICTURES.includes(block.mimeType));
    const told = textOf(result);
    put({
      title: "Answer",
      content: [
        image
          ? h(
              "figure",
              { class: "answer" },
              h("img", {
                src: `data:${image.mimeType};base64,${image.data}`,
                alt: found?.caption ?? asked.element_label ?? "",
              }),
              h("figcaption", null, found?.caption ?? ""),
            )
          : null,
        h(
          "p",
          { class: "told" },
          found?.uri && canRead()
            ? h("a", { href: placeOf(found.uri) }, `${found.element_label}, ${found.document_slug}`)
            : told,
        ),
      ],
    });
  };
  main.replaceChildren(h("p", { class: "empty" }, "Searching your documents …"));
  await connect();
  document.documentElement.classList.toggle("can-ask", canRead());
}

if (hosted) {
  startHosted();
} else {
  setTheme(stored("theme"));
  addEventListener("hashchange", () => show());
  show();
  follow();
}
