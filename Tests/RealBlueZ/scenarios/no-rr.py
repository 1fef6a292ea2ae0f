"""A sensor that sends only the heart rate: it is shown, without HRV and stress."""

from waiting import expect

STRAP = {"sends_rr": False, "hr": 72}


async def scenario(world):
    live = await world.live()
    await live.shows(30)
    await live.finish()
    expect(all(n["rr_ms"] == [] for n in live.notifications()), "no RR")
    expect(all(m["stress"] is None for m in live.of_type("measurement")), "no stress value")
