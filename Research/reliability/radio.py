"""Notifications of a strap, one per second, and disturbances of their transmission and of the skin contact."""

from dataclasses import dataclass, replace

from peaks import TICK


@dataclass(frozen=True)
class Notification:
    arrival: float  # s
    beats: tuple = ()  # (RR, end) in ms
    contact: bool | None = True  # None: the strap does not report contact
    rate: int = 60
    time: float = 0.0  # ms, `arrival` on the scale of the beats


@dataclass(frozen=True)
class LinkChange:
    arrival: float
    state: str


def notifications(beats, start):
    """Each notification contains the beats of the second before it. `start` is the time 0 of the session."""
    result, place, rate = [], 0, 60_000 / beats[0][0]
    while place < len(beats):
        arrival, first = len(result) + 1.0, place
        while place < len(beats) and beats[place][1] <= start + 1000 * arrival:
            rate += 0.3 * (60_000 / beats[place][0] - rate)
            place += 1
        shown = min(255, max(1, round(rate)))
        time = start + 1000 * arrival
        result.append(Notification(arrival, tuple(beats[first:place]), True, shown, time))
    return result


def lost(sent, probability, random):
    return [one for one in sent if random.random() >= probability]


def doubled(sent, probability, random):
    """A notification arrives a second time 20 ms later."""
    result = []
    for one in sent:
        result.append(one)
        if random.random() < probability:
            result.append(replace(one, arrival=one.arrival + 0.02))
    return result


def period(seconds, random):
    """The test whether an arrival is in the disturbed part of its minute."""
    first = random.uniform(2, 58 - seconds)
    return lambda one: first <= one.arrival % 60 < first + seconds


def lost_block(sent, seconds, random):
    """No notification arrives for some seconds of each minute."""
    affected = period(seconds, random)
    return [one for one in sent if not affected(one)]


def link_lost(sent, seconds, random):
    """The link is lost for some seconds of each minute, and the program is informed."""
    affected, result, is_down = period(seconds, random), [], False
    for one in sent:
        if affected(one) != is_down:
            is_down = not is_down
            result.append(LinkChange(one.arrival - 0.5, "lost" if is_down else "connected"))
        if not is_down:
            result.append(one)
    return result


def stalls(sent, _, random):
    """Now and then, the notifications of 1.5 to 4 s arrive at once."""
    result, until = [], 0.0
    for one in sent:
        if one.arrival > until and random.random() < 0.03:
            until = one.arrival + random.uniform(1.5, 4)
        result.append(replace(one, arrival=max(one.arrival, until)))
    return result


def contact_lost(content, is_reported=True):
    """No skin contact for some seconds of each minute: the strap repeats the last interval (`hold`), sends
    random ones (`garbage`), or none (`none`)."""

    def disturb(sent, seconds, random):
        affected, last, result = period(seconds, random), 800.0, []
        end = None  # of the last invented interval
        for one in sent:
            if not affected(one):
                if one.beats:
                    last = sum(rr for rr, _ in one.beats) / len(one.beats)
                end = None
                result.append(replace(one, contact=True if is_reported else None))
                continue
            end = one.time - 500 if end is None else end
            beats = []
            while content != "none" and end <= one.time:
                rr = invented(last, content, random)
                beats.append((rr, end))
                end += rr
            result.append(replace(one, beats=tuple(beats), contact=False if is_reported else None))
        return result

    return disturb


def invented(last, content, random):
    rr = last if content == "hold" else min(2000, max(300, random.gauss(last, 0.25 * last)))
    return round(rr / TICK) * TICK

