// Shows the stages of a measured exercise with their remaining time. Calls `breathe` with the seconds since the breathing began,
// and without a value in every other stage.
function followStages(breathe) {
  const place = $("stage"), data = place.dataset, stages = JSON.parse(data.stages);
  let began = 0;
  const left = () => {
    const length = stages[data.stage].length, seconds = Math.max(0, Math.ceil(length - (performance.now() - began) / 1000));
    return length ? fill(data.left, {time: `${whole(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`}) : "";
  };
  const draw = () => setText(one(place, ".stage-left"), left());
  const enter = (name, elapsed) => {
    data.stage = name; began = performance.now() - elapsed * 1000;
    setText(one(place, ".stage-text"), stages[name].text);
    draw();
    announce(`${stages[name].text} ${left()}`);
    breathe(name === "breathing" ? elapsed : null);
  };
  onMark = text => {
    const name = Object.keys(stages).find(name => stages[name].mark === text);
    if (name) enter(name, 0);
  };
  enter(data.stage, +data.elapsed);
  setInterval(draw, 250);
}

// The pacer of breathing exercises.
for (const guide of all(".guide")) pace(guide);
function pace(guide) {
  const data = guide.dataset;
  const names = data.words.split("|"), seconds = data.seconds.split("-").map(Number);
  const growth = data.phases.split("-"), cycles = +data.cycles;
  const circle = one(guide, ".breath-circle"), word = one(guide, ".breath-word");
  const toggle = one(guide, ".guide-toggle"), sound = one(guide, ".guide-sound");
  const still = matchMedia("(prefers-reduced-motion:reduce)").matches || document.documentElement.dataset.motion === "on";
  const isMeasured = guide.hasAttribute("data-measured");
  let started = 0, elapsed = 0, phase = -1, audio = null;
  one(guide, ".guide-controls").hidden = false;
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
    const length = total() / cycles, cycle = whole(elapsed / length);
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
    one(guide, ".guide-cycle").textContent = fill(data.cycleText, {n: cycle + 1, all: cycles});
    if (sound.checked && audio) tone({inhale: 396, exhale: 264}[growth[index]] ?? 330);
  }
  function finish() {
    // The session states the end of a stage.
    if (isMeasured) { started = 0; return; }
    started = 0; elapsed = total(); toggle.textContent = toggle.dataset.start;
    word.textContent = data.done; announce(data.done);
  }
  function tone(frequency) {
    const oscillator = audio.createOscillator(), volume = audio.createGain();
    oscillator.frequency.value = frequency;
    volume.gain.setValueAtTime(0.12, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 1.2);
    oscillator.connect(volume).connect(audio.destination);
    oscillator.start(); oscillator.stop(audio.currentTime + 1.2);
  }
  if (isMeasured) {
    toggle.hidden = true;
    followStages(part => {
      one(guide, ".breath").hidden = part == null;
      started = 0; elapsed = part;
      if (part != null && part < total()) run();
    });
  } else if (guide.hasAttribute("data-autostart")) run();
}
