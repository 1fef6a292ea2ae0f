"""A band that computes its RR intervals from the heart rate and offers PPI: the session switches to PPI."""

from waiting import expect, until

STRAP = {"is_rounded": True, "motion": [("breathing", 600)], "sensors": ["ppi"]}


async def scenario(world):
    live = await world.live()
    await live.shows(30)
    started = lambda: [line for line in live.of_type("stream") if (line["stream"], line["state"]) == ("ppi", "started")]
    await until(started, "PPI starts")
    await live.shows(60)
    await live.finish()
    classes = [line["sensor_class"] for line in live.json if line.get("sensor_class")]
    expect("smoothed" in classes, f"the intervals are smoothed: {classes}")
    expect("ppi stop" in world.strap.events, f"the stream stops: {world.strap.events}")
