"""The link is lost, bluetoothd restarts, and the adapter goes off and on, while acceleration is recorded."""

from waiting import expect

STRAP = {"motion": [("lying", 600)]}


async def scenario(world):
    live = await world.live()
    await live.shows(5)
    await live.frames(4)

    await world.strap.hide()
    await live.caught_up()
    world.strap.excuse()
    world.air.lose_links()
    await live.becomes("lost")
    await world.strap.appear()
    await live.becomes("connected")
    await live.frames(4)

    await live.caught_up()
    world.strap.excuse()
    await world.bluetoothd.stop()
    await live.becomes("lost")
    await world.bluetoothd.start()
    await live.becomes("connected")
    await live.frames(4)

    await live.caught_up()
    world.strap.excuse()
    client = await world.other_client()
    await client.set_power(False)
    await live.becomes("lost")
    await client.set_power(True)
    await live.becomes("connected")
    await live.frames(4)
    await live.finish()
    expect(not world.strap.sensors.running, f"the stream stops: {world.strap.events}")
