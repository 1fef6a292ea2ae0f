// A cursor over the values of charts: arrow keys, Home, End and the pointer. The text is read from the table of the chart.
(() => {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";
  // Milliseconds without a further key until a value is announced.
  const DEBOUNCE = 350;

  const shape = (svg, name, attributes) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    svg.append(element);
    return element;
  };

  // The heading and the cells of a row with the names of their columns: "Mon: stress 32, HR 61".
  const text = (table, row) => {
    const names = [...table.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
    const cells = [...row.cells].map((cell) => cell.textContent.trim());
    const values = cells.slice(1).map((value, place) => `${names[place + 1]} ${value}`);
    return `${cells[0]}: ${values.join(", ")}`;
  };

  const attach = (plot) => {
    const figure = plot.closest("figure");
    const svg = plot.querySelector("svg");
    const table = figure.querySelector("table");
    const rows = [...table.tBodies[0].rows].filter((row) => row.dataset.point);
    if (!svg || rows.length === 0) return;
    const points = rows.map((row) => row.dataset.point.split(" ").map(Number));
    const height = svg.viewBox.baseVal.height;
    let place = -1;
    let timer = 0;
    let line, ring;

    // Shows the instruction until a value is chosen.
    const reading = document.createElement("p");
    reading.className = "chart-reading small";
    reading.id = `${figure.id}-reading`;
    reading.textContent = plot.dataset.hint;
    plot.after(reading);
    plot.setAttribute("aria-describedby", reading.id);
    const announcer = document.getElementById("announcer");

    const show = (next, announces) => {
      place = Math.max(0, Math.min(points.length - 1, next));
      const [x, y] = points[place];
      line ||= shape(svg, "line", { class: "cursor", y1: 0, y2: height });
      ring ||= shape(svg, "circle", { class: "cursor", r: 6 });
      line.setAttribute("x1", x);
      line.setAttribute("x2", x);
      ring.setAttribute("cx", x);
      ring.setAttribute("cy", y);
      reading.textContent = text(table, rows[place]);
      reading.classList.add("active");
      // Keeps the cursor visible in a chart that is wider than the screen.
      const scale = svg.clientWidth / svg.viewBox.baseVal.width;
      plot.scrollLeft = x * scale - plot.clientWidth / 2;
      clearTimeout(timer);
      if (announces && announcer) timer = setTimeout(() => { announcer.textContent = reading.textContent; }, DEBOUNCE);
    };

    const keys = {
      ArrowRight: () => place + 1, ArrowLeft: () => (place < 0 ? points.length : place) - 1,
      ArrowUp: () => place + 1, ArrowDown: () => (place < 0 ? points.length : place) - 1,
      PageDown: () => place + 10, PageUp: () => place - 10, Home: () => 0, End: () => points.length - 1,
    };
    plot.addEventListener("keydown", (event) => {
      const next = keys[event.key];
      if (!next || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      show(next(), true);
    });
    plot.addEventListener("pointermove", (event) => {
      const box = svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width;
      let nearest = 0;
      points.forEach((point, index) => {
        if (Math.abs(point[0] - x) < Math.abs(points[nearest][0] - x)) nearest = index;
      });
      if (nearest !== place) show(nearest, false);
    });
  };

  for (const plot of document.querySelectorAll("[data-hint]")) attach(plot);
})();
