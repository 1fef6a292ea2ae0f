"""A band that sends only the heart rate and offers PPI: its pulse intervals give the stress value."""

import signal

from waiting import expect, until

STRAP = {"sends_rr": False, "hr": 60, "motion": [("breathing", 600)], "sensors": ["ppi"]}


async def scenario(world):
    # The output contains intervals of PPI, which are not those of the notifications.
    live = await world.run("live", "--json")
    await until(lambda: any(m["stress"] is not None for m in live.of_type("measurement")), "there is a stress value")
    live.process.send_signal(signal.SIGINT)
    await live.ended()
    expect("ppi stop" in world.strap.events, f"the stream stops: {world.strap.events}")
