"use strict";
// How the page asks: over HTTP when a browser shows it, through the host when it is an MCP App (SEP-1865). Both ways are
// the same two requests, tools/call and resources/read.

const hosted = document.documentElement.dataset.host === "mcp-app";

/** What the host says of itself; its listeners are set by `page.js`. */
const host = { context: {}, can: {}, onInput: () => {}, onResult: () => {}, onContext: () => {} };

const waiting = new Map();
let lastId = 0;

/** Whether documents can be read from here: not every host passes that on. */
function canRead() {
  return !hosted || Boolean(host.can.serverResources && host.can.serverTools);
}

function post(record) {
  window.parent.postMessage({ jsonrpc: "2.0", ...record }, "*");
}

/** One JSON-RPC request; throws an Error with the sentence that says what is wrong. */
async function ask(method, params) {
  lastId += 1;
  const id = lastId;
  if (hosted) {
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      post({ id, method, params });
    });
  }
  let response;
  try {
    response = await fetch("request", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
    });
  } catch {
    throw new Error("The sidecar has ended. Start `docsidecar open` again and use the address it prints.");
  }
  if (!response.ok) throw new Error(await response.text());
  const answer = await response.json();
  if (answer.error) throw new Error(answer.error.message);
  return answer.result;
}

function textOf(result) {
  return (result.content ?? [])
    .filter((block) => block.type === "text")
    .map((block) => block.text)
    .join("\n");
}

/** A tool's structured answer; where the host's client is given none, `{text}`. */
async function callTool(name, given) {
  const result = await ask("tools/call", { name, arguments: given });
  if (result.isError) throw new Error(textOf(result).replace(/^Error: /, ""));
  return result.structuredContent ?? { text: textOf(result) };
}

/** The text of a resource, its content items one after the other. */
async function readText(uri) {
  const result = await ask("resources/read", { uri });
  return result.contents.map((item) => item.text ?? "").join("\n\n");
}

const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** The address from which an <img> takes a picture: the page's own, or the bytes themselves. */
async function pictureAddress(uri) {
  if (!hosted) return `picture?uri=${encodeURIComponent(uri)}`;
  const { contents } = await ask("resources/read", { uri });
  const item = contents.find((one) => one.blob && PICTURES.includes(one.mimeType));
  if (!item) throw new Error("There is no picture of it.");
  return `data:${item.mimeType};base64,${item.blob}`;
}

/** An <img> that is fetched when it comes into sight; where it fails, a quiet line takes its place. */
function picture(uri, alt, className = "") {
  const image = h("img", { alt, class: className, decoding: "async" });
  const frame = h("div", { class: "picture loading" }, image);
  whenSeen(frame, () => {
    pictures.waiting.push({ uri, alt, image, frame });
    loadPictures();
  });
  return frame;
}

// A browser opens six connections to a server at most: pictures, which may take seconds to be drawn, use some of them.
const MOST_LOADING = 3;
const pictures = { waiting: [], loading: new Set() };

function loadPictures() {
  while (pictures.waiting.length && pictures.loading.size < MOST_LOADING) {
    const next = pictures.waiting.shift();
    if (!next.frame.isConnected) continue;
    pictures.loading.add(next);
    loadPicture(next).finally(() => {
      pictures.loading.delete(next);
      loadPictures();
    });
  }
}

async function loadPicture({ uri, alt, image, frame }) {
  try {
    const loaded = new Promise((resolve, reject) => {
      image.addEventListener("load", resolve);
      image.addEventListener("error", reject);
      image.addEventListener("abandoned", resolve);
    });
    image.src = await pictureAddress(uri);
    await loaded;
    frame.classList.remove("loading");
  } catch {
    frame.classList.remove("loading");
    frame.replaceChildren(h("p", { class: "no-picture" }, alt ? `No picture: ${alt}` : "No picture."));
  }
}

/** Nobody waits any longer for the pictures of the view that was left. */
function abandonPictures() {
  pictures.waiting.length = 0;
  for (const { image } of pictures.loading) {
    image.removeAttribute("src");
    image.dispatchEvent(new Event("abandoned"));
  }
}

const sighted = new WeakMap();
const sight = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      sight.unobserve(target);
      sighted.get(target)?.();
    }
  },
  { rootMargin: "300px" },
);

/** Do something when the element comes near to being seen, once. */
function whenSeen(element, action) {
  sighted.set(element, action);
  sight.observe(element);
}

/** Introduce the page to its host. Gives when the host has answered. */
async function connect() {
  window.addEventListener("message", (event) => {
    if (event.source === window.parent && event.data?.jsonrpc === "2.0") receive(event.data);
  });
  const answer = await ask("ui/initialize", {
    protocolVersion: "2026-01-26",
    appInfo: { name: "docsidecar", title: "DocSidecar", version: "1" },
    appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
  });
  host.can = answer.hostCapabilities ?? {};
  host.context = answer.hostContext ?? {};
  host.onContext(host.context);
  post({ method: "ui/notifications/initialized", params: {} });
  let told = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === told) return;
    told = height;
    post({ method: "ui/notifications/size-changed", params: { width: document.documentElement.clientWidth, height } });
  }).observe(document.body);
}

function receive(record) {
  if (record.method === undefined) {
    const asked = waiting.get(record.id);
    waiting.delete(record.id);
    if (record.error) asked?.reject(new Error(record.error.message));
    else asked?.resolve(record.result ?? {});
    return;
  }
  const params = record.params ?? {};
  switch (record.method) {
    case "ui/notifications/tool-input":
      host.onInput(params.arguments ?? {});
      break;
    case "ui/notifications/tool-result":
      host.onResult(params);
      break;
    case "ui/notifications/tool-cancelled":
      host.onResult({ content: [{ type: "text", text: "The search was cancelled." }], isError: true });
      break;
    case "ui/notifications/host-context-changed":
      Object.assign(host.context, params);
      host.onContext(params);
      break;
    case "ping":
    case "ui/resource-teardown":
      post({ id: record.id, result: {} });
      return;
    default:
      if (record.id !== undefined)
        post({ id: record.id, error: { code: -32601, message: "The page has no such method." } });
  }
}
