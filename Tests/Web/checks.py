"""The checks of one page that a browser shows."""
from axe_playwright_python.sync_playwright import Axe

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

# Elements smaller than 44 px. The target of a checkbox includes its label.
SMALL_TARGETS = """() => [...document.querySelectorAll('a[href],button,input:not([type=hidden]),select,textarea,summary')]
  .map(element => element.matches('[type=checkbox],[type=radio]') ? element.closest('label') || element : element)
  .filter(element => element.checkVisibility({visibilityProperty: true}) && !element.matches('.skip'))
  .map(element => [element.outerHTML.slice(0, 120), element.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.width < 43.5 || box.height < 43.5))
  .map(([html, box]) => `${html} ${box.width.toFixed(0)}x${box.height.toFixed(0)}`)"""

# The largest width of the page, in px, during its endless animations, which can move an element beyond its edge.
WIDEST = """() => {
  const endless = document.getAnimations().filter(animation => animation.effect.getComputedTiming().iterations === Infinity);
  const width = phase => {
    for (const animation of endless) animation.currentTime = phase * animation.effect.getComputedTiming().duration;
    return document.documentElement.scrollWidth;
  };
  return Math.max(...[0, 1, 2, 3, 4, 5, 6, 7].map(eighth => width(eighth / 8)));
}"""

# A group of radio buttons has one tab stop: its selected button, else the first one.
TABBABLE = """() => [...document.querySelectorAll('a[href],button,input:not([type=hidden]),select,textarea,summary,[tabindex="0"]')]
  .filter(element => element.checkVisibility({visibilityProperty: true}) && !element.disabled)
  .filter(element => element.type !== 'radio' || element.checked || !element.form?.querySelector(`[name="${element.name}"]:checked`)
    && element === element.form?.querySelector(`[name="${element.name}"]`)).map((element, index) => {
    element.tabStop = `${index}`; return element.outerHTML.slice(0, 100); })"""

# A property remains when the script makes an element equal to a newer one; an attribute would not.
MARKED = "[...document.querySelectorAll('*')].filter(element => 'tabStop' in element).length"

FOCUSED = """() => {
  const element = document.activeElement, style = getComputedStyle(element);
  const isVisible = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
  const box = element.getBoundingClientRect();
  return [element.tabStop ?? null, isVisible, box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth];
}"""


def check(page, theme):
    """Descriptions of everything that is wrong."""
    return [*axe(page, theme), *layout(page), *keyboard(page)]


def axe(page, theme):
    options = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
    if theme == "high-contrast":
        options["rules"] = {"color-contrast-enhanced": {"enabled": True}}
    for violation in Axe().run(page, options=options).response["violations"]:
        for node in violation["nodes"][:3]:
            yield f"axe {violation['id']}: {node['target']} {node.get('failureSummary', '')[:200]!r}"


def layout(page):
    width, shown = page.evaluate(WIDEST), page.evaluate("innerWidth")
    if width > shown:
        wide = page.evaluate("""() => [...document.body.querySelectorAll('*')]
          .filter(element => element.getBoundingClientRect().right > innerWidth + 1 && !element.closest('.table-wrap,.visually-hidden'))
          .slice(0, 3).map(element => element.outerHTML.slice(0, 100))""")
        yield f"horizontal scrolling: {width} px, for example {wide}"
    for target in page.evaluate(SMALL_TARGETS):
        yield f"small target: {target}"


def keyboard(page):
    # New data replace sections of the page. Elements that are replaced between the look-up and the last key are looked up again.
    for _ in range(3):
        expected = page.evaluate(TABBABLE)
        failures = list(tab_through(page, expected))
        if not failures or page.evaluate(MARKED) == len(expected):
            break
    return failures


def tab_through(page, expected):
    seen = set()
    # The parts of a date are tab stops of one element.
    dates = sum('type="date"' in element or 'type="time"' in element or "datetime" in element for element in expected)
    for _ in range(len(expected) + 4 * dates + 3):
        page.keyboard.press("Tab")
        index, has_outline, is_in_view = page.evaluate(FOCUSED)
        if index is None or index in seen:
            continue
        seen.add(index)
        if not has_outline or not is_in_view:
            yield f"focus is not visible: {expected[int(index)]}"
    for index, element in enumerate(expected):
        if str(index) not in seen:
            yield f"not reachable by keyboard: {element}"
