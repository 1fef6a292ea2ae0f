"""A strap that measures only for those it is paired with: `live` says so, and measures once it is paired."""

from waiting import expect

STRAP = {"needs_bond": True}


async def scenario(world):
    live = await world.run("live", "--json", "--strap", "C0:00:00:00:00:01")
    status = await live.ended()
    hints = [line.get("reason") or "" for line in live.of_type("link") if line.get("state") == "connecting"]
    expect(any("stressmon pair" in hint for hint in hints), f"it says early what it may be: {hints}")
    expect(status != 0 and "stressmon pair" in live.errors[-1], f"it names the remedy: {live.text_of_errors[-300:]}")
    pair = await world.run("pair", "C0:00:00:00:00:01")
    await pair.succeeds()
    live = await world.live()
    await live.shows(10)
    await live.finish()
