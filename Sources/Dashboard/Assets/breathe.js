// Breathing exercises: the circle grows and shrinks with the breath, its ring shows the progress, and the heart rate of a running
// session is drawn over the breath.
for (const guide of all(".guide[data-words]")) pace(guide);
function pace(guide) {
  const data = guide.dataset, names = data.words.split("|"), seconds = data.seconds.split("-").map(Number);
  const kinds = data.phases.split("-"), cycles = +data.cycles, length = seconds.reduce((a, b) => a + b, 0), total = cycles * length;
  const stages = data.stages ? JSON.parse(data.stages) : null;
  const circle = one(guide, ".breath-circle"), ring = one(guide, ".breath-progress"), bar = one(guide, ".breath-bar");
  const toggle = one(guide, ".guide-toggle"), sound = one(guide, ".guide-sound");
  const still = matchMedia("(prefers-reduced-motion:reduce)").matches || document.documentElement.dataset.motion === "on";
  // The time at which the stage or the exercise began in s, the time of a pause, and the current phase.
  let stage = "breathing", began = NaN, paused = 0, phase = -1, audio = null;
  const now = () => performance.now() / 1000;
  const clock = time => { const left = Math.max(0, Math.ceil(time)); return `${whole(left / 60)}:${String(left % 60).padStart(2, "0")}`; };
  one(guide, ".guide-controls").hidden = false;
  bar.hidden = !still;
  sound.onchange = () => { if (sound.checked) audio ??= new AudioContext(); };
  setInterval(tick, 100);
  const draw = drawPulse(guide, time => stage === "breathing" && time >= began && time < began + total ? depth(time - began) : 0);

  // The phase at a time since the breathing began, the seconds since the phase began, and the cycle.
  function position(time) {
    const cycle = whole(time / length);
    let index = 0, at = time - cycle * length;
    while (index < seconds.length - 1 && at >= seconds[index]) at -= seconds[index++];
    return {index, at, cycle};
  }
  function depth(time) {
    const {index, at} = position(time), part = at / seconds[index];
    return {inhale: (1 - Math.cos(Math.PI * part)) / 2, hold: 1, exhale: (1 + Math.cos(Math.PI * part)) / 2, pause: 0}[kinds[index]];
  }

  function tick() {
    const elapsed = now() - began;
    if (!(elapsed >= 0) || paused) return;
    if (stage !== "breathing") { rest(elapsed); return; }
    if (elapsed >= total) { if (!stages) finish(); return; }
    const {index, at, cycle} = position(elapsed);
    if (phase !== cycle * 10 + index) { phase = cycle * 10 + index; enter(index, at, cycle); }
    setText(one(guide, ".breath-seconds"), `${Math.ceil(seconds[index] - at)}`);
    if (still) bar.value = 100 * at / seconds[index];
    progress(elapsed, total);
  }
  function rest(elapsed) {
    const most = stages[stage].length;
    setText(one(guide, ".breath-seconds"), most ? clock(most - elapsed) : "");
    if (most) progress(elapsed, most);
  }
  function progress(elapsed, most) {
    const done = fixed(100 * Math.min(1, elapsed / most), 1) + " 100", left = clock(most - elapsed);
    if (ring.getAttribute("stroke-dasharray") !== done) ring.setAttribute("stroke-dasharray", done);
    if (stages) {
      setText(one(guide, "[aria-current] .number"), left);
      setText(one(guide, ".stage-left"), fill(data.left, {time: left}));
    } else setText(one(guide, ".guide-cycle"), `${fill(data.cycleText, {n: whole(elapsed / length) + 1, all: cycles})}, ${fill(data.left, {time: left})}`);
  }
  // The browser moves the circle for the rest of the phase.
  function enter(index, at) {
    setText(one(guide, ".breath-phase"), names[index]);
    announce(names[index]);
    move({inhale: 1, hold: 1}[kinds[index]] ?? 0, seconds[index] - at);
    tone({inhale: 396, exhale: 264}[kinds[index]] ?? 330, 1.2);
  }
  function move(size, time) {
    if (still) return;
    circle.style.transition = `transform ${time}s cubic-bezier(.37,0,.63,1)`;
    circle.style.transform = `scale(${1 + 0.5 * size})`;
  }
  function tone(frequency, time) {
    if (!sound.checked || !audio) return;
    const oscillator = audio.createOscillator(), volume = audio.createGain();
    oscillator.frequency.value = frequency;
    volume.gain.setValueAtTime(0.12, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + time);
    oscillator.connect(volume).connect(audio.destination);
    oscillator.start(); oscillator.stop(audio.currentTime + time);
  }
  function end() {
    move(0, 4);
    tone(198, 4);
    setText(one(guide, ".breath-seconds"), "");
    bar.value = 0;
  }

  // An exercise that is only followed.
  function finish() {
    end();
    began = NaN; phase = -1;
    toggle.textContent = toggle.dataset.start;
    setText(one(guide, ".breath-phase"), data.done);
    setText(one(guide, ".guide-cycle"), data.end);
    announce(data.end);
  }
  function run() {
    if (!paused && began >= 0) {
      paused = now();
      if (!still) { const held = getComputedStyle(circle).transform; circle.style.transition = "none"; circle.style.transform = held; }
    } else {
      began = paused ? began + now() - paused : now();
      paused = 0; phase = -1;
    }
    toggle.textContent = paused ? toggle.dataset.resume : toggle.dataset.pause;
    tick();
  }
  if (toggle) toggle.onclick = run;
  if (guide.hasAttribute("data-autostart")) run();

  // A measured exercise, whose session states the beginning of each stage.
  function begin(name, elapsed) {
    const isOver = stage === "breathing" && name !== stage;
    stage = name; began = now() - elapsed; phase = -1;
    if (isOver) end();
    let isBefore = true;
    for (const item of all(".stages li", guide)) {
      const isCurrent = item.dataset.stage === name;
      if (isCurrent) isBefore = false;
      if (isCurrent) item.setAttribute("aria-current", "step"); else item.removeAttribute("aria-current");
      item.classList.toggle("done", (isBefore || name === "over") && name !== "waiting");
      const time = stages[item.dataset.stage].length;
      if (!isCurrent) setText(one(item, ".number"), item.classList.contains("done") ? "\u2713" : clock(time));
    }
    guide.dataset.stage = name;
    setText(one(guide, ".stage-text"), stages[name].text);
    setText(one(guide, ".stage-left"), "");
    setText(one(guide, ".breath-phase"), stages[name].word);
    tick();
    announce(`${stages[name].text} ${one(guide, ".stage-left").textContent}`);
  }
  if (stages) begin(data.stage, +data.elapsed);
  onLine = line => {
    const name = stages && line.type === "mark" && Object.keys(stages).find(name => stages[name].mark === line.text);
    if (name) begin(name, 0);
    draw?.(line);
  };
}

// Draws the heart rate of the last seconds over the depth of the breath. Returns the function that receives the lines.
function drawPulse(guide, depth) {
  const place = one(guide, ".pulse"), svg = place && one(place, ":scope>svg"), span = 40;
  if (!place) return null;
  // The difference of the clock of the page and that of the session in s.
  let beats = [], skew = Infinity, silence = 0, session = null;
  return line => {
    if (line.type !== "notification" || !line.rr_ms?.length) return;
    const time = performance.now() / 1000;
    // Each session has its own clock.
    if (line.session !== session) { session = line.session; beats = []; skew = Infinity; }
    skew = Math.min(skew, time - line.monotonic_s);
    let later = line.rr_ms.reduce((sum, rr) => sum + rr, 0) / 1000;
    for (const rr of line.rr_ms) { later -= rr / 1000; beats.push([line.monotonic_s - later, 60000 / rr]); }
    beats = beats.filter(beat => beat[0] + skew > time - span);
    const rates = beats.map(beat => beat[1]), low = Math.min(...rates) - 3, high = Math.max(...rates) + 3;
    const x = at => fixed(600 * (1 - (time - at) / span), 1);
    const path = beats.map(([at, rate]) => x(at + skew) + " " + fixed(95 - 90 * (rate - low) / (high - low), 1)).join("L");
    const breath = Array.from({length: 161}, (_, index) => time - span + index / 4).map(at => x(at) + " " + fixed(96 - 80 * depth(at), 1)).join("L");
    set(one(svg, ".pulse-line"), {d: "M" + path});
    set(one(svg, ".pulse-breath"), {d: `M0 100L${breath}L600 100Z`});
    svg.removeAttribute("hidden");
    setText(one(place, ".pulse-value"), fixed(line.hr_bpm ?? rates.at(-1)));
    clearTimeout(silence);
    silence = setTimeout(() => { svg.setAttribute("hidden", ""); setText(one(place, ".pulse-value"), "-"); }, 6000);
  };
}
