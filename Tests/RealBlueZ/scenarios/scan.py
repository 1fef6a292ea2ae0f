"""`scan` finds the strap, with its name and service."""

from waiting import expect


async def scenario(world):
    scan = await world.run("scan", "--json", "--duration", "8s")
    await scan.succeeds()
    found = [line for line in scan.json if line["strap"] == "C0:00:00:00:00:01"]
    expect(found, f"the strap is found, among {scan.lines}")
    expect(found[-1]["strap_name"] == "Polar H10 TEST", f"its name is shown: {found[-1]}")
    expect(found[-1]["heart_rate_service"] and found[-1]["answering"], f"it answers: {found[-1]}")
