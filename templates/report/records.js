"use strict";
/* The browser of records. It is a script of its own and no table library: those ship as bundles that npm builds, want
   inline styles or a server, and draw rows, where this draws the few in sight and loads records by need.
   Texts are data: they only ever become text nodes. */
(() => {
  const ROW = 64; // as .item in style.css
  const TALLEST = 8000000; // browsers lose places in taller boxes; of more rows each pixel then stands for several
  const BESIDE = 6;
  const GROUPS = 30;
  const byId = (id) => document.getElementById(id);

  const rows = [];
  const places = new Map();
  let found = [];
  let at = -1;
  let opened = null;
  let summary = null;
  let wanted = null;

  // Chunks of data, each a script that calls take.
  const waiting = new Map();
  window.benchwright = {
    take(series, number, content) {
      if (series === "summary") start(content);
      else waiting.get(`${series}-${number}`)?.resolve(content);
    },
  };

  function load(series, number) {
    const name = `${series}-${number}`;
    if (!waiting.has(name)) {
      const script = document.createElement("script");
      const entry = {};
      entry.promise = new Promise((resolve, reject) => {
        entry.resolve = resolve;
        script.onerror = () => {
          waiting.delete(name);
          reject(new Error(`data/${name}.js cannot be read. Write the report again.`));
        };
      });
      script.src = `data/${name}.js`;
      waiting.set(name, entry);
      document.head.append(script);
      entry.promise.then(() => script.remove(), () => script.remove());
    }
    return waiting.get(name).promise;
  }

  /* The item of a series by its number among all. */
  async function item(series, number) {
    const starts = summary.starts[series];
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= number) low = middle;
      else high = middle - 1;
    }
    return (await load(series, low))[number - starts[low]];
  }

  async function start(given) {
    summary = given;
    byId("tag-name").textContent = summary.tagName;
    for (const [id, names] of [["split", summary.splits], ["kind", summary.kinds], ["tag", summary.tags]]) fill(id, names);
    wanted = keyInAddress();
    for (let number = 0; number < summary.starts.index.length; number += 1) {
      try {
        add(await load("index", number));
      } catch (error) {
        byId("found").textContent = error.message;
        return;
      }
      waiting.delete(`index-${number}`);
      // The page stays at hand while more is read.
      await new Promise((resolve) => setTimeout(resolve));
    }
    tell();
  }

  function fill(id, names) {
    const order = names.map(([name, count], place) => ({ name, count, place })).sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
    for (const { name, count, place } of order) {
      byId(id).append(make("option", { value: String(place) }, `${words(name)} (${count.toLocaleString("en")})`));
    }
  }

  function add(chunk) {
    const match = matcher();
    for (const [key, question, answers, count, split, kind, tags, confirmed] of chunk) {
      const row = { number: rows.length, key, question, answers, count, split, kind, tags, confirmed };
      row.text = `${question}\n${answers}\n${key}`.toLowerCase();
      places.set(key, row.number);
      rows.push(row);
      if (match(row)) found.push(row);
    }
    draw();
    tell();
    if (wanted !== null && places.has(wanted)) open(rows[places.get(wanted)]);
  }

  // Filters.
  function matcher() {
    const searched = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = ["split", "kind", "tag", "confirmed"].map((id) => byId(id).value);
    const [split, kind, tag, confirmed] = chosen.map((value) => (value === "" ? -1 : Number(value)));
    byId("clear").hidden = !searched.length && chosen.every((value) => value === "");
    return (row) =>
      (split < 0 || row.split === split) &&
      (kind < 0 || row.kind === kind) &&
      (tag < 0 || row.tags.includes(tag)) &&
      (confirmed < 0 || row.confirmed === confirmed) &&
      searched.every((word) => row.text.includes(word));
  }

  function filter() {
    found = rows.filter(matcher());
    at = opened === null ? -1 : found.indexOf(opened);
    byId("rows").scrollTop = 0;
    draw();
    tell();
  }

  function tell() {
    const read = rows.length < summary.count ? `, ${rows.length.toLocaleString("en")} read` : "";
    const of = found.length === summary.count ? "" : `${found.length.toLocaleString("en")} of `;
    byId("found").textContent = `${of}${summary.count.toLocaleString("en")} ${summary.count === 1 ? "record" : "records"}${read}`;
    byId("empty").hidden = found.length > 0;
    byId("rows").hidden = found.length === 0;
    byId("random").disabled = found.length === 0;
  }

  // The list: only the rows in sight are there.
  function scale() {
    return Math.min(1, TALLEST / Math.max(1, found.length * ROW));
  }

  function draw() {
    const box = byId("rows");
    const space = byId("space");
    const height = box.clientHeight || window.innerHeight;
    const tall = Math.min(TALLEST, found.length * ROW);
    space.style.height = `${tall}px`;
    const most = Math.max(0, found.length * ROW - height);
    const reach = Math.max(1, tall - height);
    const offset = scale() === 1 ? box.scrollTop : (box.scrollTop / reach) * most;
    const first = Math.max(0, Math.floor(offset / ROW) - BESIDE);
    const last = Math.min(found.length, Math.ceil((offset + height) / ROW) + BESIDE);
    const shown = [];
    for (let place = first; place < last; place += 1) shown.push(line(found[place], place, place * ROW - offset + box.scrollTop));
    space.replaceChildren(...shown);
    if (at >= first && at < last) box.setAttribute("aria-activedescendant", `item-${at}`);
    else box.removeAttribute("aria-activedescendant");
  }

  function line(row, place, top) {
    const node = make(
      "div",
      { class: place === at ? "item here" : "item", id: `item-${place}`, role: "option", "aria-selected": String(place === at), "aria-setsize": String(found.length), "aria-posinset": String(place + 1) },
      make("b", {}, row.question),
      make("span", {}, [nameOf("splits", row.split), words(nameOf("kinds", row.kind)), row.count === 1 ? row.answers : `${row.count} answers`, row.confirmed ? "confirmed" : "unconfirmed"].join(" · ")),
    );
    node.style.transform = `translateY(${top}px)`;
    node.addEventListener("click", () => open(row));
    return node;
  }

  function go(place) {
    if (!found.length) return;
    at = Math.max(0, Math.min(found.length - 1, place));
    const box = byId("rows");
    const height = box.clientHeight;
    if (scale() === 1) {
      if (at * ROW < box.scrollTop) box.scrollTop = at * ROW;
      else if ((at + 1) * ROW > box.scrollTop + height) box.scrollTop = (at + 1) * ROW - height;
    } else {
      const tall = Math.min(TALLEST, found.length * ROW);
      box.scrollTop = ((at * ROW) / (found.length * ROW - height)) * (tall - height);
    }
    draw();
  }

  // A record.
  async function open(row) {
    opened = row;
    wanted = null;
    if (keyInAddress() !== row.key) history.pushState(null, "", `#${encodeURIComponent(row.key)}`);
    const place = found.indexOf(row);
    if (place >= 0) go(place);
    byId("panes").classList.add("open");
    try {
      const told = await item("trails", row.number);
      if (opened === row) show(row, told);
    } catch (error) {
      byId("record").replaceChildren(backButton(), make("p", { class: "notice" }, error.message));
    }
  }

  function show(row, told) {
    const record = byId("record");
    const tags = row.tags.map((tag) => badge(nameOf("tags", tag)));
    record.replaceChildren(
      backButton(),
      make("div", { class: "meta" }, badge(nameOf("splits", row.split)), badge(words(nameOf("kinds", row.kind))), ...tags, badge(row.confirmed ? "confirmed" : "unconfirmed", row.confirmed ? "confirmed" : "unconfirmed")),
      make("h1", {}, row.question),
      make("ul", { class: "answers", "aria-label": "Answers" }, ...told.answers.map((answer) => make("li", {}, answer))),
      make("p", { class: "from mono" }, row.key.startsWith(told.record) ? row.key : `${told.record} · ${row.key}`),
      ...told.steps.map(step),
    );
    record.scrollTop = 0;
    record.focus({ preventScroll: true });
  }

  function step(told) {
    const section = make(
      "section",
      {},
      make("div", { class: "head" }, make("h2", {}, told.name), make("p", { class: "from" }, ...told.stages.flatMap((stage, place) => [place ? ", " : "", make("a", { href: `stages.html#${encodeURIComponent(stage)}` }, stage)]))),
    );
    if (told.facts.length) section.append(facts(told.facts));
    if (told.picture !== undefined) section.append(picture(told.picture));
    if (told.quotes) section.append(...quotes(told.quotes));
    return section;
  }

  function facts(pairs) {
    return make("dl", { class: "facts" }, ...pairs.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
  }

  function picture(number) {
    const image = make("img", { alt: "The graph as a picture; what stands in it is told beside it" });
    item("pictures", number).then(
      (svg) => {
        image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
      },
      (error) => image.replaceWith(make("p", { class: "notice" }, error.message)),
    );
    return make("div", { class: "picture", tabindex: "0" }, image);
  }

  function quotes(all) {
    const groups = [];
    for (const quote of all) {
      if (!groups.length || groups[groups.length - 1].of !== quote.of) groups.push({ of: quote.of, quotes: [] });
      groups[groups.length - 1].quotes.push(quote);
    }
    const nodes = groups.slice(0, GROUPS).flatMap(group);
    if (groups.length > GROUPS) {
      const more = make("button", { type: "button" }, `Show all ${groups.length}`);
      more.addEventListener("click", () => more.replaceWith(...groups.slice(GROUPS).flatMap(group)));
      nodes.push(more);
    }
    return nodes;
  }

  function group({ of, quotes: some }) {
    return [...(of ? [make("h3", {}, of)] : []), ...some.map(quoted)];
  }

  function quoted(quote) {
    const text = quote.text.map((piece, place) => (place % 2 ? make("mark", {}, piece) : piece));
    const short = (quote.facts ?? []).filter(([, value]) => value.length <= 60);
    const long = (quote.facts ?? []).filter(([, value]) => value.length > 60);
    return make(
      "div",
      { class: quote.aside ? "quote aside" : "quote" },
      ...(quote.says ? [make("p", { class: "says" }, "for: ", make("b", {}, quote.says))] : []),
      make("p", {}, ...text),
      make("p", { class: "from" }, ...(quote.title ? [source(quote)] : []), ...short.map(([name, value]) => make("span", {}, `${name} `, make("b", {}, value)))),
      ...long.map(([name, value]) => make("details", {}, make("summary", {}, name), make("p", {}, value))),
    );
  }

  function source(quote) {
    // A link only where it leads to a page: what a source calls an address may be a script.
    if (!/^https?:\/\//i.test(quote.url ?? "")) return make("span", {}, quote.title);
    return make("a", { href: quote.url, rel: "noopener noreferrer", target: "_blank" }, quote.title);
  }

  function backButton() {
    const button = make("button", { type: "button", class: "back" }, "← All records");
    button.addEventListener("click", back);
    return button;
  }

  function back() {
    byId("panes").classList.remove("open");
    draw();
    byId("rows").focus({ preventScroll: true });
  }

  function random() {
    if (found.length) open(found[Math.floor(Math.random() * found.length)]);
  }

  // Pieces.
  function make(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }

  function badge(text, kind = "") {
    return make("span", { class: `badge ${kind}`.trim() }, text);
  }

  function nameOf(list, place) {
    return summary[list][place][0];
  }

  function words(name) {
    return name.replaceAll("_", " ");
  }

  function keyInAddress() {
    try {
      return location.hash.length > 1 ? decodeURIComponent(location.hash.slice(1)) : null;
    } catch {
      return null;
    }
  }

  // Events.
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("search").addEventListener("input", filter);
  for (const id of ["split", "kind", "tag", "confirmed"]) byId(id).addEventListener("change", filter);
  byId("random").addEventListener("click", random);
  byId("clear").addEventListener("click", () => {
    for (const id of ["search", "split", "kind", "tag", "confirmed"]) byId(id).value = "";
    filter();
    byId("search").focus();
  });
  let asked = false;
  byId("rows").addEventListener("scroll", () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
    });
  });
  window.addEventListener("resize", draw);
  window.addEventListener("popstate", () => {
    const key = keyInAddress();
    if (key !== null && places.has(key)) open(rows[places.get(key)]);
    else if (key === null) back();
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "");
    if (event.key === "Escape") {
      back();
    } else if (event.key === "/" && !typing) {
      event.preventDefault();
      byId("panes").classList.remove("open");
      byId("search").focus();
      byId("search").select();
    } else if (event.key === "r" && !typing) {
      random();
    }
  });
  byId("search").addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "Enter") return;
    event.preventDefault();
    byId("rows").focus();
    go(Math.max(at, 0));
    if (event.key === "Enter" && at >= 0) open(found[at]);
  });
  byId("rows").addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.floor(byId("rows").clientHeight / ROW) - 1);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in moves) {
      event.preventDefault();
      go(at + moves[event.key]);
    } else if (event.key === "Enter" && at >= 0) {
      event.preventDefault();
      open(found[at]);
    }
  });
})();
