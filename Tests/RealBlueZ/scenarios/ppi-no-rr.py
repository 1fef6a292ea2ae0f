"""A band that sends only the heart rate and offers PPI: its pulse intervals give the stress value."""

from waiting import expect, until

STRAP = {"sends_rr": False, "hr": 60, "motion": [("breathing", 600)], "sensors": ["ppi"]}


async def scenario(world):
    live = await world.live()
    await live.shows(30)
    started = lambda: [line for line in live.of_type("stream") if (line["stream"], line["state"]) == ("ppi", "started")]
    await until(started, "PPI starts")
    await until(lambda: any(m["stress"] is not None for m in live.of_type("measurement")), "there is a stress value")
    await live.finish()
    expect(all(n["rr_ms"] == [] for n in live.notifications() if n["hr_bpm"]), "the band sends no RR")
    expect("ppi stop" in world.strap.events, f"the stream stops: {world.strap.events}")
