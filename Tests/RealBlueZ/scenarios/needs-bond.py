"""A strap that requires a bond: `live` reports it, and measures after `pair`."""

from waiting import expect

STRAP = {"needs_bond": True}


async def scenario(world):
    live = await world.run("live", "--json", "--strap", "C0:00:00:00:00:01")
    status = await live.ended()
    hints = [line.get("reason") or "" for line in live.of_type("link") if line.get("state") == "connecting"]
    expect(any("stressmon pair" in hint for hint in hints), f"an early hint: {hints}")
    expect(status != 0 and "stressmon pair" in live.errors[-1], f"the error names the next command: {live.text_of_errors[-300:]}")
    pair = await world.run("pair", "C0:00:00:00:00:01")
    await pair.succeeds()
    live = await world.live()
    await live.shows(10)
    await live.finish()
