// Live values of the page Now and of the widget. The pages work without scripts.
// Half up, as the server rounds positive numbers.
const fixed = (value, decimals = 0) => (Math.round(value * 10 ** decimals) / 10 ** decimals).toFixed(decimals);
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
const setText = (element, text) => { if (element && element.textContent !== text) element.textContent = text; };

if (root) live(); else if (rendered.size) follow();
function live() {
  const data = root.dataset, words = data.words ? JSON.parse(data.words) : null;
  // Time without data in ms after which values are not live, as on the server.
  const silence = +data.silence;
  let session = data.session, cursor = data.cursor || "";
  let state = data.state, measured = Date.parse(data.measured) || 0, heard = 0;
  let linkState = data.link || "connected", category = null, gapPrecedes = false;
  // The notice of the page, and what the server states about a session that is silent.
  let notice = data.notice, found = null, isExamining = false, examined = -15000, warnedSession = null;
  let latest = null, heartRate = null, respiration = null, frame = 0, source = null;
  let areBeatsNew = true, areScoresNew = true, shown = null;
  const times = {};
  const numbers = text => text ? text.split(";").map(point => point.split(",")) : [];
  let beats = numbers(data.beats).map(([time, value, gap, verdict]) => ({time: +time, value: +value, gap, verdict}));
  let scores = numbers(data.scores).map(([time, value]) => ({time: +time, value: +value}));

  function connect() {
    const query = new URLSearchParams();
    if (cursor) query.set("last_event_id", cursor);
    if (data.token) query.set("token", data.token);
    source = new EventSource("/events?" + query);
    source.onopen = () => { setTrouble(""); schedule(); };
    source.onmessage = event => { cursor = event.lastEventId; receive(JSON.parse(event.data)); };
    source.onerror = () => {
      examine();
      // A rejected stream is closed for good; a lost one is opened again by the browser.
      if (source.readyState === EventSource.CLOSED) setTimeout(connect, 3000);
    };
  }

  function receive(line) {
    if (line.profile && line.profile !== data.profile) return;
    if (data.state && line.session && line.session !== session) {
      if (line.session < session) return;
      begin(line.session);
    }
    if (line.type === "mark") onMark?.(line.text);
    if (!words) return;
    heard = Date.parse(line.time) || heard; found = null;
    switch (line.type) {
      case "notification": notification(line); break;
      case "measurement": measurement(line); break;
      case "gap": gapPrecedes = true; break;
      case "motion": respiration = line.respiration_brpm ?? null; times.respiration_brpm = heard; break;
      case "link": linkState = line.state || linkState; battery(line.battery_percent); break;
      case "end": linkState = "end"; break;
    }
    if (line.type !== "notification") refreshSoon(line);
    schedule();
  }

  // The first values of a page without any need the whole page.
  function begin(id) {
    if (!words || !$("ring")) { location.reload(); return; }
    session = id; beats = []; scores = []; latest = null; linkState = "searching";
    refreshSoon();
  }

  // Warns of a low charge, and announces it once in a session.
  function battery(percent) {
    const place = $("battery-low");
    if (percent == null || !place) return;
    place.hidden = percent > +place.dataset.limit;
    setText(place, fill(place.dataset.text, {n: percent}));
    if (!place.hidden && warnedSession !== session) { warnedSession = session; announce(place.textContent); }
  }

  function notification(line) {
    if (line.hr_bpm) { heartRate = line.hr_bpm; times.hr_bpm = heard; }
    let later = line.rr_ms.reduce((sum, rr) => sum + rr, 0);
    for (const rr of line.rr_ms) {
      later -= rr;
      beats.push({time: line.monotonic_s - later / 1000, value: rr, gap: gapPrecedes});
      gapPrecedes = false;
    }
    const end = line.monotonic_s;
    areBeatsNew = true;
    for (const points of [beats, scores]) while (points[0]?.time < end - 300) points.shift();
  }

  function measurement(line) {
    latest = line; linkState = "connected"; measured = Date.parse(line.time); areBeatsNew = true;
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
    if (latest !== shown) drawMeasurement();
    if (heartRate) value("hr_bpm", heartRate);
    if (respiration) value("respiration_brpm", respiration);
    if (areBeatsNew) drawBeats();
    if (areScoresNew) drawScores();
    drawState();
    data.drawn = cursor;
  }

  function value(key, number) {
    for (const element of all(`[data-value="${key}"]`, root))
      setText(element, number == null ? "-" : fixed(number, +element.dataset.decimals));
  }

  function drawMeasurement() {
    shown = latest;
    for (const key of ["rmssd_ms", "sdnn_ms", "artefact_percent"]) value(key, latest[key]);
    // The limits that the server uses.
    const {motion = 1, exertion = 1} = latest.confidence_factors ?? {};
    const suspension = latest.moving || motion <= 0.6 ? words.moving : exertion < 0.5 ? words.exertion
      : latest.stress != null && !latest.category ? words.irregular : null;
    const stress = suspension ? null : latest.stress, name = stress == null ? null : latest.category;
    const mood = name == null || data.size && state !== "live" ? "none" : stress < 10 ? "sleeping" : stress < 25 ? "calm" : stress < 50 ? "concerned"
      : stress < 75 ? "worried" : "overwhelmed";
    const word = name ? words.categories[name] : suspension ?? words.none;
    data.category = name || "unknown";
    data.mood = mood;
    setText($("buddy-text"), words.buddy[mood]);
    setText($("category-word"), word);
    drawRing(name ? stress : null, name, word);
    if (name !== category && name) announce(fill(words.label, {n: fixed(stress), word}));
    category = name;
  }

  function drawRing(stress, name, word) {
    const ring = $("ring");
    if (!ring) return;
    setText(one(ring, ".ring-number"), stress == null ? "-" : fixed(stress));
    for (const arc of all(".ring-line,.ring-hue,.ring-pattern", ring))
      set(arc, {"stroke-dasharray": `${stress == null ? 0 : fixed(stress, 1)} 100`});
    const {stress_low: low, stress_high: high} = latest, hasInterval = stress != null && low != null;
    set(one(ring, ".ring-interval"),
      {"stroke-dasharray": `${hasInterval ? fixed(high - low, 1) : 0} 100`, "stroke-dashoffset": -(low ?? 0)});
    setText($("interval"), hasInterval ? fill(words.interval, {low: fixed(low), high: fixed(high)}) : "\u00a0");
    setText($("confidence"), stress == null ? "\u00a0" : fill(words.confidence, {n: fixed(latest.confidence * 100)}));
    set($("ring-picture"), {"aria-label": stress == null ? words.none : fill(words.label, {n: fixed(stress), word})});
  }

  // Draws points on the last seconds of an axis. A chart whose values are being read with the cursor is not drawn.
  // Returns the chart with the function of coordinates; nothing without a drawing.
  function drawChart(name, points, seconds, low, high, caption, cells) {
    const chart = $("chart-" + name), end = points.at(-1).time;
    if (!chart || one(chart, ".cursor")) return;
    const place = ({time, value}) => fixed(600 - (end - time) / seconds * 600, 1) + " " + fixed(160 - (value - low) / (high - low) * 160, 1);
    set(one(chart, ".chart-line"), {d: points.map((point, index) => (point.gap || !index ? "M" : "L") + place(point)).join("")});
    const text = one(chart, "figcaption");
    if (!text) return;
    setText(text, caption);
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
      fill(words.trend, {low: fixed(scores[0].value), high: fixed(scores.at(-1).value)}), cells) && !data.size;
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

  // The reason for the values not being live: the server, the link, the strap, or the process of the session.
  function nextNotice(isLate) {
    if (linkState === "end") return "ended";
    // The layout states the reason, so there is no notice of this name.
    if (trouble && state !== "ended" && (isLate || trouble === "denied")) return "offline";
    if (!latest && !heard) {
      // A strap that has not sent anything yet is not silent.
      const isDoubtful = isLate && (state === "live" || state === "collecting" && found !== "silent");
      return isDoubtful || notice === "offline" ? found ?? notice : notice;
    }
    if (["lost", "stale"].includes(linkState)) return "lost";
    if (["searching", "connecting"].includes(linkState)) return latest ? "lost" : "searching";
    if (isLate) return found ?? notice;
    return !latest || latest.stress == null && latest.covered_s < Math.min(30, latest.window_s) ? "collecting" : "live";
  }

  // Whether the server answers, and whether the session is still running there.
  async function examine() {
    if (isExamining || performance.now() - examined < (notice === "silent" ? 15000 : 3000)) return;
    isExamining = true;
    const fresh = (await load())?.getElementById("live")?.dataset;
    isExamining = false; examined = performance.now();
    if (fresh) found = session && fresh.session === session ? "silent" : fresh.notice === "ended" ? "ended" : "interrupted";
    schedule();
  }

  function drawState() {
    const isLate = now() - Math.max(heard, measured) >= silence;
    if (isLate && ["live", "collecting"].includes(state) || ["silent", "offline"].includes(notice)) examine();
    const next = nextNotice(isLate);
    if (next !== notice) show(next);
    if (latest) setText($("collected"), fill(words.collecting, {n: whole(Math.min(latest.covered_s, 30)), of: 30}) + ".");
    for (const element of all("[data-age]", root)) setText(element, ageText(times[element.dataset.age] || measured));
  }

  function ageText(time) {
    const age = Math.max(0, whole((now() - time) / 1000));
    return age < 60 ? fill(words.seconds, {n: age}) : age < 3600 ? fill(words.minutes, {n: whole(age / 60)})
      : fill(words.hours, {n: whole(age / 3600)});
  }

  function show(next) {
    notice = data.notice = next;
    state = data.state = ["lost", "silent", "interrupted", "offline"].includes(next) ? "stale" : next === "searching" ? "collecting" : next;
    refreshSoon();
    for (const notice of all("[data-for]", root)) {
      notice.hidden = notice.dataset.for !== next;
      if (!notice.hidden) announce(one(notice, "strong").textContent);
    }
  }

  addEventListener("visibilitychange", schedule);
  setInterval(schedule, 1000);
  connect();
  activity();
}

// Shows the progress of a reading, and the page with its result when it has ended.
function activity() {
  setInterval(async () => {
    // The page can be refreshed meanwhile.
    const place = $("activity"), progress = $("progress");
    if (!place) return;
    if (progress) progress.value = (now() - Date.parse(progress.dataset.started)) / 1000;
    if (document.hidden) return;
    const state = await fetch("/api/activity").then(response => response.ok && response.json()).catch(() => null);
    // A live session starts again after the reading that interrupted it.
    if (state && (!state.running || state.command !== place.dataset.command)) location.reload();
  }, 2000);
}
