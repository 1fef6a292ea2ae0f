"""One run with the straps of two people: two sessions; a lost link does not affect the other session."""

import signal

from program import Program, Session
from truth import compare_stored
from waiting import expect, until


async def scenario(world):
    anna, ben = world.strap, await world.second_strap()
    for name in ["anna", "ben"]:
        await (await Program.start(world, "profile", "add", name)).succeeds()
    live = await Session.start(
        world, "live", "--json", "--strap", f"{anna.address}=anna", "--strap", f"{ben.address}=ben")
    of = lambda profile: [line for line in live.json if line["profile"] == profile]
    states = lambda profile: [line["state"] for line in of(profile) if "state" in line]

    async def shows(profile, count):
        wanted = count + sum(line["type"] == "notification" for line in of(profile))
        await until(
            lambda: sum(line["type"] == "notification" for line in of(profile)) >= wanted,
            f"{wanted} notifications of {profile} are shown")

    async def caught_up(profile, strap):
        last = lambda: [s.rr for s in strap.sent if s.owed][-1:]
        shown = lambda: [n["rr_ms"] for n in of(profile) if n["type"] == "notification"][-1:]
        await until(
            lambda: last() == [[round(rr * 1.024) for rr in rrs] for rrs in shown()], f"the last notification of {profile} is shown")

    await shows("anna", 15)
    await shows("ben", 15)
    await ben.hide()
    await caught_up("ben", ben)
    ben.excuse()
    world.air.lose_links(ben)
    await until(lambda: "lost" in states("ben"), "the link to ben's strap is lost")
    await shows("anna", 30)
    await ben.appear()
    await until(lambda: states("ben")[-1] == "connected", "ben's strap is back")
    await shows("ben", 15)
    anna.silent = ben.silent = True
    await caught_up("anna", anna)
    await caught_up("ben", ben)
    live.process.send_signal(signal.SIGINT)
    await live.ended()
    for profile, strap in (("anna", anna), ("ben", ben)):
        lines = [line for line, parsed in zip(live.lines, live.json) if parsed["profile"] == profile]
        await compare_stored(world, strap.sent, lines)
    expect("lost" not in states("anna"), f"the link of anna is unaffected: {states('anna')}")
