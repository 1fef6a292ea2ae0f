"""A sensor that sends the heart rate only: it is shown, and no HRV is made of it."""

from waiting import expect

STRAP = {"sends_rr": False, "hr": 72}


async def scenario(world):
    live = await world.live()
    await live.shows(30)
    await live.finish()
    expect(all(n["rr_ms"] == [] for n in live.notifications()), "no RR")
    expect(all(m["stress"] is None for m in live.of_type("measurement")), "no stress value")
