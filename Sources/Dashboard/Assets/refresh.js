// Sections that the server renders again: when measurements arrive or a session ends, the page is fetched, and sections that
// differ are replaced. Open details and scroll positions are kept. A section with the focus is replaced once it has lost it.
const sections = () => all("[data-refresh]");
const rendered = new Map([...sections()].map(section => [section.id, section.outerHTML]));
let nextRefresh = 0, refreshTimer = 0, isAnnounced = false, isDeferred = false;

function refreshSoon(line) {
  if (line?.type === "end") isAnnounced = false;
  // The last measurement of a session is stored within two seconds.
  if (rendered.size && !refreshTimer) refreshTimer = setTimeout(refresh, Math.max(2000, nextRefresh - performance.now()));
}

async function refresh() {
  refreshTimer = 0;
  if (document.hidden) return;
  const begin = performance.now(), page = await load();
  // At most every 10 s, and at most a twentieth of the time of a slow server.
  nextRefresh = performance.now() + Math.max(10000, 20 * (performance.now() - begin));
  if (!page) return;
  isDeferred = false;
  for (const section of sections()) {
    const fresh = page.getElementById(section.id), html = fresh?.outerHTML;
    if (!html || html === rendered.get(section.id)) continue;
    if (section.contains(document.activeElement)) { isDeferred = true; continue; }
    rendered.set(section.id, html);
    exchange(section, fresh);
    if (section.dataset.refresh && !isAnnounced) { announce(section.dataset.refresh); isAnnounced = true; }
  }
}

function exchange(section, fresh) {
  const states = element => all("details,.table-wrap,.chart-plot", element);
  const before = states(section).map(({open, scrollLeft, scrollTop}) => ({open, scrollLeft, scrollTop}));
  section.replaceWith(fresh);
  states(fresh).forEach((element, index) => Object.assign(element, before[index]));
  for (const plot of all("[data-hint]", fresh)) attachCursor(plot);
}

addEventListener("focusout", () => { if (isDeferred) refreshSoon(); });

// A page without live values reads the events only while it is shown, because browsers limit the connections to a server.
function follow() {
  let source = null;
  const begin = () => {
    source?.close();
    if (!document.hidden) {
      source = new EventSource("/events");
      source.onopen = () => setTrouble("");
      source.onerror = () => {
        load();
        if (source.readyState === EventSource.CLOSED) setTimeout(begin, 3000);
      };
      source.onmessage = event => {
        const line = JSON.parse(event.data);
        if (line.type === "measurement" || line.type === "end") refreshSoon(line);
      };
    }
  };
  addEventListener("visibilitychange", () => {
    begin();
    refreshSoon();
  });
  begin();
}
