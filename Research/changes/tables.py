"""The tables of a comparison."""

import statistics
from collections import Counter, defaultdict

import causes
from causes import CHANGE, CONFIDENCE_CHANGE, state

LARGEST, EXAMPLES = 30, 2  # rows of the tables of largest changes, and rows of each cause
ABSENT = "-"


def report(default, own, others):
    """Pairs of title and Markdown."""
    both = (("default", default), ("own", own))
    yield "## Summary", summary(both)
    yield "## Recordings, population default", recordings(default)
    yield "## Recordings, own baseline", recordings(own, with_baseline=True)
    yield "## Changes of the value by more than 10 points", value_causes(both)
    yield "## Changes of the confidence by more than 0.1", confidence_causes(both)
    yield "## Contributions to the mean confidence", contributions(both)
    yield "## Other categories", category_causes(both)
    yield "## Causes by recording", by_recording(both)
    yield "## Labelled beats", labelled(both)
    yield "## Changed confidence and labelled beats", judged_confidence(both)
    yield "## Largest changes of the value", largest(both, lambda change: change.value, "value_cause")
    yield "## Largest changes of the confidence", largest(both, lambda change: change.confidence, "confidence_cause")
    yield "## RMSSD of complete recordings", final(default)
    yield "## Files that are not compared", table(("file", "reason"), others)


def unknown(comparisons):
    """Changes of more than 10 points whose cause is not known."""
    names = [
        cause for one in comparisons for change in one.changes
        for cause in (change.value_cause, change.confidence_cause, change.category_cause)]
    return [name for name in names if name and (name == "other" or name.endswith(": other"))]


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def pair(before, after, decimals):
    if before is None or after is None:
        return ABSENT
    before, after = f"{before:.{decimals}f}", f"{after:.{decimals}f}"
    return before if before == after else f"{before} -> {after}"


def median(values):
    return statistics.median(values) if values else None


def mean(values):
    return statistics.fmean(values) if values else None


def with_values(comparison):
    return [change for change in comparison.changes if change.has_values]


def value_changes(changes):
    return sum(change.has_values and abs(change.value) > CHANGE for change in changes)


def confidence_changes(changes):
    return sum(change.has_values and abs(change.confidence) > CONFIDENCE_CHANGE for change in changes)


def appearances(changes):
    return sum(change.old["stress"] is None and change.new["stress"] is not None for change in changes)


def disappearances(changes):
    return sum(change.old["stress"] is not None and change.new["stress"] is None for change in changes)


def category_changes(changes):
    return sum(change.category_cause is not None for change in changes)


def statistics_of(changes):
    """The columns that the summary and the tables of recordings share."""
    found = [change for change in changes if change.has_values]
    difference = mean([abs(change.value) for change in found])
    return (
        len(changes), len(found),
        pair(median([change.old["stress"] for change in found]), median([change.new["stress"] for change in found]), 1),
        ABSENT if difference is None else f"{difference:.2f}",
        value_changes(changes), f"{appearances(changes)} / {disappearances(changes)}",
        pair(mean([change.old["confidence"] for change in found]), mean([change.new["confidence"] for change in found]), 2),
        confidence_changes(changes), category_changes(changes),
    )


COLUMNS = (
    "minutes", "with both values", "median value", "mean abs. difference", "value differs by > 10", "value new / gone",
    "mean confidence", "confidence differs by > 0.1", "category differs")


def summary(both):
    rows = []
    for name, comparisons in both:
        folders = defaultdict(list)
        for one in comparisons:
            folders[one.session.path.parent.name] += one.changes
        rows += [(name, folder, *statistics_of(changes)) for folder, changes in sorted(folders.items())]
        rows.append((name, "all", *statistics_of([change for changes in folders.values() for change in changes])))
    return table(("baseline", "folder", *COLUMNS), rows)


def recordings(comparisons, with_baseline=False):
    rows = []
    for one in comparisons:
        usual = ("{:.1f} ms, {:.1f} bpm".format(*one.baseline),) if with_baseline else ()
        rows.append((one.session.name, *usual, *statistics_of(one.changes)))
    return table(("recording", *(("baseline",) if with_baseline else ()), *COLUMNS), rows)


# Causes


def counted(both, cause, sign):
    """Number of minutes by cause, baseline and direction."""
    rows = defaultdict(Counter)
    for name, comparisons in both:
        for one in comparisons:
            for change in one.changes:
                text = cause(change)
                if text:
                    rows[text][name, sign(change)] += 1
    return sorted(rows.items(), key=lambda row: (-sum(row[1].values()), row[0]))


def directions(found, both):
    names = [name for name, _ in both]
    rows = [(text, *(f"{count[name, 1]} / {count[name, -1]}" for name in names)) for text, count in found]
    totals = [
        " / ".join(str(sum(count[name, sign] for _, count in found)) for sign in (1, -1)) for name in names]
    return [*rows, ("all", *totals)]


def value_causes(both):
    found = counted(
        both, lambda change: change.value_cause if change.has_values else None, lambda change: 1 if change.value > 0 else -1)
    text = "Minutes in which the value is higher / lower after than before.\n\n"
    text += table(("cause", "default", "own"), directions(found, both))
    new = counted(
        both, lambda change: None if change.has_values else change.value_cause,
        lambda change: 1 if change.old["stress"] is None else -1)
    text += "\n\nMinutes with a value only after / only before.\n\n"
    return text + table(("cause", "default", "own"), directions(new, both))


def confidence_causes(both):
    found = counted(both, lambda change: change.confidence_cause, lambda change: 1 if change.confidence > 0 else -1)
    text = "Minutes in which the confidence is higher / lower after than before, by the factor that contributes most.\n\n"
    return text + table(("factor", "default", "own"), directions(found, both))


def contributions(both):
    """The parts of the difference of the mean confidences, which add up to it."""
    sums = defaultdict(lambda: defaultdict(float))
    counts = {}
    for name, comparisons in both:
        found = [change for one in comparisons for change in with_values(one)]
        counts[name] = max(1, len(found))
        for change in found:
            for factor, part in change.parts.items():
                sums[factor][name] += part
            sums["sum"][name] += change.confidence
    order = sorted(sums, key=lambda factor: (factor == "sum", -max(map(abs, sums[factor].values())), factor))
    rows = [(factor, *(f"{sums[factor][name] / counts[name]:+.4f}" for name, _ in both)) for factor in order]
    return table(("factor", "default", "own"), rows)


def category_causes(both):
    rows = defaultdict(Counter)
    for name, comparisons in both:
        for one in comparisons:
            for change in one.changes:
                if change.category_cause:
                    key = state(change.old, False), state(change.new, True), change.category_cause
                    rows[key][name] += 1
    found = sorted(rows.items(), key=lambda row: (-sum(row[1].values()), row[0]))
    names = [name for name, _ in both]
    return table(
        ("before", "after", "cause", *names), [(*key, *(count[name] for name in names)) for key, count in found])


def by_recording(both):
    """The causes of each recording with a change."""
    rows = []
    for name, comparisons in both:
        for one in comparisons:
            columns = [listed(one, cause) for cause in ("value_cause", "confidence_cause", "category_cause")]
            if any(columns):
                rows.append((one.session.name, name, *(column or ABSENT for column in columns)))
    rows.sort()
    return table(("recording", "baseline", "value", "confidence", "category"), rows)


def listed(comparison, cause):
    """The causes with the number of minutes, the most frequent first."""
    found = Counter(getattr(change, cause) for change in comparison.changes if getattr(change, cause))
    return "; ".join(f"{text} {count}" for text, count in sorted(found.items(), key=lambda one: (-one[1], one[0])))


# Labelled beats


def errors(comparison):
    """(change, error before, error after) of the minutes with both values and a reference value."""
    return [
        (change, abs(change.old["stress"] - truth), abs(change.new["stress"] - truth))
        for change in comparison.changes if change.has_values and change.minute in comparison.truth
        for truth in [comparison.truth[change.minute]]]


def labelled(both):
    rows = []
    for name, comparisons in both:
        for one in comparisons:
            found = errors(one)
            if not found:
                continue
            changed = [(old, new) for change, old, new in found if abs(change.value) > CHANGE]
            rows.append((
                one.session.name, name, len(found),
                pair(median([old for _, old, _ in found]), median([new for _, _, new in found]), 1),
                pair(100 * mean([old > CHANGE for _, old, _ in found]), 100 * mean([new > CHANGE for _, _, new in found]), 0),
                len(changed), sum(new < old for old, new in changed),
            ))
    rows.sort()
    return table(
        ("recording", "baseline", "minutes", "median error", "error > 10, %", "value differs by > 10", "of these closer"), rows)


def judged_confidence(both):
    """Whether the value of minutes with another confidence was within 10 points of the reference value."""
    rows = []
    for name, comparisons in both:
        for kind, fibrillates in (("sinus rhythm", False), ("fibrillation", True)):
            found = [
                item for one in comparisons if one.session.fibrillates == fibrillates for item in errors(one)]
            groups = defaultdict(list)
            for item in found:
                if item[0].confidence_cause:
                    groups[item[0].confidence_cause, "higher" if item[0].confidence > 0 else "lower"].append(item)
            rows += [
                (kind, name, *key, len(part), *quality(part))
                for key, part in sorted(groups.items(), key=lambda one: (-len(one[1]), one[0]))]
            if found:
                rows.append((kind, name, "all minutes", "", len(found), *quality(found)))
    text = "In fibrillation HRV is no measure of stress, so a low confidence is right whatever the error.\n\n"
    return text + table(
        ("recordings", "baseline", "factor", "confidence", "minutes", "mean confidence", "within 10, %", "Brier score"), rows)


def quality(found):
    """Mean confidence, percentage within 10 points, and mean squared difference of the two, before and after."""
    before = [(change.old["confidence"], old <= CHANGE) for change, old, _ in found]
    after = [(change.new["confidence"], new <= CHANGE) for change, _, new in found]
    return (
        pair(mean([value for value, _ in before]), mean([value for value, _ in after]), 2),
        pair(100 * mean([right for _, right in before]), 100 * mean([right for _, right in after]), 0),
        pair(brier(before), brier(after), 3),
    )


def brier(pairs):
    return mean([(value - right) ** 2 for value, right in pairs])


# Complete recordings


def final(comparisons):
    """RMSSD of `analyze` where it differs by more than 2 %."""
    rows = []
    for one in comparisons:
        old, new, truth = one.final
        if None in (old["rmssd_ms"], new["rmssd_ms"]) or abs(new["rmssd_ms"] / old["rmssd_ms"] - 1) <= causes.SAME_RMSSD:
            continue
        rows.append((
            one.session.name, pair(old["rmssd_ms"], new["rmssd_ms"], 1), ABSENT if truth is None else f"{truth:.1f}",
            pair(old["beats"], new["beats"], 0), pair(old["sdnn_ms"], new["sdnn_ms"], 1)))
    text = "Metrics of `analyze`, with final verdicts, where RMSSD differs by more than 2 %.\n\n"
    return text + table(("recording", "RMSSD, ms", "labelled normal beats", "normal beats", "SDNN, ms"), rows)


# Largest changes


def largest(both, size, cause):
    """The largest changes, at most two of each cause, direction and baseline, from different recordings."""
    found = [
        (one, name, change) for name, comparisons in both for one in comparisons for change in with_values(one)
        if getattr(change, cause)]
    found.sort(key=lambda item: (-abs(size(item[2])), item[0].session.name, item[1], item[2].minute))
    rows, seen = [], defaultdict(set)
    for one, name, change in found:
        text = getattr(change, cause)
        chosen = seen[text, size(change) > 0, name]
        if one.session.name in chosen or len(chosen) == EXAMPLES or len(rows) == LARGEST:
            continue
        chosen.add(one.session.name)
        rows.append((one.session.name, name, change.minute, *measured(change, one.truth.get(change.minute)), text))
    return table(
        ("recording", "baseline", "minute", "value", "labelled", "RMSSD, ms", "abnormal, %", "confidence", "cause"), rows)


def measured(change, truth):
    old, new = change.old, change.new
    return (
        pair(old["stress"], new["stress"], 0), ABSENT if truth is None else f"{truth:.0f}",
        pair(old["rmssd_ms"], new["rmssd_ms"], 1), pair(old["artefact_percent"], new["artefact_percent"], 0),
        pair(old["confidence"], new["confidence"], 2))
