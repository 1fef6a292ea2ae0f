"""Acceleration is recorded, and its stream stops when the session ends with Ctrl-C."""

from waiting import expect

STRAP = {"motion": [("walking", 600)]}


async def scenario(world):
    live = await world.live()
    await live.shows(5)
    await live.frames(12)
    await live.finish()
    seconds = live.of_type("motion")
    walking = [s for s in seconds if s["motion"] == "walk"]
    expect(len(seconds) >= 14 and len(walking) >= len(seconds) - 3, f"walking: {seconds}")
    streams = [e for e in world.strap.events if e.startswith("stream")]
    expect(streams == ["stream start", "stream stop"], f"the stream stops: {streams}")
