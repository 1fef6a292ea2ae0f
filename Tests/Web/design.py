"""The page of all components (`serve --developer`): pictures of it in several themes and widths, compared with the stored ones.

    design.py PROGRAM [--rewrite-pictures] [--differences DIR]

The pictures have about a third of the size of the page and are compressed (WebP), which keeps them small; the present one is compressed in
the same way. Pixels differ if a channel differs by more than TOLERANCE, also from the pixels beside them, so that the smoothing of edges
counts as equal. They are counted in each square of SQUARE by SQUARE pixels, because a component is small compared to the page. The fonts
are those of the project, which `run` creates; without them nothing is compared, and neither with another major version of Chromium or
other fonts of the system, which draw signs that the fonts of the project lack. --differences writes the present pictures.
"""
import argparse
import base64
import os
import subprocess
import sys

from browser import THEME_OPTIONS, chromium, log_in, url
from server import Server

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Golden")
PICTURES = [("light", 360), ("light", 1440), ("dark", 1440), ("high-contrast", 360), ("forced-colours", 1440)]
SCALE, QUALITY = 0.35, 0.15
DRAWING = "design-drawing.txt"
TOLERANCE = 24  # of 255
SQUARE = 24
MOST_DIFFERENT = 12  # pixels of a square
LARGEST = 600_000  # bytes of all pictures

# Both are drawn on a canvas. Returns the largest number of different pixels in a square, and its place on the page; or the sizes.
COMPARE = """async ([before, after, tolerance, side, scale]) => {
  const pixels = async data => {
    const image = await createImageBitmap(await (await fetch('data:image/webp;base64,' + data)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const a = await pixels(before), b = await pixels(after);
  if (a.width !== b.width || a.height !== b.height) return {sizes: [a, b].map(({width, height}) => [width, height])};
  const row = 4 * a.width, around = [0, -4, 4, -row, row], limit = tolerance;
  const isNear = (one, at, other) => around.some(step => [0, 1, 2].every(channel => {
    const place = at + step + channel;
    return place >= 0 && place < other.length && Math.abs(one[at + channel] - other[place]) <= limit;
  }));
  const squares = new Map();
  for (let at = 0; at < a.data.length; at += 4) {
    if (isNear(a.data, at, b.data) && isNear(b.data, at, a.data)) continue;
    const square = [at % row / 4, at / row].map(place => Math.floor(Math.floor(place) / side)).join();
    squares.set(square, (squares.get(square) || 0) + 1);
  }
  const [square, count] = [...squares].sort((one, other) => other[1] - one[1])[0] || ['0,0', 0];
  return {count, place: square.split(',').map(number => Math.round(number * side / scale))};
}"""

# The same picture compressed.
COMPRESS = """async ([data, quality]) => {
  const image = await createImageBitmap(await (await fetch('data:image/png;base64,' + data)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height);
  canvas.getContext('2d').drawImage(image, 0, 0);
  const bytes = new Uint8Array(await (await canvas.convertToBlob({type: 'image/webp', quality})).arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return btoa(text);
}"""


def picture(browser, tools, server, theme, width):
    """The page without its script, which would move the guides."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, device_scale_factor=SCALE, reduced_motion="reduce", **THEME_OPTIONS[theme])
    log_in(context, server)
    page = context.new_page()
    page.route("**/assets/app.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.goto(url(server, "/design"), wait_until="load")
    page.evaluate("document.fonts.ready.then(() => true)")
    # The version is that of the program.
    page.evaluate("document.querySelector('.site-footer').remove()")
    data = page.screenshot(full_page=True)
    context.close()
    return base64.b64decode(tools.evaluate(COMPRESS, [base64.b64encode(data).decode(), QUALITY]))


def difference(tools, path, present):
    """What differs from the stored picture, if anything."""
    if not os.path.exists(path):
        return "there is no stored picture"
    with open(path, "rb") as file:
        stored = file.read()
    found = tools.evaluate(COMPARE, [*(base64.b64encode(data).decode() for data in (stored, present)), TOLERANCE, SQUARE, SCALE])
    if "sizes" in found:
        return f"its size is {found['sizes'][1]}, that of the stored one {found['sizes'][0]}"
    if found["count"] > MOST_DIFFERENT:
        return f"{found['count']} of {SQUARE * SQUARE} pixels differ at {found['place']} of the page"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--rewrite-pictures", action="store_true", help="store the present pictures")
    parser.add_argument("--differences", help="a directory for the present pictures that differ")
    options = parser.parse_args()
    failures, size = 0, 0
    with Server(options.program, "--developer") as server, chromium() as browser:
        if server.request(path="/assets/lora.woff2")[0] != 200:
            print("design: the fonts are missing (PyPI cannot be reached): the pictures were not compared")
            return
        present = drawing(browser)
        if options.rewrite_pictures:
            write(GOLDEN, DRAWING, present.encode())
        elif (stored := open(os.path.join(GOLDEN, DRAWING), encoding="utf-8").read()) != present:
            print(f"design: {present} instead of {stored}: the pictures were not compared")
            return
        tools = browser.new_page()
        for theme, width in PICTURES:
            name = f"design-{theme}-{width}.webp"
            path = os.path.join(GOLDEN, name)
            data = picture(browser, tools, server, theme, width)
            if options.rewrite_pictures:
                write(GOLDEN, name, data)
            elif text := difference(tools, path, data):
                failures += 1
                print(f"FAILED {name}: {text}", flush=True)
                write(options.differences, name, data)
            size += os.path.getsize(path) if os.path.exists(path) else 0
    if size > LARGEST:
        failures += 1
        print(f"FAILED the pictures have {size} bytes, more than {LARGEST}")
    if failures:
        print("Look at the pictures (design.py PROGRAM --differences DIR); if they are intended: Tests/Web/run PROGRAM --rewrite-pictures")
    print(f"design: {len(PICTURES)} pictures of all components, {size} bytes, {failures} different")
    sys.exit(1 if failures else 0)


def drawing(browser):
    """What draws the pictures: `Chromium 150, DejaVu Sans, DejaVu Serif`."""
    families = [
        subprocess.run(["fc-match", "-f", "%{family[0]}", generic], capture_output=True, text=True, check=True).stdout
        for generic in ("sans-serif", "serif", "monospace")
    ]
    return ", ".join([f"Chromium {browser.version.split('.')[0]}", *families])


def write(folder, name, data):
    if folder:
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


main()
