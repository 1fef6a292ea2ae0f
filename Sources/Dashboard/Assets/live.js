"use strict";
// Live values of the page Now and of the widget, and the pacer of breathing exercises. The pages work without this script.
(() => {
const $ = id => document.getElementById(id), root = $("live");
const announce = text => { const place = $("announcer"); if (place && place.textContent !== text) place.textContent = text; };
// Half up, as the server rounds positive numbers.
const fixed = (value, decimals) => (Math.round(value * 10 ** decimals) / 10 ** decimals).toFixed(decimals);
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
const setText = (element, text) => { if (element && element.textContent !== text) element.textContent = text; };

if (root) live();
function live() {
  const words = root.dataset.words ? JSON.parse(root.dataset.words) : null;
  const staleAfter = 10; // s, as on the server
  let session = root.dataset.session, cursor = root.dataset.cursor || "";
  let state = root.dataset.state, measured = Date.parse(root.dataset.measured) || 0, heard = 0;
  let linkState = "connected", category = null, isUnreachable = false, gapPrecedes = false;
  let latest = null, heartRate = null, link = null, respiration = null, gaps = 0, frame = 0, source = null;
  const numbers = text => text ? text.split(";").map(point => point.split(",")) : [];
  let beats = numbers(root.dataset.beats).map(([time, rr, gap]) => ({time: +time, rr: +rr, gap: !!gap}));
  let scores = numbers(root.dataset.scores).map(([time, stress]) => ({time: +time, stress: +stress}));

  function connect() {
    const query = new URLSearchParams();
    if (cursor) query.set("last_event_id", cursor);
    if (root.dataset.token) query.set("token", root.dataset.token);
    source = new EventSource("/events?" + query);
    source.onopen = () => { isUnreachable = false; schedule(); };
    source.onmessage = event => { cursor = event.lastEventId; receive(JSON.parse(event.data)); };
    source.onerror = () => {
      isUnreachable = true;
      schedule();
      // A rejected stream is closed for good; a lost one is opened again by the browser.
      if (source.readyState === EventSource.CLOSED) setTimeout(connect, 3000);
    };
  }

  function receive(line) {
    if (line.profile && line.profile !== root.dataset.profile) return;
    if (root.dataset.state && line.session && line.session !== session) {
      if (line.session < session) return;
      begin(line.session);
    }
    if (line.type === "mark") document.dispatchEvent(new CustomEvent("mark", {detail: line.text}));
    if (!words) return;
    heard = Date.parse(line.time) || heard;
    switch (line.type) {
      case "notification": notification(line); break;
      case "measurement": measurement(line); break;
      case "gap": gapPrecedes = true; gaps += 1; break;
      case "motion": respiration = line.respiration_brpm ?? null; break;
      case "link": link = line; if (line.state) linkState = line.state; break;
      case "end": linkState = "end"; break;
    }
    schedule();
  }

  // The first values of a page without any need the whole page.
  function begin(id) {
    if (!words || !$("ring") && !root.dataset.size) { location.reload(); return; }
    session = id; beats = []; scores = []; latest = null; gaps = 0; linkState = "searching";
  }

  function notification(line) {
    if (line.hr_bpm) heartRate = line.hr_bpm;
    let later = line.rr_ms.reduce((sum, rr) => sum + rr, 0);
    for (const rr of line.rr_ms) {
      later -= rr;
      beats.push({time: line.monotonic_s - later / 1000, rr, gap: gapPrecedes});
      gapPrecedes = false;
    }
    const end = line.monotonic_s;
    while (beats.length && beats[0].time < end - 300) beats.shift();
    while (scores.length && scores[0].time < end - 300) scores.shift();
  }

  function measurement(line) {
    latest = line; linkState = "connected"; measured = Date.parse(line.time);
    if (line.stress != null) scores.push({time: line.monotonic_s, stress: line.stress});
  }

  // At most one drawing per frame, and none while the page is hidden: it is drawn when it is shown again.
  function schedule() {
    if (!frame && !document.hidden) frame = requestAnimationFrame(draw);
  }

  function draw() {
    frame = 0;
    if (!words) return;
    if (latest) drawMeasurement();
    if (heartRate) value("hr_bpm", heartRate);
    if (respiration) value("respiration_brpm", respiration);
    if (link) drawLink();
    setText($("gaps"), session ? String(gaps) : "-");
    drawBeats(); drawScores(); drawState();
    root.dataset.drawn = cursor;
  }

  function value(key, number) {
    for (const element of root.querySelectorAll(`[data-value="${key}"]`))
      setText(element, number == null ? "-" : fixed(number, +element.dataset.decimals));
  }

  function drawMeasurement() {
    for (const key of ["rmssd_ms", "sdnn_ms", "artefact_percent"]) value(key, latest[key]);
    // 0.5 is the limit of exertion that the server uses.
    const isExerting = (latest.confidence_factors?.exertion ?? 1) < 0.5;
    const stress = isExerting ? null : latest.stress, name = stress == null ? null : latest.category;
    const mood = name == null || root.dataset.size && state !== "live" ? "none" : stress < 10 ? "sleeping" : stress < 25 ? "calm" : stress < 50 ? "concerned"
      : stress < 75 ? "worried" : "overwhelmed";
    const word = name ? words.categories[name] : isExerting ? words.moving : words.none;
    for (const element of document.querySelectorAll(".ring,.buddy,.widget")) {
      for (const other of ["relaxed", "mild", "moderate", "high", "unknown"])
        element.classList.toggle(other, other === (name || "unknown"));
    }
    for (const buddy of document.querySelectorAll(".buddy")) buddy.dataset.mood = mood;
    setText($("buddy-text"), words.buddy[mood]);
    setText($("category-word"), word);
    drawRing(name ? stress : null, name, word);
    if (name !== category && name) announce(fill(words.label, {n: fixed(stress, 0), word}));
    category = name;
  }

  function drawRing(stress, name, word) {
    const ring = $("ring");
    if (!ring) return;
    setText(ring.querySelector(".ring-number"), stress == null ? "-" : fixed(stress, 0));
    for (const arc of ring.querySelectorAll(".ring-line,.ring-hue,.ring-pattern"))
      arc.setAttribute("stroke-dasharray", `${stress == null ? 0 : fixed(stress, 1)} 100`);
    const patterns = {mild: "diagonal", moderate: "dots", high: "crosshatch"};
    ring.querySelector(".ring-pattern").setAttribute("stroke", patterns[name] ? `url(#pattern-${patterns[name]})` : "none");
    const {stress_low: low, stress_high: high} = latest, hasInterval = stress != null && low != null;
    const interval = ring.querySelector(".ring-interval");
    interval.setAttribute("stroke-dasharray", `${hasInterval ? fixed(high - low, 1) : 0} 100`);
    interval.setAttribute("stroke-dashoffset", -(low ?? 0));
    setText($("interval"), hasInterval ? fill(words.interval, {low: fixed(low, 0), high: fixed(high, 0)}) : "\u00a0");
    setText($("confidence"), stress == null ? "\u00a0" : fill(words.confidence, {n: fixed(latest.confidence * 100, 0)}));
    $("ring-picture").setAttribute("aria-label", stress == null ? words.none : fill(words.label, {n: fixed(stress, 0), word}));
    const doubts = Object.entries(latest.confidence_factors || {}).filter(([, factor]) => factor < 0.995)
      .sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1)).map(([key, factor]) => `${words.reasons[key]} (${fixed(factor, 2)})`);
    const list = $("reasons");
    if ([...list.children].map(item => item.textContent).join("\n") !== doubts.join("\n"))
      list.replaceChildren(...doubts.map(text => Object.assign(document.createElement("li"), {textContent: text})));
  }

  function drawLink() {
    setText($("link"), words.links[linkState] ?? words.links.lost);
    if (link.strap_name) setText($("strap"), link.strap_name);
    if (link.battery_percent != null) setText($("battery"), link.battery_percent + " %");
  }

  function drawBeats() {
    const chart = $("chart-beats"), end = beats.at(-1)?.time;
    if (!chart || !beats.length) return;
    const shown = beats.filter(beat => beat.time > end - 120), all = shown.map(beat => beat.rr);
    const least = Math.min(...all), most = Math.max(...all);
    const low = Math.floor((least - 20) / 100) * 100, high = Math.ceil((most + 20) / 100) * 100;
    const path = shown.map((beat, index) => (beat.gap || !index ? "M" : "L")
      + fixed(600 - (end - beat.time) / 120 * 600, 1) + " " + fixed(160 - (beat.rr - low) / (high - low) * 160, 1)).join("");
    chart.querySelector(".chart-line").setAttribute("d", path);
    setText(chart.querySelector(".scale-high"), String(high));
    setText(chart.querySelector(".scale-low"), String(low));
    setText(chart.querySelector("figcaption"), fill(words.beats, {n: all.length, low: fixed(least, 0), high: fixed(most, 0)}));
    table(chart, shown.slice(-30).map(beat => [fixed(beat.time, 1), fixed(beat.rr, 0)]));
  }

  function drawScores() {
    const chart = $("chart-trend");
    if (!chart || !scores.length) return;
    const end = scores.at(-1).time;
    const path = scores.map((score, index) => (index ? "L" : "M") + fixed(600 - (end - score.time) / 300 * 600, 1) + " "
      + fixed(160 - score.stress * 1.6, 1)).join("");
    chart.querySelector(".chart-line").setAttribute("d", path);
    if (!chart.querySelector("figcaption")) return;
    setText(chart.querySelector("figcaption"), fill(words.trend, {low: fixed(scores[0].stress, 0), high: fixed(scores.at(-1).stress, 0)}));
    let last = -Infinity;
    table(chart, scores.filter(score => score.time >= last + 10 && ((last = score.time), true))
      .map(score => [fixed(score.time, 0), fixed(score.stress, 0)]));
  }

  // A closed table is filled when it is opened.
  function table(chart, rows) {
    const details = chart.querySelector("details");
    if (!details.open) { details.ontoggle = schedule; return; }
    details.querySelector("tbody").replaceChildren(...rows.map(row => {
      const line = document.createElement("tr");
      for (const text of row) line.append(Object.assign(document.createElement("td"), {textContent: text}));
      return line;
    }));
  }

  function drawState() {
    const age = Math.max(0, Math.floor((Date.now() - measured) / 1000));
    const isLate = (Date.now() - Math.max(heard, measured)) / 1000 > staleAfter;
    if (session && (latest || heard)) {
      const next = linkState === "end" ? "ended" : isLate || ["lost", "stale"].includes(linkState) ? "stale"
        : !latest || latest.stress == null && latest.covered_s < Math.min(30, latest.window_s) ? "collecting" : "live";
      if (next !== state) show(next);
    } else if (state === "live" && age > 2 * staleAfter) show("stale");
    if (latest) setText($("collected"), fill(words.collecting, {n: Math.floor(Math.min(latest.covered_s, 30)), of: 30}) + ".");
    const text = age < 60 ? fill(words.seconds, {n: age}) : age < 3600 ? fill(words.minutes, {n: Math.floor(age / 60)})
      : fill(words.hours, {n: Math.floor(age / 3600)});
    for (const element of root.querySelectorAll("[data-age]")) setText(element, text);
    root.toggleAttribute("data-unreachable", isUnreachable);
    if (isUnreachable && isLate) announce(words.unreachable);
  }

  function show(next) {
    state = root.dataset.state = next;
    for (const notice of root.querySelectorAll("[data-for]")) {
      notice.hidden = notice.dataset.for !== next;
      if (!notice.hidden) announce(notice.querySelector("strong").textContent);
    }
  }

  document.addEventListener("visibilitychange", schedule);
  setInterval(schedule, 1000);
  connect();
  activity();
}

// Shows the progress of a reading, and the page with its result when it has ended.
function activity() {
  if (!$("activity")) return;
  const progress = $("progress"), timer = setInterval(async () => {
    if (progress) progress.value = Math.min(progress.max, (Date.now() - Date.parse(progress.dataset.started)) / 1000);
    if (document.hidden) return;
    const response = await fetch("/api/activity").catch(() => null);
    if (response?.ok && !(await response.json()).running) { clearInterval(timer); location.reload(); }
  }, 2000);
}

for (const guide of document.querySelectorAll(".guide")) pace(guide);
function pace(guide) {
  const names = guide.dataset.words.split("|"), seconds = guide.dataset.seconds.split("-").map(Number);
  const growth = guide.dataset.phases.split("-"), cycles = +guide.dataset.cycles;
  const circle = guide.querySelector(".breath-circle"), word = guide.querySelector(".breath-word");
  const toggle = guide.querySelector(".guide-toggle"), sound = guide.querySelector(".guide-sound");
  const still = matchMedia("(prefers-reduced-motion:reduce)").matches || document.documentElement.dataset.motion === "on";
  let started = 0, elapsed = 0, phase = -1, audio = null;
  guide.querySelector(".guide-controls").hidden = false;
  toggle.onclick = () => started ? pause() : run();
  sound.onchange = () => { if (sound.checked) audio ??= new AudioContext(); };

  function run() {
    if (elapsed >= total()) elapsed = 0;
    started = performance.now() - elapsed * 1000; phase = -1;
    toggle.textContent = toggle.dataset.pause;
    requestAnimationFrame(step);
  }
  function pause() { started = 0; toggle.textContent = toggle.dataset.resume; }
  function total() { return cycles * seconds.reduce((a, b) => a + b, 0); }

  function step(now) {
    if (!started) return;
    elapsed = (now - started) / 1000;
    if (elapsed >= total()) { finish(); return; }
    const length = total() / cycles, cycle = Math.floor(elapsed / length);
    let at = elapsed - cycle * length, index = 0;
    while (at >= seconds[index]) { at -= seconds[index]; index += 1; }
    if (phase !== cycle * 10 + index) { phase = cycle * 10 + index; enter(index, cycle); }
    const part = at / seconds[index], size = {inhale: part, hold: 1, exhale: 1 - part, pause: 0}[growth[index]];
    if (!still) circle.style.transform = `scale(${1 + 0.5 * (1 - Math.cos(Math.PI * size)) / 2})`;
    requestAnimationFrame(step);
  }
  function enter(index, cycle) {
    word.textContent = names[index];
    announce(names[index]);
    guide.querySelector(".guide-cycle").textContent = fill(guide.dataset.cycleText, {n: cycle + 1, all: cycles});
    if (sound.checked && audio) tone({inhale: 396, exhale: 264}[growth[index]] ?? 330);
  }
  function finish() {
    started = 0; elapsed = total(); toggle.textContent = toggle.dataset.start;
    word.textContent = guide.dataset.done; announce(guide.dataset.done);
  }
  function tone(frequency) {
    const oscillator = audio.createOscillator(), volume = audio.createGain();
    oscillator.frequency.value = frequency;
    volume.gain.setValueAtTime(0.12, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 1.2);
    oscillator.connect(volume).connect(audio.destination);
    oscillator.start(); oscillator.stop(audio.currentTime + 1.2);
  }
  if (guide.dataset.begin) {
    toggle.hidden = true;
    document.addEventListener("mark", event => {
      if (event.detail === guide.dataset.begin) { elapsed = 0; run(); }
      if (event.detail === guide.dataset.end) finish();
    });
  } else if (guide.hasAttribute("data-autostart")) run();
}
})();
