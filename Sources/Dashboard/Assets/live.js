// The page Now and the widget while a session is live: the server renders values and charts, and this replaces them. The pages work
// without scripts.
// Half up, as the server rounds positive numbers.
const fixed = (value, decimals = 0) => (Math.round(value * 10 ** decimals) / 10 ** decimals).toFixed(decimals);
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
const setText = (element, text) => { if (element && element.textContent !== text) element.textContent = text; };

if (root) {
  const refreshValues = "values" in root.dataset ? followValues() : null;
  if (!root.dataset.size) followLines(refreshValues);
  if ($("activity")) followExercise();
} else if (rendered.size) follow();

// Replaces the parts of the page that the server renders: after each line of a session, and at least every second; every five
// seconds without a session. Returns the function that replaces them soon.
function followValues() {
  const data = root.dataset;
  // The time before which no request begins, and whether one follows soon.
  let timer = 0, isWaiting = false, earliest = 0, isSoon = false;

  async function next() {
    clearTimeout(timer);
    if (document.hidden || isWaiting) return;
    [isWaiting, isSoon] = [true, false];
    const begin = performance.now(), page = await load(data.values || undefined, 5000);
    isWaiting = false;
    if (page) show(page.getElementById("live"));
    else withdraw();
    // At most a twentieth of the time of a slow server.
    const end = performance.now(), interval = data.session || "running" in data ? 1200 : 5000;
    earliest = end + Math.min(20 * (end - begin), 5000);
    schedule(isSoon ? end : begin + interval);
  }

  function schedule(time) {
    clearTimeout(timer);
    timer = setTimeout(next, Math.max(time, earliest) - performance.now());
  }

  function show(fresh) {
    // The first values of a page without any need the whole page.
    if (fresh.dataset.state !== "nothing" && data.state === "nothing") { location.reload(); return; }
    const spoken = [];
    for (const part of all("[data-live]", fresh)) {
      const old = $(part.id);
      // A chart stays while its values are read with the cursor.
      if (!old || one(old, ".cursor")) continue;
      if (part.dataset.announce && part.dataset.key !== old.dataset.key) spoken.push(part.dataset.announce);
      update(old, part);
    }
    // Texts that follow one another at once would replace one another.
    if (spoken.length) announce(spoken.join(" "));
    for (const name of ["state", "session", "category", "mood"]) if (data[name] !== fresh.dataset[name]) data[name] = fresh.dataset[name];
    if ("running" in fresh.dataset) data.running = ""; else delete data.running;
    scaleMarks();
    data.shown = fresh.dataset.cursor;
  }

  // The drawing of the beats is stretched to the width of its card, its marks are not.
  function scaleMarks() {
    const svg = one(document, "#chart-beats .plot svg");
    if (svg?.clientWidth) root.style.setProperty("--mark-scale", fixed(3.75 * svg.clientHeight / svg.clientWidth, 2));
  }

  // The layout states the reason.
  function withdraw() {
    if (data.state === "nothing") return;
    data.state = "stale";
    if (data.size) data.mood = "none";
    const place = $("notices");
    if (place) { place.replaceChildren(); delete place.dataset.key; }
  }

  addEventListener("visibilitychange", next);
  addEventListener("resize", scaleMarks);
  next();
  // The lines of one notification arrive together. Further lines do not postpone the request.
  return () => {
    if (isSoon) return;
    isSoon = true;
    if (!isWaiting) schedule(performance.now() + 50);
  };
}

// Makes an element equal to a newer one. Elements are kept, so that the focus, open details and animations are.
function update(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeName !== fresh.nodeName) { old.replaceWith(fresh); return; }
  if (old.nodeType !== Node.ELEMENT_NODE) { old.data = fresh.data; return; }
  for (const name of old.getAttributeNames()) if (name !== "open" && !fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const name of fresh.getAttributeNames()) {
    if (old.getAttribute(name) !== fresh.getAttribute(name)) old.setAttribute(name, fresh.getAttribute(name));
  }
  const parts = [...fresh.childNodes];
  while (old.childNodes.length > parts.length) old.lastChild.remove();
  parts.forEach((part, index) => index < old.childNodes.length ? update(old.childNodes[index], part) : old.append(part));
}

// Receives the lines of the session.
function followLines(refreshValues) {
  const data = root.dataset, notices = data.notices ? JSON.parse(data.notices) : {};
  let cursor = data.cursor || "";

  function connect() {
    const source = new EventSource("/events" + (cursor && "?last_event_id=" + encodeURIComponent(cursor)));
    source.onopen = () => setTrouble("");
    source.onmessage = event => { cursor = event.lastEventId; receive(JSON.parse(event.data)); };
    source.onerror = () => {
      if (!refreshValues) load();
      // A rejected stream is closed for good; a lost one is opened again by the browser.
      if (source.readyState === EventSource.CLOSED) setTimeout(connect, 3000);
    };
  }

  function receive(line) {
    if (line.profile && line.profile !== data.profile) return;
    onLine?.(line);
    // The day and what to do next.
    if (line.type === "mark" || line.type === "end") refreshSoon(line);
    if (line.type === "notice") notify(notices[line.notice]);
    refreshValues?.();
  }

  connect();
}

// Shows a notice on the desktop, also while the page is hidden, if the person permitted it. The page shows questions in any case.
function notify(text) {
  if (!text || !("Notification" in window) || Notification.permission !== "granted") return;
  const shown = new Notification(text, {tag: "stressmon"});
  shown.onclick = () => { window.focus(); shown.close(); };
}

// Shows the page with the result of an exercise when it has ended.
function followExercise() {
  setInterval(async () => {
    if (document.hidden) return;
    const state = await fetch("/api/activity").then(response => response.ok && response.json()).catch(() => null);
    // A live session starts again after the exercise that interrupted it.
    if (state && (!state.running || state.command !== $("activity").dataset.command)) location.reload();
  }, 2000);
}
