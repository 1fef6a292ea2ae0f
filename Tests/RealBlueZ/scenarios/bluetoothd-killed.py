"""bluetoothd is killed while the strap sends, and restarted."""

from waiting import expect


async def scenario(world):
    live = await world.live()
    await live.shows(15)
    await live.caught_up()
    world.strap.excuse()
    await world.bluetoothd.kill()
    await live.becomes("lost")
    await world.bluetoothd.start()
    await live.becomes("connected")
    await live.shows(15)
    await live.finish()
    expect([gap["cause"] for gap in live.of_type("gap")] == ["link-lost"], f"one gap: {live.of_type('gap')}")
