"""Compares what the strap sent with what the program showed, stored and recorded."""

import base64
import json
import sqlite3

from program import DATABASE, Program
from waiting import Failure


class WrongData(Failure):
    """A beat is missing, came twice, or is another one. There is no second try."""


def in_order(truth, got, what):
    """Each of `truth` that is owed is in `got`, once and in order, and nothing else is."""
    # How many of `got` may be accounted for so far: more than one answer where equal values were excused.
    counts = {0}
    for index, (value, is_owed) in enumerate(truth):
        matched = {count + 1 for count in counts if count < len(got) and got[count] == value}
        after = matched if is_owed else matched | counts
        if not after:
            is_there = got[max(counts):][:1] or "missing"
            raise WrongData(f"{what}: notification {index} of {len(truth)} was sent as {value}, and is {is_there}")
        counts = after
    if len(got) not in counts:
        raise WrongData(f"{what}: {got[max(counts)]} came, which the strap did not send in this place")


async def compare(world, session, recording):
    """`session` ended; `recording` is the file it wrote."""
    sent = world.strap.sent
    with open(recording) as lines:
        recorded = [json.loads(line).get("hex") for line in lines]
    in_order([(s.hex, s.owed) for s in sent], [r for r in recorded if r is not None], "recording")
    if world.strap.sensors:
        await compare_frames(world, session, recording)
    return await compare_stored(world, sent, session.lines)


async def compare_frames(world, session, recording):
    """Every sensor frame is in the recording and in the history, once and in order."""
    truth = [(f.frame, f.owed) for f in world.strap.sensors.frames]
    with open(recording) as lines:
        in_order(truth, frames(lines), "recording")
    exported = f"{recording}.exported"
    export = await Program.start(
        world, "export", "--format", "jsonl", "--output", exported, "--session", session.json[0]["session"])
    await export.succeeds()
    with open(exported) as lines:
        in_order(truth, frames(lines), "store")


def frames(lines):
    """The sensor frames of a recording in hexadecimal digits."""
    events = map(json.loads, lines)
    return [base64.b64decode(e["base64"]).hex() for e in events if e["type"] == "sensor"]


async def compare_stored(world, sent, lines):
    """`lines` of one session are what was `sent`, and so is what the history has of it."""
    told = [json.loads(line) for line in lines]
    in_order(
        [((s.rr, s.hr, s.contact), s.owed) for s in sent],
        [shown(line) for line in told if line["type"] == "notification"], "JSON")
    payloads = [(s.hex, s.owed) for s in sent]
    name, profile = told[0]["session"], told[0]["profile"]
    database = sqlite3.connect(f"file:{DATABASE}?mode=ro", uri=True)
    stored = database.execute(
        "SELECT hex(e.payload) FROM session_event e JOIN session s ON e.session = s.number"
        " WHERE s.id = ? AND e.kind = 1 ORDER BY e.sequence", [name])
    in_order(payloads, [row[0].lower() for row in stored], "store")
    database.close()
    replay = await Program.start(
        world, "replay", "--session", name, "--profile", profile, "--speed", "max", "--json")
    await replay.succeeds()
    if replay.lines != lines:
        raise WrongData("the replay of the stored session is not what was shown")
    return sum(len(s.rr) for s in sent)


def shown(notification):
    """What a line of JSON says, in the strap's units: 1/1024 s are exact in milliseconds."""
    ticks = [rr * 1.024 for rr in notification.get("rr_ms", [])]
    if any(tick != round(tick, 9) or round(tick, 6) % 1 for tick in ticks):
        raise WrongData(f"JSON: no multiple of 1/1024 s: {notification}")
    return [round(tick) for tick in ticks], notification.get("hr_bpm"), notification.get("contact")
