"""A minimal Python consumer with nats-py and psycopg as the baseline of throughput.py."""
import asyncio
import json
import ssl
import sys
from urllib.parse import parse_qs, urlparse

import nats
import psycopg

INSERT = "INSERT INTO plain VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"


def rows(message):
    session, part, _ = message.headers["Nats-Msg-Id"].split("/")
    if part in ("begin", "end"):
        return
    first = int(part.split("-")[0])
    for offset, line in enumerate(message.data.splitlines()):
        event = json.loads(line)
        yield (session, first + offset, event["monotonic_s"], event.get("time"), event["type"], event.get("hex"))


async def main(source, target, count):
    url = urlparse(source)
    query = parse_qs(url.query)
    with open(query["credentials"][0]) as file:
        user, password = file.read().split()
    context = ssl.create_default_context(cafile=query["ca"][0])
    connection = await nats.connect(
        [f"tls://{host}" for host in url.netloc.split(",")], user=user, password=password, tls=context,
        inbox_prefix=b"_INBOX.collector")
    subscription = await connection.jetstream().pull_subscribe("lab.rest.>", "plain", "fleet-rest")
    stored = 0
    with psycopg.connect(target) as database:
        while stored < count:
            messages = await subscription.fetch(1000, timeout=10)
            batch = [row for message in messages for row in rows(message)]
            with database.cursor() as cursor:
                cursor.executemany(INSERT, batch)
            database.commit()
            for message in messages:
                await message.ack()
            stored += len(batch)
    await connection.close()


asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
