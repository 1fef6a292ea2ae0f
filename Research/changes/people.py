"""Each person's own baseline, which is the same for both programs."""

import statistics

FEWEST = 3  # minutes
RMSSD_RANGE, RATE_RANGE = (1, 500), (20, 150)  # limits of `baseline set`


def baselines(comparisons):
    """(RMSSD in ms, heart rate in bpm) of each person: the medians of the minutes of rest without abnormal beats in which both
    programs have the same RMSSD; with fewer than three, of all minutes of rest with a value; else of all minutes with a value.
    """
    return {
        person: baseline([one for one in comparisons if one.session.person == person])
        for person in dict.fromkeys(one.session.person for one in comparisons)
    }


def baseline(comparisons):
    everything = [(one.session.is_rest, change) for one in comparisons for change in one.changes if change.has_values]
    rest = [change for is_rest, change in everything if is_rest]
    undisturbed = [
        change for change in rest
        if change.old["artefact_percent"] == change.new["artefact_percent"] == 0
        and change.old["rmssd_ms"] == change.new["rmssd_ms"]
    ]
    for found in (undisturbed, rest, [change for _, change in everything]):
        if len(found) >= FEWEST:
            return (
                limited([change.new["rmssd_ms"] for change in found], RMSSD_RANGE),
                limited([change.new["mean_hr_bpm"] for change in found], RATE_RANGE),
            )
    return None


def limited(values, limits):
    low, high = limits
    return round(min(high, max(low, statistics.median(values))), 1)
