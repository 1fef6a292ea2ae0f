"""The pages under test, and the ways in which each is shown."""

# Name, path and server. SESSION stands for the ID of the newest session.
# Servers: `live` has a running simulated session, `empty` has no data, `ended` is read-only and has a stored session,
# `stranger` is `live` without a token.
PAGES = [
    ("now", "/", "live"),
    ("now-arrange", "/?arrange=on", "live"),
    ("now-first-run", "/", "empty"),
    ("now-read-only", "/", "ended"),
    ("breathe", "/breathe", "live"),
    ("breathe-pattern", "/breathe?pattern=4-0-6-0", "empty"),
    ("breathe-read-only", "/breathe", "ended"),
    ("breathe-grounding", "/breathe/grounding?step=2", "live"),
    ("calm", "/calm", "live"),
    ("widget-small", "/widget?size=small", "live"),
    ("widget-medium", "/widget?size=medium", "live"),
    ("widget-large", "/widget?size=large", "live"),
    ("history", "/history", "live"),
    ("history-day", "/history?span=today", "ended"),
    ("history-months", "/history?span=all", "ended"),
    ("history-filtered", "/history/measurements?category=relaxed&confidence=50", "ended"),
    ("history-session", "/history/sessions/SESSION", "ended"),
    ("history-empty", "/history", "empty"),
    ("history-measurement", "/history/measurements/10", "ended"),
    ("history-deletion", "/history/delete", "live"),
    ("trends", "/trends", "ended"),
    ("trends-empty", "/trends", "empty"),
    ("trends-mornings", "/trends?show=mornings", "empty"),
    ("trends-nights", "/trends?show=nights", "empty"),
    ("trends-report", "/trends/week", "ended"),
    ("journal", "/journal", "live"),
    ("journal-read-only", "/journal", "ended"),
    ("settings", "/settings", "live"),
    ("settings-baseline", "/settings/baseline", "live"),
    ("settings-appearance", "/settings/appearance", "live"),
    ("settings-measuring", "/settings/measuring", "live"),
    ("settings-profiles", "/settings/profiles", "live"),
    ("settings-straps", "/settings/straps", "live"),
    ("settings-tokens", "/settings/tokens", "live"),
    ("settings-data", "/settings/data", "ended"),
    ("design", "/design", "live"),
    ("not-found", "/nothing", "live"),
    ("no-token", "/", "stranger"),
]

THEMES = ["light", "dark", "high-contrast", "forced-colours"]
# Widths in px with text sizes in percent.
VIEWS = [(320, 100), (320, 260), (768, 260), (1440, 100)]
ALL_VIEWS = [(width, text_size) for width in (320, 768, 1440) for text_size in (100, 260)]
SCRIPT = [True, False]


def pairwise(dimensions):
    """Combinations in which each pair of values of two dimensions occurs at least once (greedy)."""
    missing = {((a, x), (b, y)) for a in range(len(dimensions)) for b in range(a + 1, len(dimensions))
               for x in dimensions[a] for y in dimensions[b]}
    chosen = []
    while missing:
        row = [None] * len(dimensions)
        (a, x), (b, y) = min(missing, key=repr)
        row[a], row[b] = x, y
        for index in range(len(dimensions)):
            if row[index] is None:
                row[index] = max(dimensions[index], key=lambda value: covered(row, index, value, missing))
        missing -= pairs(row)
        chosen.append(tuple(row))
    return chosen


def covered(row, index, value, missing):
    trial = [*row[:index], value, *row[index + 1:]]
    return len(pairs(trial) & missing)


def pairs(row):
    known = [(index, value) for index, value in enumerate(row) if value is not None]
    return {(a, b) for i, a in enumerate(known) for b in known[i + 1:]}
