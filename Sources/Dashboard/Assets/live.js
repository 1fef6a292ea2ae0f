// The page Now and the widget while a session is live. The server renders the values; this draws the charts of beats and of stress.
// The pages work without scripts.
// Half up, as the server rounds positive numbers.
const fixed = (value, decimals = 0) => (Math.round(value * 10 ** decimals) / 10 ** decimals).toFixed(decimals);
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
const setText = (element, text) => { if (element && element.textContent !== text) element.textContent = text; };

if (root) {
  if ("values" in root.dataset) followValues();
  if (!root.dataset.size) followLines();
  if ($("activity")) followExercise();
} else if (rendered.size) follow();

// Replaces the parts of the page that the server renders: each second during a session, else every five.
function followValues() {
  const data = root.dataset;
  let timer = 0, isWaiting = false;

  async function next() {
    clearTimeout(timer);
    if (document.hidden || isWaiting) return;
    isWaiting = true;
    const begin = performance.now(), page = await load(data.values || undefined, 5000);
    isWaiting = false;
    if (page) show(page.getElementById("live"));
    else withdraw();
    // At most a twentieth of the time of a slow server.
    const took = performance.now() - begin, interval = data.session || "running" in data ? 1000 : 5000;
    timer = setTimeout(next, Math.max(interval - took, Math.min(20 * took, 5000)));
  }

  function show(fresh) {
    // The first values of a page without any need the whole page.
    if (fresh.dataset.state !== "nothing" && data.state === "nothing") { location.reload(); return; }
    const spoken = [];
    for (const part of all("[data-live]", fresh)) {
      const old = $(part.id);
      if (!old) continue;
      if (part.dataset.announce && part.dataset.key !== old.dataset.key) spoken.push(part.dataset.announce);
      update(old, part);
    }
    // Texts that follow one another at once would replace one another.
    if (spoken.length) announce(spoken.join(" "));
    for (const name of ["state", "session", "category", "mood"]) if (data[name] !== fresh.dataset[name]) data[name] = fresh.dataset[name];
    if ("running" in fresh.dataset) data.running = ""; else delete data.running;
    data.shown = fresh.dataset.cursor;
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
  next();
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

// Draws the beats and stress values of the lines of the session.
function followLines() {
  const data = root.dataset, words = data.words ? JSON.parse(data.words) : null;
  let session = data.session, cursor = data.cursor || "", gapPrecedes = false, frame = 0, source = null;
  let areBeatsNew = true, areScoresNew = true;
  const numbers = text => text ? text.split(";").map(point => point.split(",")) : [];
  let beats = numbers(data.beats).map(([time, value, gap, verdict]) => ({time: +time, value: +value, gap, verdict}));
  let scores = numbers(data.scores).map(([time, value]) => ({time: +time, value: +value}));

  function connect() {
    source = new EventSource("/events" + (cursor && "?last_event_id=" + encodeURIComponent(cursor)));
    source.onopen = () => setTrouble("");
    source.onmessage = event => { cursor = event.lastEventId; receive(JSON.parse(event.data)); };
    source.onerror = () => {
      if (!words) load();
      // A rejected stream is closed for good; a lost one is opened again by the browser.
      if (source.readyState === EventSource.CLOSED) setTimeout(connect, 3000);
    };
  }

  function receive(line) {
    if (line.profile && line.profile !== data.profile) return;
    onLine?.(line);
    // The day and what to do next.
    if (line.type === "mark" || line.type === "end") refreshSoon(line);
    if (!words) return;
    if (line.type === "notice") notify(words.notices[line.notice]);
    if (line.session && line.session !== session) {
      if (line.session < session) return;
      session = line.session; beats = []; scores = [];
    }
    switch (line.type) {
      case "notification": notification(line); break;
      case "measurement": measurement(line); break;
      case "gap": gapPrecedes = true; break;
    }
    schedule();
  }

  function notification(line) {
    let later = (line.rr_ms ?? []).reduce((sum, rr) => sum + rr, 0);
    const end = line.monotonic_s;
    for (const rr of line.rr_ms ?? []) {
      later -= rr;
      beats.push({time: end - later / 1000, value: rr, gap: gapPrecedes});
      gapPrecedes = false;
    }
    areBeatsNew = true;
    for (const points of [beats, scores]) while (points[0]?.time < end - 300) points.shift();
  }

  function measurement(line) {
    areBeatsNew = true;
    const beat = beats.find(beat => !beat.verdict);
    if (beat) beat.verdict = line.verdict;
    if (line.stress == null) return;
    scores.push({time: line.monotonic_s, value: line.stress});
    areScoresNew = true;
  }

  // At most one drawing per frame, and none while the page is hidden: it is drawn when it is shown again.
  function schedule() {
    if (!frame && !document.hidden) frame = requestAnimationFrame(draw);
  }

  function draw() {
    frame = 0;
    if (!words) return;
    if (areBeatsNew) drawBeats();
    if (areScoresNew) drawScores();
    data.drawn = cursor;
  }

  // Draws points on the last seconds of an axis. A chart whose values are being read with the cursor is not drawn.
  // Returns the chart with the function of coordinates; nothing without a drawing.
  function drawChart(name, points, seconds, low, high, caption, cells) {
    const chart = $("chart-" + name), end = points.at(-1).time;
    if (!chart || one(chart, ".cursor")) return;
    const place = ({time, value}) => fixed(600 - (end - time) / seconds * 600, 1) + " " + fixed(160 - (value - low) / (high - low) * 160, 1);
    set(one(chart, ".chart-line"), {d: points.map((point, index) => (point.gap || !index ? "M" : "L") + place(point)).join("")});
    setText(one(chart, "figcaption"), caption);
    table(chart, () => points.flatMap((point, index) => {
      const row = cells(point, index);
      return row ? [[place(point), ...row]] : [];
    }));
    return {chart, place};
  }

  function drawBeats() {
    if (!beats.length) return;
    const shown = beats.filter(beat => beat.time > beats.at(-1).time - 120), values = shown.map(beat => beat.value);
    const least = Math.min(...values), most = Math.max(...values);
    const low = whole((least - 20) / 100) * 100, high = Math.ceil((most + 20) / 100) * 100;
    const {chart, place} = drawChart("beats", shown, 120, low, high,
      fill(words.beats, {n: values.length, low: fixed(least), high: fixed(most)}),
      beat => [fixed(beat.time, 1), fixed(beat.value), words.verdicts[beat.verdict] ?? "-"]) || {};
    if (!chart) return;
    areBeatsNew = false;
    const svg = one(chart, ".plot svg"), scale = fixed(3.75 * svg.clientHeight / svg.clientWidth, 2);
    const marked = shown.filter(beat => $("live-" + beat.verdict));
    one(chart, ".marks").replaceChildren(...marked.map(beat =>
      shape("use", {href: "#live-" + beat.verdict, transform: `translate(${place(beat)}) scale(${scale} 1)`})));
    for (const item of all("[data-verdict]", chart)) item.hidden = !marked.some(beat => beat.verdict === item.dataset.verdict);
    setText(one(chart, ".scale-high"), `${high}`);
    setText(one(chart, ".scale-low"), `${low}`);
  }

  function drawScores() {
    if (!scores.length) return;
    // One row for each 10 s.
    const cells = ({time, value}, index) => index && whole(time / 10) === whole(scores[index - 1].time / 10) ? null : [fixed(time), fixed(value)];
    areScoresNew = !drawChart("trend", scores, 300, 0, 100,
      fill(words.trend, {low: fixed(scores[0].value), high: fixed(scores.at(-1).value)}), cells);
  }

  // A closed table is filled when it is opened, or when the cursor reads it.
  function table(chart, rows) {
    const details = one(chart, "details");
    chart.fillTable = () => one(details, "tbody").replaceChildren(...rows().map(([point, ...cells]) => {
      const line = document.createElement("tr");
      line.dataset.point = point;
      for (const text of cells) line.append(Object.assign(document.createElement("td"), {textContent: text}));
      return line;
    }));
    details.ontoggle = () => { if (details.open) chart.fillTable(); };
    if (details.open) chart.fillTable();
  }

  addEventListener("visibilitychange", schedule);
  connect();
  schedule();
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
