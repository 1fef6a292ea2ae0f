"""Compares the notifications of the strap with the output, the history and the recording of the program."""

import base64
import json
import sqlite3

from program import DATABASE, Program
from waiting import Failure


class WrongData(Failure):
    """A beat is missing, duplicated or wrong. The scenario is not repeated."""


def in_order(truth, got, what):
    """Each owed value of `truth` is in `got`, once and in order, and `got` contains no other values."""
    # The possible numbers of matched values of `got` so far: several if equal values may be missing.
    counts = {0}
    for index, (value, is_owed) in enumerate(truth):
        matched = {count + 1 for count in counts if count < len(got) and got[count] == value}
        after = matched if is_owed else matched | counts
        if not after:
            is_there = got[max(counts):][:1] or "missing"
            raise WrongData(f"{what}: notification {index} of {len(truth)} was sent as {value}, found {is_there}")
        counts = after
    if len(got) not in counts:
        raise WrongData(f"{what}: {got[max(counts)]} was not sent in this place")


async def compare(world, session, recording):
    """Compares an ended session; `recording` is its file."""
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
    """Compares the output `lines` of a session, its events in the history, and its replay with `sent`."""
    parsed = [json.loads(line) for line in lines]
    in_order(
        [((s.rr, s.hr, s.contact), s.owed) for s in sent],
        [shown(line) for line in parsed if line["type"] == "notification"], "JSON")
    payloads = [(s.hex, s.owed) for s in sent]
    name, profile = parsed[0]["session"], parsed[0]["profile"]
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
        raise WrongData("the replay of the stored session differs from the output")
    return sum(len(s.rr) for s in sent)


def shown(notification):
    """The values of a line of JSON in the units of the strap: 1/1024 s are exact in milliseconds."""
    ticks = [rr * 1.024 for rr in notification.get("rr_ms", [])]
    if any(tick != round(tick, 9) or round(tick, 6) % 1 for tick in ticks):
        raise WrongData(f"JSON: not a multiple of 1/1024 s: {notification}")
    return [round(tick) for tick in ticks], notification.get("hr_bpm"), notification.get("contact")
