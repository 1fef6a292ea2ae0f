"""`record` writes the notifications to a file and to the history."""


async def scenario(world):
    record = await world.record("--strap", "C0:00:00:00:00:01")
    await record.shows(20)
    await record.finish()
