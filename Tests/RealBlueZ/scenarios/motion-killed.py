"""A session is killed and leaves the stream running; the next session stops it, and so does `doctor --stop-streams`."""

from waiting import expect, until

STRAP = {"motion": [("breathing", 600)]}


async def scenario(world):
    strap = world.strap
    streams = lambda: [e for e in strap.events if e.startswith("stream")]
    killed = await world.run("live", "--json", "--no-store")
    await until(lambda: len(strap.sensors.frames) >= 3, "frames are sent")
    killed.kill()
    await killed.ended()
    expect(strap.sensors.running, f"the stream was left running: {streams()}")
    strap.excuse()
    strap.sent.clear()
    strap.sensors.frames.clear()
    live = await world.live()
    await live.shows(5)
    await live.frames(4)
    expect(streams()[:3] == ["stream start", "stream stop", "stream start"], f"stopped and started: {streams()}")
    await live.finish()
    expect(streams()[-1] == "stream stop", f"the stream stops: {streams()}")
    strap.silent = strap.sensors.silent = False

    killed = await world.run("live", "--json", "--no-store")
    await until(lambda: strap.sensors.running, "the stream runs")
    killed.kill()
    await killed.ended()
    strap.silent = strap.sensors.silent = True
    await (await world.run("doctor", "--stop-streams")).succeeds()
    expect(not strap.sensors.running, f"doctor stops it: {streams()}")
