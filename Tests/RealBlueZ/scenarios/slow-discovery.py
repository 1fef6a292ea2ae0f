"""A strap that answers slowly: its services are resolved after about twenty seconds."""

from waiting import expect

STRAP = {"answers_after": 0.6}


async def scenario(world):
    live = await world.live()
    await live.becomes("connected", limit=200)
    await live.shows(10)
    await live.finish()
    expect("lost" not in live.states(), f"at the first attempt: {live.states()}")
