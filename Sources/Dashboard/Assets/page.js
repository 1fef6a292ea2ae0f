// Shared by the other scripts, which are served as one with this one at the beginning.
const $ = id => document.getElementById(id), root = $("live");
const now = () => Date.now(), whole = Math.floor;
const one = (place, selector) => place.querySelector(selector);
const all = (selector, place = document) => [...place.querySelectorAll(selector)];
// Called with the text of each mark of a session.
let onMark = null;
const set = (element, attributes) => {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};
const announce = text => { const place = $("announcer"); if (place && place.textContent !== text) place.textContent = text; };
