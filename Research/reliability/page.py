"""Replaces generated parts of a Markdown page."""

import sys


def update(page, name, text):
    """Replaces the lines between <!-- NAME --> and <!-- end of NAME -->."""
    start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    content = page.read_text()
    if start not in content or end not in content:
        sys.exit(f"{page}: no lines {start} and {end}")
    before, after = content.split(start, 1)[0], content.split(end, 1)[1]
    page.write_text(f"{before}{start}\n\n{text}\n\n{end}{after}")
