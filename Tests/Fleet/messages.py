"""Messages that no version of the program can process, and those of a later version."""
import os
import time

from polling import wait_for
from receivers import DIGITS, HOSTILE
from scenario import STREAM

SUBJECT = "lab.rest.R1.P101.none"
MARK = b'{"type":"mark","monotonic_s":99999,"text":"x"}\n'


def session_id(seconds):
    """The ID of a session that started at a time in s since 1970."""
    value, text = int(seconds * 1000) << 80 | int.from_bytes(os.urandom(10), "big"), ""
    for _ in range(26):
        value, text = value >> 5, DIGITS[value & 31] + text
    return text


def headers(message, version="2"):
    return {"Stressmon-Format": version, "Nats-Msg-Id": f"{message}/test"}


def invalid_messages(test):
    """Headers, content and the reason for which it is rejected, by name."""
    own, random = test.session("s1"), os.urandom(300)
    future = session_id(time.time() + 3 * 365 * 86_400)
    return {
        "without headers": (None, random, "it has no Stressmon-Format"),
        "with random bytes": (headers(f"{own}/999999"), random, "not valid"),
        "of another participant": (headers(f"{test.session('s2')}/999999"), MARK, "another participant"),
        "of the format 0": (headers(f"{own}/999998", "0"), MARK, "its format is '0'"),
        "of the format x": (headers(f"{own}/999997", "x"), MARK, "its format is 'x'"),
        "of the format 999999": (headers(f"{own}/999996", "999999"), MARK, "its format is '999999'"),
        "of an earlier version": (headers(f"{own}/999995", "1"), MARK, "update the receiver"),
        "with the greatest sequence number": (headers(f"{own}/{2 ** 63 - 1}"), MARK, "it has no Nats-Msg-Id"),
        "with the widest range": (headers(f"{own}/0-{2 ** 63 - 2}"), MARK, "it has no Nats-Msg-Id"),
        "from the future": (headers(f"{future}/0"), MARK, "correct the clock")}


def poison(test):
    client, messages = test.receiver_client(), invalid_messages(test)
    owners = "SELECT partition, owner, epoch FROM stressmon.partition_lease ORDER BY partition"
    before = test.sql(owners)
    forged = "of another receiver"
    messages[forged] = (headers(f"{test.session('s1')}/999994"), MARK, "belongs to the receiver R1")
    for name, (fields, body, reason) in messages.items():
        if name == forged:
            sequence = test.hostile_client().request(f"lab.rest.{HOSTILE}.P101.none", body, fields)["seq"]
        else:
            sequence = client.request(SUBJECT, body, fields)["seq"]
        row = f"FROM stressmon.rejected WHERE stream_sequence = {sequence}"
        wait_for(lambda: test.sql(f"SELECT 1 {row}"), 20)
        found = test.sql(f"SELECT reason, encode(payload, 'hex') {row}")
        test.check(f"message {name}: kept with its reason", found and reason in found[0][0] and found[0][1] == body.hex(), found)
    test.check("such messages: acknowledged", wait_for(lambda: test.waiting() == 0))
    test.check("such messages: counted", wait_for(lambda: test.health()["rejected"] == len(messages)), test.health())
    test.check("such messages: the same collector continues", test.collector.process.poll() is None and test.sql(owners) == before,
               test.sql(owners))
    test.record("10m")
    test.arrives("messages after such messages")


def deferred(test):
    """The formats of messages that wait for a newer version, with the time of the first one in s."""
    return test.sql("SELECT deferred_format, extract(epoch FROM deferred_since) FROM stressmon.partition_lease "
                    "WHERE deferred_format IS NOT NULL")


def newer_format(test):
    """Messages of a later format stay in the stream until a version reads them."""
    sent = time.time()
    sequence = test.receiver_client().request(SUBJECT, b"later", headers(f"{test.session('s1')}/later", "4"))["seq"]
    test.reports("newer format", "messages of the receiver R1 of the format 4 wait in the stream")
    test.record("10m")
    test.arrives("newer format: later messages")
    found = deferred(test)
    test.check("newer format: format and time are kept",
               len(found) == 1 and found[0][0] == "4" and abs(float(found[0][1]) - sent) < 5, found)
    test.stop_collector()
    test.start_collector()
    test.reports("newer format, after a restart", "update stressmon")
    test.check("newer format: not rejected",
               test.sql(f"SELECT 1 FROM stressmon.rejected WHERE stream_sequence = {sequence}") == [])
    kept = test.admin.api(f"STREAM.MSG.GET.{STREAM}", seq=sequence)["message"]
    test.check("newer format: stays in the stream", kept["seq"] == sequence, kept)
    _update(test, sequence)


def _update(test, sequence):
    """As a version does that reads the format 4: it takes over the partition and reads the stream again."""
    test.stop_collector()
    before = test.stored()
    test.sql("UPDATE stressmon.partition_lease SET deferred_format = 3 WHERE deferred_format = 4")
    test.admin.api(f"STREAM.MSG.DELETE.{STREAM}", seq=sequence)
    test.start_collector()
    done = wait_for(lambda: test.health()["messages"] > 0 and test.waiting() == 0)
    test.check("update: the stream is read again from that time on", done, test.health())
    test.check("update: nothing is stored twice", test.health()["events"] == 0 and test.stored() == before, test.health())
    test.check("update: nothing is reported any more", test.health()["error"] is None and deferred(test) == [], test.health())
