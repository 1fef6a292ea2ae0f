// A cursor over the values of charts: arrow keys, Home, End and the pointer. The text is read from the table of the chart.
const SVG = "http://www.w3.org/2000/svg";
// Milliseconds without a further key until a value is announced.
const DEBOUNCE = 350;

const shape = (name, attributes) => set(document.createElementNS(SVG, name), attributes);

// The heading and the cells of a row with the names of their columns: "Mon: stress 32, HR 61".
function rowText(table, row) {
  const names = [...table.tHead.rows[0].cells].map(cell => cell.textContent.trim());
  const cells = [...row.cells].map(cell => cell.textContent.trim());
  return `${cells[0]}: ${cells.slice(1).map((value, place) => `${names[place + 1]} ${value}`).join(", ")}`;
}

function attachCursor(plot) {
  const figure = plot.closest("figure"), svg = one(plot, "[role=img]"), table = one(figure, "table");
  const reading = $(figure.id + "-reading");
  if (!svg || !table || !reading) return;
  // A curve without a size of its own has positions in percent.
  const box = svg.viewBox.baseVal, unit = box?.width ? "" : "%", size = unit ? {width: 100, height: 100} : box;
  const line = shape("line", {class: "cursor", y1: 0, y2: size.height + unit});
  const ring = shape("circle", {class: "cursor", r: 6});
  let place = -1, timer = 0, rows = [], points = [];
  set(plot, {"aria-describedby": reading.id});
  reading.textContent = plot.dataset.hint;

  function begin() {
    if (line.parentNode) return;
    rows = [...table.tBodies[0].rows].filter(row => row.dataset.point);
    points = rows.map(row => row.dataset.point.split(" ").map(Number));
  }

  function end() {
    clearTimeout(timer);
    line.remove(); ring.remove();
    place = -1;
    reading.textContent = plot.dataset.hint;
    reading.classList.remove("active");
  }

  function show(next, announces) {
    if (!points.length) return;
    place = Math.max(0, Math.min(points.length - 1, next));
    const [x, y] = points[place];
    svg.append(line, ring);
    set(line, {x1: x + unit, x2: x + unit});
    set(ring, {cx: x + unit, cy: y + unit});
    reading.textContent = rowText(table, rows[place]);
    reading.classList.add("active");
    // Keeps the cursor visible in a chart that is wider than the screen.
    plot.scrollLeft = x * svg.clientWidth / size.width - plot.clientWidth / 2;
    clearTimeout(timer);
    if (announces) timer = setTimeout(() => announce(reading.textContent), DEBOUNCE);
  }

  const steps = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity};
  plot.addEventListener("keydown", event => {
    if (event.key === "Escape") end();
    const step = steps[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    begin();
    // From no value, left begins at the last one.
    show((place < 0 && step === -1 ? points.length : place) + step, true);
  });
  plot.addEventListener("pointermove", event => {
    begin();
    const box = svg.getBoundingClientRect(), x = (event.clientX - box.left) / box.width * size.width;
    let nearest = 0;
    points.forEach((point, index) => {
      if (Math.abs(point[0] - x) < Math.abs(points[nearest][0] - x)) nearest = index;
    });
    if (nearest !== place) show(nearest, false);
  });
  plot.addEventListener("click", () => { if (place >= 0) one(rows[place], "a")?.click(); });
  plot.addEventListener("blur", end);
  plot.addEventListener("pointerleave", () => { if (document.activeElement !== plot) end(); });
}

for (const plot of all("[data-hint]")) attachCursor(plot);
