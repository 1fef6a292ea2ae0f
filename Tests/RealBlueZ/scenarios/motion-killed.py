"""A killed session leaves its stream running: `doctor --stop-streams` stops it, and so does the next session."""

from waiting import expect, until

STRAP = {"motion": [("breathing", 600)]}


async def kill_while_streaming(world):
    killed = await world.run("live", "--json", "--no-store")
    await until(lambda: world.strap.sensors.running, "the stream runs")
    await world.strap.sensors.sends(2)
    killed.kill()
    await killed.ended()
    expect(world.strap.sensors.running, f"the stream was left running: {world.strap.events}")


async def scenario(world):
    strap = world.strap
    streams = lambda: [e for e in strap.events if e.startswith("stream")]
    await kill_while_streaming(world)
    await (await world.run("doctor", "--stop-streams")).succeeds()
    expect(streams() == ["stream start", "stream stop"], f"doctor stops it: {streams()}")

    await kill_while_streaming(world)
    # What the killed programs received is not compared.
    strap.excuse()
    strap.sent.clear()
    strap.sensors.frames.clear()
    live = await world.live()
    await live.shows(5)
    await live.frames(4)
    expect(streams()[2:] == ["stream start", "stream stop", "stream start"], f"stopped and started: {streams()}")
    await live.finish()
    expect(streams()[-1] == "stream stop", f"the stream stops: {streams()}")
