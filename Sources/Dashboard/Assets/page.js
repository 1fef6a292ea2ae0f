// Shared by the other scripts, which are served as one with this one at the beginning.
const $ = id => document.getElementById(id), root = $("live");
const whole = Math.floor;
const one = (place, selector) => place.querySelector(selector);
const all = (selector, place = document) => [...place.querySelectorAll(selector)];
// Why no new data arrive: "unreachable", "denied" (the browser is no longer logged in), or "" without a problem.
let trouble = "";
function setTrouble(next) {
  const place = $("trouble");
  if (next === trouble) return;
  trouble = next;
  if (!place) return;
  place.hidden = !next;
  if (next) { place.textContent = place.dataset[next]; announce(place.textContent); }
}
// The newest state of this page, or another page, as a document; nothing without an answer within a time in ms.
async function load(address = location.href, limit = 30000) {
  const response = await fetch(address, {signal: AbortSignal.timeout(limit)}).catch(() => null);
  setTrouble(!response ? "unreachable" : response.status === 401 ? "denied" : "");
  if (!response?.ok) return null;
  const text = await response.text().catch(() => null);
  return text && new DOMParser().parseFromString(text, "text/html");
}
// Called with each line of the session of the profile.
let onLine = null;
const set = (element, attributes) => {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};
// The button that asks the browser for permission to show notifications.
const permit = $("permit");
if (permit && "Notification" in window && Notification.permission === "default") {
  permit.hidden = false;
  permit.onclick = async () => { permit.hidden = await Notification.requestPermission() !== "default"; };
}
const announce = text => { const place = $("announcer"); if (place && place.textContent !== text) place.textContent = text; };
