"""`record --ecg` stores acceleration and the electrocardiogram together, and both streams stop with the session."""

from waiting import expect

STRAP = {"motion": [("breathing", 600)], "sensors": ["ecg"]}


async def scenario(world):
    record = await world.record("--strap", "C0:00:00:00:00:01", "--ecg")
    await record.shows(5)
    await record.frames(40)
    await record.finish()
    types = {frame.frame[:2] for frame in world.strap.sensors.frames}
    expect(types == {"00", "02"}, f"both streams send: {types}")
    started = {line["stream"] for line in record.of_type("stream") if line["state"] == "started"}
    expect(started == {"acceleration", "ecg"}, f"both streams start: {started}")
    events = [e for e in world.strap.events if e.split()[0] in ("stream", "ecg")]
    expect(sorted(events) == ["ecg start", "ecg stop", "stream start", "stream stop"], f"both streams stop: {events}")
