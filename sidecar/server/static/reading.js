"use strict";
// A document's text, part by part as assistants read it, beside its outline.

/** Outline on the left; the part that is open on the right, with its picture where it has one. */
function readingTab(info, record, query) {
  const wanted = query.get("at");
  const words = (query.get("mark") ?? "").split("|").filter(Boolean);
  const outline = h("nav", { class: "outline", "aria-label": "Outline" });
  const sheet = h("article", { class: "sheet", tabindex: "-1" });
  const entries = [];
  const open = (uri) => show(uri, [], true);
  const entry = (uri, title, level, tokens) => {
    const anchor = h(
      "a",
      {
        href: placeOf(uri),
        class: `level-${Math.min(level, 4)}`,
        onclick: (event) => {
          event.preventDefault();
          open(uri);
        },
        title: `${title}, about ${numbers.format(tokens)} tokens`,
      },
      title,
    );
    entries.push({ uri, anchor });
    return h("li", null, anchor);
  };
  const lines = h("ul");
  outline.append(h("h2", { class: "unseen" }, "Outline"), lines);
  list(record);

  /** Put the parts of one answer into the outline; a document of thousands of parts comes in several. */
  function list(some) {
    const sections = grouped(some.sections, (one) => one.part);
    lines.append(
      ...some.parts.flatMap((part) => {
        const title = part.title || part.name || `${part.kind} ${part.n}`;
        const shown = PICTURED_PARTS.includes(part.kind)
          ? `${part.n}  ${title === `${part.kind} ${part.n}` ? "" : title}`.trim()
          : title;
        const inside = (sections.get(part.n) ?? []).filter((one) => one.title !== part.title);
        return [
          entry(part.uri, shown, 0, part.tokens),
          ...inside.map((one) => entry(one.uri, one.title, one.level, one.tokens)),
        ];
      }),
    );
    const left = info.parts - record.parts.length;
    if (left <= 0) return;
    const more = h(
      "li",
      null,
      h(
        "button",
        {
          type: "button",
          class: "plain",
          onclick: async () => {
            const rest = JSON.parse(
              await readText(`document://${documentOf(record.source.uri)}.json?from=${record.parts.length + 1}`),
            );
            record.parts.push(...rest.parts);
            record.sections.push(...rest.sections);
            more.remove();
            list(rest);
          },
        },
        `${counted(left, "more part")}`,
      ),
    );
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
    if (/^(image|chart)/.test(uri)) {
      showPicture(uri);
      return;
    }
    if (uri.startsWith("element://") && byHand) {
      showElement(uri);
      return;
    }
    const doc = documentOf(uri);
    if (doc && doc !== documentOf(record.source.uri) && !uri.startsWith("embed://")) {
      go(placeOf(uri));
      return;
    }
    if (byHand) keep(placeOf(uri));
    for (const one of entries) one.anchor.removeAttribute("aria-current");
    const entryOf = (wanted) => entries.find((one) => one.uri === wanted)?.anchor;
    const current = entryOf(uri.split("?")[0]) ?? entryOf(partOf(uri)?.uri);
    current?.setAttribute("aria-current", "true");
    if (current) outline.scrollTop = Math.max(0, current.offsetTop - outline.offsetTop - outline.clientHeight / 3);
    sheet.classList.add("waiting");
    let text;
    try {
      text = await readText(uri);
    } catch (error) {
      sheet.replaceChildren(message("This part cannot be shown.", error.message));
      sheet.classList.remove("waiting");
      return;
    }
    sheet.classList.remove("waiting");
    const part = partOf(uri);
    const at = part ? record.parts.indexOf(part) : -1;
    const prose = h("div", { class: "prose" }, markdown(text, open));
    goOn(prose, text, open);
    const withPicture = part && PICTURED_PARTS.includes(part.kind);
    const step = (other, sign, name) =>
      other
        ? h(
            "a",
            {
              class: "step",
              href: placeOf(other.uri),
              rel: name,
              onclick: (event) => {
                event.preventDefault();
                open(other.uri);
              },
            },
            sign,
          )
        : h("span");
    sheet.replaceChildren(
      h(
        "div",
        { class: withPicture ? "leaf pictured" : "leaf" },
        withPicture
          ? h(
              "button",
              {
                class: "facsimile",
                type: "button",
                "aria-label": `Enlarge ${part.kind} ${part.n}`,
                onclick: () => showPicture(`${part.uri}.png`, `${part.kind} ${part.n} of ${record.title}`),
              },
              picture(`${part.uri}.png`, `Picture of ${part.kind} ${part.n}`),
            )
          : null,
        prose,
      ),
      h(
        "nav",
        { class: "steps", "aria-label": "Neighbours" },
        step(record.parts[at - 1], "← Previous", "prev"),
        h("span", { class: "uri" }, uri),
        step(at >= 0 ? record.parts[at + 1] : undefined, "Next →", "next"),
      ),
    );
    if (byHand) {
      sheet.focus({ preventScroll: true });
      if (sheet.getBoundingClientRect().top < 0) sheet.scrollIntoView({ block: "start" });
    }
    mark(prose, marks);
  }
  const first = wanted ?? record.parts[0]?.uri;
  if (first) show(first, words, false);
  else sheet.append(message("The document has no content."));
  return h("div", { class: entries.length > 1 ? "desk" : "desk single" }, entries.length > 1 ? outline : null, sheet);
}

function documentOf(uri) {
  return uri
    .split("://")[1]
    ?.split(/[/?]/)[0]
    .replace(/\.(md|txt|html|json)$/, "");
}

/** A text that was cut can be gone on with. */
function goOn(prose, text, open) {
  const onward = onwardOf(text);
  if (!onward) return;
  const button = h(
    "button",
    {
      type: "button",
      onclick: async () => {
        const rest = await readText(onward);
        button.replaceWith(markdown(rest, open));
        goOn(prose, rest, open);
      },
    },
    "Go on reading",
  );
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
