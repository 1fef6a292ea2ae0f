"""A strap that measures only for those it is paired with: `live` says so, and goes on once it is."""


async def scenario(world):
    live = await world.live("--strap", "C0:00:00:00:00:01")
    await live.becomes("connected")
    await live.finish()

STRAP = {"needs_bond": True}
