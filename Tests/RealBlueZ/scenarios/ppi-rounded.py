"""A band that computes its RR intervals from the heart rate and offers PPI: the session switches to PPI."""

import signal

from waiting import expect, until

STRAP = {"is_rounded": True, "motion": [("breathing", 600)], "sensors": ["ppi"]}


async def scenario(world):
    live = await world.run("live", "--json")
    classes = lambda: [line["sensor_class"] for line in live.of_type("notification") if line.get("sensor_class")]
    await until(lambda: "smoothed" in classes(), "the intervals are smoothed")
    await until(lambda: "beat-to-beat" in classes(), "those of PPI are not")
    live.process.send_signal(signal.SIGINT)
    await live.ended()
    expect("ppi stop" in world.strap.events, f"the stream stops: {world.strap.events}")
