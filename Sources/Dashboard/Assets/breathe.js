// The pacer of breathing exercises.
for (const guide of all(".guide")) pace(guide);
function pace(guide) {
  const data = guide.dataset;
  const names = data.words.split("|"), seconds = data.seconds.split("-").map(Number);
  const growth = data.phases.split("-"), cycles = +data.cycles;
  const circle = one(guide, ".breath-circle"), word = one(guide, ".breath-word");
  const toggle = one(guide, ".guide-toggle"), sound = one(guide, ".guide-sound");
  const still = matchMedia("(prefers-reduced-motion:reduce)").matches || document.documentElement.dataset.motion === "on";
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
  if (data.begin) {
    toggle.hidden = true;
    onMark = text => {
      if (text === data.begin) { elapsed = 0; run(); }
      if (text === data.end) finish();
    };
  } else if (guide.hasAttribute("data-autostart")) run();
}
