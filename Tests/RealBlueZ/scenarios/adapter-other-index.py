"""The adapter is unplugged and reappears as hci1."""

from waiting import expect


async def scenario(world):
    live = await world.live()
    await live.shows(15)
    await live.caught_up()
    world.strap.excuse()
    await world.adapter.unplug()
    await live.becomes("lost")
    world.adapter.take_index()
    await world.adapter.plug()
    await live.becomes("connected")
    client = await world.other_client()
    expect(list(await client.objects("org.bluez.Adapter1")) == ["/org/bluez/hci1"], "the adapter is hci1")
    await live.shows(15)
    await live.finish()
    expect([gap["cause"] for gap in live.of_type("gap")] == ["link-lost"], f"one gap: {live.of_type('gap')}")
